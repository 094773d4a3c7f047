"""What the doctor found, and its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.texts import Texts
from core.errors import ConfigError


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """*message* and *remedy* are keys of sentences, filled with *fields*; a whole number there is bytes."""

    name: str
    state: State
    message: str
    remedy: str = ""
    fields: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """A finding in the reader's words: one entry of `check --json`."""

    name: str
    state: str
    message: str
    remedy: str


def ok(name: str, message: str, **fields: str | int) -> Finding:
    return Finding(name, State.OK, message, fields=fields)


def warning(name: str, message: str, remedy: str = "", **fields: str | int) -> Finding:
    return Finding(name, State.WARNING, message, remedy, fields)


def fault(name: str, message: str, remedy: str = "", **fields: str | int) -> Finding:
    return Finding(name, State.FAULT, message, remedy, fields)


def unusable(error: ConfigError) -> list[Finding]:
    """The findings where the configuration can't be used: nothing else can be looked at then."""
    return [
        fault("configuration", one.key, "check.configuration.correct", **one.fields) for one in error.faults
    ]


def worded(finding: Finding, texts: Texts) -> Line:
    fields = {
        name: texts.size(value) if isinstance(value, int) else value for name, value in finding.fields.items()
    }
    message = texts.say(finding.message, **fields)
    remedy = texts.say(finding.remedy, **fields) if finding.remedy else ""
    return Line(finding.name, finding.state.value, message, remedy)


def past(seconds: float) -> str:
    """How long ago, in words that need no language: 3 h, 2 d."""
    minutes = max(0, int(seconds // 60))
    for unit, scale in (("d", 1_440), ("h", 60)):
        if minutes >= scale:
            return f"{minutes // scale} {unit}"
    return f"{minutes} min"


def exit_code(findings: Iterable[Finding]) -> int:
    return int(any(finding.state is State.FAULT for finding in findings))
