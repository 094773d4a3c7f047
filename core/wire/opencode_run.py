"""What `opencode run --format json` says, line by line (recorded with opencode 1.18)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

import msgspec

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    Denied,
    EngineEvent,
    Malformed,
    Message,
    Notice,
    Progress,
    Reasoning,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
    Usage,
)
from core.model.ids import ItemId, SessionId
from core.wire import todos
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT, Line
from core.wire.shapes import Handler, SessionName, Shape, decode, reads
from core.wire.tools import Step, Tool, step


class InSession(Shape, frozen=True, gc=False, kw_only=True):
    session: SessionName = msgspec.field(name="sessionID")
    timestamp: float = 0


class Text(Shape, frozen=True, gc=False):
    id: str
    text: str
    synthetic: bool = False


class TextLine(InSession, frozen=True, gc=False, kw_only=True):
    part: Text


class ToolOutcome(Shape, frozen=True, gc=False):
    exit: int | None = None


class ToolState(Shape, frozen=True, gc=False):
    status: str
    input: msgspec.Raw = msgspec.Raw(b"null")
    output: str = ""
    error: str = ""
    title: str = ""
    metadata: ToolOutcome | None = None


class ToolPart(Shape, frozen=True, gc=False):
    tool: str
    call: str = msgspec.field(name="callID")
    state: ToolState


class ToolLine(InSession, frozen=True, gc=False, kw_only=True):
    part: ToolPart


class Cache(Shape, frozen=True, gc=False):
    read: int = 0
    write: int = 0


class Tokens(Shape, frozen=True, gc=False):
    total: int = 0
    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache: Cache = Cache()


class Finish(Shape, frozen=True, gc=False):
    reason: str = ""
    tokens: Tokens = Tokens()
    cost: float = 0.0


class FinishLine(InSession, frozen=True, gc=False, kw_only=True):
    part: Finish


class Reason(Shape, frozen=True, gc=False):
    message: str = ""
    status: int = msgspec.field(name="statusCode", default=0)
    headers: dict[str, str] = msgspec.field(name="responseHeaders", default_factory=dict)


class Fault(Shape, frozen=True, gc=False):
    name: str
    data: Reason = Reason()


class ErrorLine(InSession, frozen=True, gc=False, kw_only=True):
    error: Fault


TOOLS = {
    "bash": Tool(ToolKind.EXECUTE, "command"),
    "read": Tool(ToolKind.READ, "filePath", path=True),
    "write": Tool(ToolKind.EDIT, "filePath", path=True),
    "edit": Tool(ToolKind.EDIT, "filePath", path=True),
    "multiedit": Tool(ToolKind.EDIT, "filePath", path=True),
    "patch": Tool(ToolKind.EDIT),
    "apply_patch": Tool(ToolKind.EDIT),
    "glob": Tool(ToolKind.SEARCH, "pattern"),
    "grep": Tool(ToolKind.SEARCH, "pattern"),
    "list": Tool(ToolKind.SEARCH, "path"),
    "webfetch": Tool(ToolKind.FETCH, "url"),
    "websearch": Tool(ToolKind.SEARCH, "query"),
    "codesearch": Tool(ToolKind.SEARCH, "query"),
    "task": Tool(ToolKind.OTHER, "description"),
}
TODO_TOOL = "todowrite"
REJECTED = "The user rejected permission to use this specific tool call."
"""Nobody was there to be asked: OpenCode refuses, and the turn ends after that step, with exit code 0."""
FORBIDDEN = "The user has specified a rule which prevents you from using this specific tool call."
"""The model is told so, with the rules, and goes on."""
NO_OUTPUT = "(no output)"
PLAIN_NAMES = frozenset(("APIError", "UnknownError"))
"""Errors whose name says less than their message."""
GOES_ON = "tool-calls"
"""Why a step ends that another one follows."""


def step_start(_: InSession) -> Iterator[EngineEvent]:
    yield TurnStarted()


def text(line: TextLine) -> Iterator[EngineEvent]:
    """A synthetic text is what OpenCode tells the model after it made the context smaller."""
    if line.part.text.strip() and not line.part.synthetic:
        yield Message(ItemId(line.part.id), line.part.text)


def reasoning(line: TextLine) -> Iterator[EngineEvent]:
    yield Reasoning(ItemId(line.part.id), line.part.text)


def tool_use(line: ToolLine) -> Iterator[EngineEvent]:
    """Comes when the tool has finished. A rejection is the turn's end unless something follows."""
    part, state = line.part, line.part.state
    plan = todos.plan(state.input) if part.tool == TODO_TOOL and state.status == "completed" else None
    if plan:
        yield plan
        return
    done = step(TOOLS, part.tool, state.input, state.title)
    denial = next((why for why in (REJECTED, FORBIDDEN) if state.error.startswith(why)), "")
    yield _call(part, done, denial or state.error)
    if denial:
        yield Denied(done.title, denial)
    if denial == REJECTED:
        yield TurnFailed(REJECTED)


