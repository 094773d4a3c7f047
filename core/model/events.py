"""What can happen in a turn: one closed union that every decoder writes and every chat reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from core.model.ids import ItemId, SessionId
from core.model.prompt import Status
from core.model.repository import Order


class ToolKind(StrEnum):
    """What a tool call does, in ACP's words."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    OTHER = "other"


class Progress(StrEnum):
    """How far a tool call or a plan entry is."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """The engine named its session; repeated on resume."""

    session: SessionId


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The session took the prompt: from here on it is never sent a second time."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    item: ItemId
    text: str


@dataclass(frozen=True, slots=True)
class MessageDelta:
    item: ItemId
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A whole message of the agent. The last one of a turn is its answer, the others are commentary."""

    item: ItemId
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One step. *title* is the command line, the path or the tool's name; *output* its last part,
    at most `OUTPUT_KEPT` characters."""

    item: ItemId
    kind: ToolKind
    title: str
    progress: Progress
    output: str = ""
    exit_code: int | None = None
    paths: tuple[str, ...] = ()


OUTPUT_KEPT = 4_000
HEAD_KEPT = 200
KIND_KEPT = 100
SPARE = 4_000
"""What decoders keep beyond that: a secret is masked before the rest is cut, or half of it would be shown."""


@dataclass(frozen=True, slots=True)
class PlanEntry:
    text: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class PlanUpdated:
    entries: tuple[PlanEntry, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the engine counts them. *cumulative*: the session's running total, not this turn's.
    *context* is how much of the model's *window* is used now; *cost* is the turn's in US dollars. 0 is what
    the engine does not tell."""

    input: int
    cached: int
    output: int
    reasoning: int = 0
    window: int = 0
    cumulative: bool = False
    context: int = 0
    cost: float = 0.0

    @property
    def fullness(self) -> float | None:
        """How much of the model's window is used, from 0 to 1; None where the engine doesn't tell."""
        if self.window <= 0 or (self.cumulative and not self.context):
            return None
        return min(1.0, (self.context or self.input + self.output) / self.window)


@dataclass(frozen=True, slots=True)
class Compacted:
    """The engine made its context smaller, by itself or on request. Tokens, 0 where it does not tell."""

    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class LimitWindow:
    """How much of an account's allowance is used. *span* and *resets_at* (since the epoch) in seconds, 0
    where the engine does not tell."""

    percent: float
    span: float = 0.0
    resets_at: float = 0.0


@dataclass(frozen=True, slots=True)
class LimitsUpdated:
    """What is left of the account, as the engine tells."""

    windows: tuple[LimitWindow, ...]


class Grant(StrEnum):
    """What choosing an answer to the agent means; `OPTION` is one of its own answers to its own question."""

    ONCE = "once"
    ALWAYS = "always"
    DENY = "deny"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class Choice:
    """*id* goes back to the agent, *label* is the agent's word for it, empty where Roost has its own."""

    id: str
    grant: Grant
    label: str = ""


class AskKind(StrEnum):
    """What the agent wants to know."""

    COMMAND = "command"
    EDIT = "edit"
    TOOL = "tool"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Asked:
    """The agent waits for a person's word. *key* names the question within the agent's life. *title* is the
    command, the paths or the question, never cut; *reason* the agent's own why; *detail* a diff or the
    tool's arguments. *free*: any text answers it, too."""

    key: str
    kind: AskKind
    title: str
    choices: tuple[Choice, ...]
    reason: str = ""
    detail: str = ""
    free: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """Nobody has to answer question *key* any more: it was answered, or the engine took it back."""

    key: str


@dataclass(frozen=True, slots=True)
class Denied:
    """A policy of the engine's own refused the agent a step; nobody was asked."""

    title: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """The engine warns; the turn goes on."""

    text: str


@dataclass(frozen=True, slots=True)
class Unrecognised:
    """A line of a kind that this version does not know."""

    kind: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is not what its kind promises; *head* is its beginning."""

    head: str
    why: str


@dataclass(frozen=True, slots=True)
class TurnCompleted:
    """The turn ended well. *answer* is None where the last message is the answer."""

    answer: str | None = None


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended badly, in the engine's own words. *until*: when a limit ends (seconds since the epoch),
    as far as the engine says."""

    text: str
    until: float = 0.0


EngineEvent = (
    SessionStarted
    | TurnStarted
    | Reasoning
    | MessageDelta
    | Message
    | ToolCall
    | PlanUpdated
    | Usage
    | Compacted
    | LimitsUpdated
    | Asked
    | Resolved
    | Denied
    | Notice
    | Unrecognised
    | Malformed
    | TurnCompleted
    | TurnFailed
)
"""What a decoder may say."""


@dataclass(frozen=True, slots=True)
class PromptAccepted:
    """Stored; *ahead* prompts of its conversation wait or run before it."""

    ahead: int


@dataclass(frozen=True, slots=True)
class PromptStarted:
    """It holds its place and an agent is being started for it."""

    engine: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """It waits *delay* seconds (monotonic) and tries again: try *attempt* of *attempts*. *until*: when the
    limit that it waits for ends (seconds since the epoch), 0 where nobody says."""

    reason: Literal["rate_limit", "thread_writer", "busy", "usage_limit"]
    delay: float
    attempt: int
    attempts: int
    until: float = 0.0


@dataclass(frozen=True, slots=True)
class Recovering:
    """The session is gone (the same message runs in a new one), the machine went down, or the program is
    reached another way."""

    reason: Literal["session_gone", "interrupted", "never_started", "transport"]


@dataclass(frozen=True, slots=True)
class Leftovers:
    """What the turn left running, by program name; ended unless the project allows it."""

    programs: tuple[str, ...]
    ended: bool


@dataclass(frozen=True, slots=True)
class OrdersFound:
    """What the project's own files make agents run or obey, and *more* of that kind; told before the first
    turn there, and *again* when it has changed."""

    orders: tuple[Order, ...]
    more: int = 0
    again: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer is stored as message number *message*."""

    message: int


@dataclass(frozen=True, slots=True)
class PromptEnded:
    """*reason* is a key into the locales, *detail* the engine's own words."""

    status: Status
    reason: str = ""
    detail: str = ""


RoostEvent = (
    PromptAccepted | PromptStarted | Retrying | Recovering | Leftovers | OrdersFound | Answered | PromptEnded
)
"""What Roost itself adds to the log."""

Event = EngineEvent | RoostEvent

EVENT_TYPES: dict[str, type[Event]] = {
    "session.started": SessionStarted,
    "turn.started": TurnStarted,
    "item.reasoning": Reasoning,
    "item.message.delta": MessageDelta,
    "item.message": Message,
    "item.tool": ToolCall,
    "plan.updated": PlanUpdated,
    "usage.updated": Usage,
    "context.compacted": Compacted,
    "limits.updated": LimitsUpdated,
    "approval.asked": Asked,
    "approval.resolved": Resolved,
    "approval.denied": Denied,
    "engine.notice": Notice,
    "engine.unrecognised": Unrecognised,
    "engine.malformed": Malformed,
    "turn.completed": TurnCompleted,
    "turn.failed": TurnFailed,
    "queue.accepted": PromptAccepted,
    "queue.started": PromptStarted,
    "queue.retrying": Retrying,
    "queue.recovering": Recovering,
    "turn.leftovers": Leftovers,
    "project.orders": OrdersFound,
    "prompt.answered": Answered,
    "prompt.ended": PromptEnded,
}
"""The names under which events stand in the log; people script against them."""

TYPE_NAMES: dict[type[Event], str] = {kind: name for name, kind in EVENT_TYPES.items()}
