"""How one agent process is started, and how it ended: plain values that any host understands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Launch:
    """*input* is what the agent reads on fd 0. With *spoken* more can be written later; without it
    the end of *input* is the end of the file. *env* is the whole environment, not an addition. Unless it
    is empty, *real* is where *cwd* has to lead, every link followed. Without a *cwd* the agent works in an
    empty folder of its own. Unless it *offers* anybody's words yet, it may as well be started twice."""

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str] = field(repr=False)
    input: bytes = b""
    spoken: bool = False
    real: str = ""
    offers: bool = True


@dataclass(frozen=True, slots=True)
class Word:
    """One line to a spoken agent, its newline included. What was told under a *key* is never told again in
    the agent's life: the key can be read from the line."""

    key: str
    line: bytes


@dataclass(frozen=True, slots=True)
class NotStarted:
    """Nothing ran, and nothing will: whoever asked now owns the right to say so."""


@dataclass(frozen=True, slots=True)
class Alive:
    """The agent is running, or its wrapper is about to write how it ended."""


@dataclass(frozen=True, slots=True)
class Exited:
    """*code* as a shell gives it: 128 + n for signal n, of which Linux has 64."""

    code: int

    @property
    def signal(self) -> int | None:
        return self.code - 128 if 128 < self.code <= 128 + 64 else None


@dataclass(frozen=True, slots=True)
class Gone:
    """The process is not there and left no word: the machine went down with it, or its wrapper was killed."""


AgentState = NotStarted | Alive | Exited | Gone


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes of the spool; *end* is set when the agent has ended and these are the last."""

    data: bytes
    end: Exited | Gone | None = None