def _call(part: ToolPart, done: Step, error: str) -> ToolCall:
    state = part.state
    code = state.metadata.exit if state.metadata else None
    output = (state.output if state.output != NO_OUTPUT else "") or error
    well = state.status == "completed" and not code
    progress = Progress.COMPLETED if well else Progress.FAILED
    kept = output[-OUTPUT_KEPT - SPARE :]
    return ToolCall(ItemId(part.call), done.kind, done.title, progress, kept, code, done.paths)


def step_finish(line: FinishLine) -> Iterator[EngineEvent]:
    """The tokens and the cost are this step's."""
    used, cost = line.part.tokens, line.part.cost
    yield Usage(
        input=used.input + used.cache.read + used.cache.write,
        cached=used.cache.read,
        output=used.output,
        reasoning=used.reasoning,
        context=used.total,
        cost=cost,
    )
    if line.part.reason != GOES_ON:
        yield TurnCompleted()


def error(line: ErrorLine) -> Iterator[EngineEvent]:
    """A model was asked where a status tells how it answered: then the session holds the prompt (tried)."""
    fault, said = line.error, line.error.data
    if said.status:
        yield TurnStarted()
    message = said.message or fault.name
    if fault.name not in PLAIN_NAMES and said.message:
        message = f"{fault.name}: {said.message}"
    if said.status:
        message = f"{message} (HTTP {said.status})"
    yield TurnFailed(message, _until(line.timestamp, said.headers.get("retry-after", "")))


def _until(told_at: float, seconds: str) -> float:
    """*told_at* in milliseconds since the epoch."""
    return told_at / 1000 + int(seconds) if told_at and seconds.isdecimal() else 0.0


L = TypeVar("L", bound=InSession)


def _says(shape: type[L], tell: Callable[[L], Iterator[EngineEvent]]) -> Handler:
    """A handler whose line names its session, as every line does."""

    def told(line: L) -> Iterator[EngineEvent]:
        yield SessionStarted(SessionId(line.session))
        yield from tell(line)

    return reads(shape, told)


HANDLERS: dict[str, Handler] = {
    "step_start": _says(InSession, step_start),
    "text": _says(TextLine, text),
    "reasoning": _says(TextLine, reasoning),
    "tool_use": _says(ToolLine, tool_use),
    "step_finish": _says(FinishLine, step_finish),
    "error": _says(ErrorLine, error),
}


End = TurnCompleted | TurnFailed


class OpenCodeRunDecoder(LineDecoder):
    """OpenCode has no last word: its exit ends the turn. So what may be the end is held, with all that
    follows it, until another step begins or the stream ends; meanwhile `consumed` stays before its line.
    Tokens and cost are added up over the steps that this decoder saw."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        super().__init__(lambda line: decode(line, HANDLERS), limit)
        self._told: set[EngineEvent] = set()
        self._spent = Usage(0, 0, 0)
        self._held: list[EngineEvent] = []
        self._held_at = 0
        self._read = 0

    @property
    def consumed(self) -> int:
        return self._held_at if self._held else self._read

    def finish(self) -> list[EngineEvent]:
        events = super().finish()
        held, self._held = self._held, []
        return [*events, *_concluded(held)]

    def _events(self, line: Line) -> list[EngineEvent]:
        start, self._read = self._read, super().consumed
        events = super()._events(line)
        if all(isinstance(event, Unrecognised | Malformed) for event in events):
            return events
        released: list[EngineEvent] = []
        if TurnStarted() in events:
            released, self._held = _softened(self._held), []
        fresh = [self._counted(event) for event in events if self._is_new(event)]
        if not self._held and not any(isinstance(event, End) for event in fresh):
            return released + fresh
        if not self._held:
            self._held_at = start
        self._held += fresh
        return released

    def _is_new(self, event: EngineEvent) -> bool:
        """Each line names the session, and each step begins like a turn."""
        if not isinstance(event, SessionStarted | TurnStarted):
            return True
        told = event in self._told
        self._told.add(event)
        return not told

    def _counted(self, event: EngineEvent) -> EngineEvent:
        if not isinstance(event, Usage):
            return event
        spent = self._spent
        self._spent = replace(
            event,
            input=spent.input + event.input,
            cached=spent.cached + event.cached,
            output=spent.output + event.output,
            reasoning=spent.reasoning + event.reasoning,
            cost=spent.cost + event.cost,
        )
        return self._spent


def _softened(events: list[EngineEvent]) -> list[EngineEvent]:
    """*events* when the turn went on after all: an error was a warning, and a denial is told already."""
    denied = {event.why for event in events if isinstance(event, Denied)}
    kept = [
        Notice(event.text) if isinstance(event, TurnFailed) and event.text not in denied else event
        for event in events
    ]
    return [event for event in kept if not isinstance(event, End)]


def _concluded(held: list[EngineEvent]) -> list[EngineEvent]:
    """*held* when nothing follows it: its last end is the turn's."""
    ends = [place for place, event in enumerate(held) if isinstance(event, End)]
    if not ends:
        return held
    last = ends[-1]
    return [*_softened(held[:last] + held[last + 1 :]), held[last]]
