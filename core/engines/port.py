"""What a turn of an engine is: how it starts, how its bytes read, how its failures sort."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from core.model.events import EngineEvent
from core.model.ids import SessionId
from core.model.launch import Launch
from core.model.project import Access


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a chat may offer where this engine works."""

    resume: bool = True
    images: bool = False
    steer: bool = False
    compact: bool = False
    fork: bool = False
    approvals: bool = False
    models: bool = False
    efforts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One turn to run. *text* is complete: the person's own words first, then our instruction.

    *images* are absolute paths on the host. *env* is the whole environment that the agent gets.
    """

    cwd: str
    text: str
    access: Access
    env: Mapping[str, str] = field(repr=False)
    session: SessionId | None = None
    model: str = ""
    effort: str = ""
    images: tuple[str, ...] = ()
    language: str = ""
    """The conversation's language ("en", "fr"), for an agent that answers in it by itself."""


class Failure(Enum):
    """How a failure text of the engine sorts (behaviour §3)."""

    RATE_LIMIT = auto()
    THREAD_WRITER = auto()
    SESSION_GONE = auto()
    LOGIN = auto()
    USAGE_LIMIT = auto()
    CONTEXT_FULL = auto()
    OTHER = auto()


class Decoder(Protocol):
    """Bytes in, events out; no I/O, nothing raised, however the bytes are cut."""

    def feed(self, data: bytes) -> list[EngineEvent]:
        """The events of every line that *data* completes."""

    def finish(self) -> list[EngineEvent]:
        """The events of a last line that was never ended."""

    @property
    def consumed(self) -> int:
        """How many of the bytes fed so far belong to whole lines: a new decoder may start there."""


class Engine(Protocol):
    """One agent program and the protocol it is driven by. No process and no I/O of its own."""

    @property
    def name(self) -> str: ...

    @property
    def label(self) -> str:
        """The program's name as its makers write it."""

    @property
    def command(self) -> tuple[str, ...]:
        """The words that start the program, as configured."""

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def env_names(self) -> Iterable[str]:
        """Variables of Roost's own environment that this engine needs."""

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch: ...

    def decoder(self) -> Decoder: ...

    def sort(self, text: str, *, resumed: bool) -> Failure:
        """Sort the engine's own failure text or stderr; never what the agent said."""
