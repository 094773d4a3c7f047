"""What an engine offers to choose from: its models, and whose account it works for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """*efforts* from least to most; *effort* is the one it takes where none is asked for."""

    name: str
    label: str
    efforts: tuple[str, ...] = ()
    effort: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """*kind* is the engine's word for how it is logged in, empty where it is not; *required*: whether it
    has to be."""

    kind: str = ""
    email: str = ""
    plan: str = ""
    required: bool = False
