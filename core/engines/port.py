"""What a turn of an engine is: how it starts, how its bytes read, how its failures sort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Generic, Protocol, TypeVar

from core.model.events import EngineEvent
from core.model.ids import SessionId
from core.model.launch import Launch, Word
from core.model.offers import Model
from core.model.project import Access
from core.model.request import TurnRequest
from core.model.sessions import Said, SessionInfo

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


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
    enforced: frozenset[Access] = frozenset()
    """The access levels that the program holds whatever its model does, by a sandbox of its own, say. Of any
    other it is asked, and a command that it runs can do more (tried: `tests/e2e/test_access.py`)."""

    def only_asked(self, access: Access) -> bool:
        """Whether nothing but the agent's own good will keeps it to *access*; full access keeps nobody."""
        return access is not Access.FULL and access not in self.enforced


class Failure(Enum):
    """How a failure text of the engine sorts (behaviour §3)."""

    RATE_LIMIT = auto()
    THREAD_WRITER = auto()
    BUSY = auto()
    SESSION_GONE = auto()
    LOGIN = auto()
    USAGE_LIMIT = auto()
    CONTEXT_FULL = auto()
    MODEL = auto()
    SERVICE = auto()
    VERSION = auto()
    ROOT = auto()
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


class Query(Protocol[T_co]):
    """One question to a new process of an engine, outside any turn: bytes in, words out, no I/O."""

    @property
    def over(self) -> bool:
        """Whether the agent has answered, or has said that it won't."""

    @property
    def found(self) -> tuple[T_co, ...]:
        """The answer, once it is over; nothing where there is none."""

    @property
    def failed(self) -> str:
        """Why there is no answer, in the agent's words; empty where there is one."""

    def due(self) -> list[Word]:
        """The words that have become due, in order, each given out once."""

    def feed(self, data: bytes) -> list[EngineEvent]:
        """Hear *data*; what it gives is for the log alone."""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """What needs no question: an engine keeps it in the files of *folder* whose names match *pattern*.
    *read* makes values of the lines of one of them; of a long file there may be its ends alone."""

    folder: str
    pattern: str
    read: Callable[[Sequence[bytes]], Sequence[T]]


class Asking(Protocol):
    """What can be asked of an engine outside any turn; None where it can't. *env* is what its agents get."""

    def models(self, env: Mapping[str, str]) -> Query[Model]:
        """The models that it offers, best first."""

    def sessions(self, cwd: str, env: Mapping[str, str]) -> Query[SessionInfo] | Kept[SessionInfo] | None:
        """The sessions that were begun in the directory *cwd*, by whomever."""

    def history(
        self, session: SessionId, cwd: str, env: Mapping[str, str]
    ) -> Query[Said] | Kept[Said] | None:
        """What was said in one of them, oldest first."""


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

    @property
    def asking(self) -> Asking | None:
        """What can be asked of it outside any turn, if anything can."""

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
    return replace(launch, input=launch.input + said, offers=not launch.spoken or dialogue.offered), dialogue
