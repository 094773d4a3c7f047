"""What an engine offers to choose from: its models, and whose account it works for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """*efforts* from least to most, None where the engine doesn't tell them of this model; *effort* is the
    one it takes where none is asked for. *full* is what a short *name* stands for at present."""

    name: str
    label: str
    efforts: tuple[str, ...] | None = ()
    effort: str = ""
    default: bool = False
    full: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """*kind* is the engine's word for how it is logged in, empty where it is not; *required*: whether it
    has to be."""

    kind: str = ""
    email: str = ""
    plan: str = ""
    required: bool = False


def chosen(models: Sequence[Model], name: str) -> Model | None:
    """The model that *name* means, or without one the model that is taken where none is asked for."""
    return next((one for one in models if (name in (one.name, one.full) if name else one.default)), None)


def takes(models: Sequence[Model], name: str) -> bool:
    """Whether *name* is one of *models*. Where they are short names (Claude's `opus`), the engine takes any
    name in full as well, and those have dashes."""
    in_full = "-" in name and any(one.full for one in models)
    return in_full or chosen(models, name) is not None
