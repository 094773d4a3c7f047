"""What a turn of an engine is: how it starts, how its bytes read, how its failures sort."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Protocol

from core.model.events import EngineEvent
from core.model.launch import Launch, Word
from core.model.request import TurnRequest


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a chat may offer where this engine works."""

    resume: bool = True
    images: bool = False
    inline: bool = False
    """Pictures are given in the words themselves; else the agent opens them by their path."""
    steer: bool = False
    compact: bool = False
    fork: bool = False
    approvals: bool = False
    models: bool = False
    efforts: tuple[str, ...] = ()


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


class Dialogue(Decoder, Protocol):
    """One turn of a protocol that is spoken in both directions: bytes in, events and words out, no I/O.

    After a restart of Roost a new one is fed all that the agent has said since the turn began. It then says
    the same words under the same keys, so that what already stands in the agent's input is passed over.
    """

    @property
    def offered(self) -> bool:
        """Whether the words of the prompt have been given out: from then on the session may have them."""

    def due(self) -> list[Word]:
        """The words that have become due, in order, each given out once. The first are due before anything
        was heard: they start the session where the process is new, and the turn."""

    def interrupt(self) -> None:
        """Ask the agent to end the turn, as soon as it can be asked; its terminal event follows."""

    def steer(self, text: str, key: str) -> None:
        """Say something to the running turn; *key* is unique in the agent's life."""

    @property
    def heard(self) -> frozenset[str]:
        """The keys of `steer` whose words the agent has taken."""

    @property
    def refused(self) -> frozenset[str]:
        """The keys of `steer` whose words the agent did not take: the turn was over."""

    def answer(self, question: str, choice: str, text: str = "") -> None:
        """Answer the `Asked` whose key is *question* with one of its choices, or with words of one's own. One
        that is not open any more is no error."""


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

    @property
    def spoken(self) -> bool:
        """Whether more is said to the agent than its first input."""

    @property
    def fallback(self) -> Engine | None:
        """Another way to the same program, for when this one fails before it has taken the words."""

    def launch(self, program: tuple[str, ...], request: TurnRequest) -> Launch:
        """*program* is `command` with its first word found on the host. What the dialogue says first is
        no part of it (`first_turn`)."""

    def dialogue(self, request: TurnRequest, turn: str, *, warm: bool = False) -> Dialogue:
        """*turn* is unique in the agent's life, and part of every key. *warm*: an earlier turn left the
        process with the session open."""

    def fixed(self, request: TurnRequest) -> tuple[object, ...]:
        """What can't change while a process that is spoken to lives."""

    def keys(self, told: bytes) -> set[str]:
        """The keys of the words that stand in an agent's input, of whole lines only."""

    def sort(self, text: str, *, resumed: bool) -> Failure:
        """Sort the engine's own failure text or stderr; never what the agent said."""


def first_turn(
    engine: Engine, program: tuple[str, ...], request: TurnRequest, turn: str
) -> tuple[Launch, Dialogue]:
    """How a new process starts, its first words in its input, and the dialogue of its first turn."""
    dialogue = engine.dialogue(request, turn)
    launch = engine.launch(program, request)
    said = b"".join(word.line for word in dialogue.due())
    return replace(launch, input=launch.input + said), dialogue
