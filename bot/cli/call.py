"""What every command is told before its own arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.texts import Texts


@dataclass(slots=True)
class Call:
    """One call of `roost`. *texts* are those of the environment until the configuration was read."""

    environ: Mapping[str, str] = field(repr=False)
    texts: Texts
    config: Path | None = None
    debug: bool = False
    database: str = ""
    """Where it is, once the configuration was read."""


def call_of(environ: Mapping[str, str]) -> Call:
    return Call(environ, Texts(_language(environ)))


def _language(environ: Mapping[str, str]) -> str:
    """As Roost is told, else as the terminal is: `fr_FR.UTF-8`."""
    names = ("ROOST_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    return next((environ[name] for name in names if environ.get(name)), "").partition(".")[0]
