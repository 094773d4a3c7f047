"""What `cursor-agent --output-format stream-json` says, line by line, after its public documentation."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    Denied,
    EngineEvent,
    Message,
    Progress,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import ItemId, SessionId
from core.wire import todos
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT, Line
from core.wire.shapes import Handler, SessionName, Shape, decode, reads
from core.wire.tools import Step, Tool, step


class Init(Shape, frozen=True, gc=False):
    session_id: SessionName


class Part(Shape, frozen=True, gc=False):
    text: str = ""


class Said(Shape, frozen=True, gc=False):
    content: tuple[Part, ...]


class Assistant(Shape, frozen=True, gc=False):
    message: Said


class Outcome(Shape, frozen=True, gc=False):
    """What came of a shell command or of a refusal; other tools have other words, which are passed over."""

    stdout: str = ""
    stderr: str = ""
    code: int | None = msgspec.field(name="exitCode", default=None)
    reason: str = ""
    message: str = ""
    error: str = ""


class Call(Shape, frozen=True, gc=False):
    args: msgspec.Raw = msgspec.Raw(b"null")
    result: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict)
    name: str = ""
    arguments: str = ""


class ToolLine(Shape, frozen=True, gc=False):
    call_id: str
    tool_call: dict[str, msgspec.Raw]
    subtype: str


class Result(Shape, frozen=True, gc=False):
    subtype: str
    is_error: bool = False
    result: str = ""


TOOLS = {
    "shell": Tool(ToolKind.EXECUTE, "command"),
    "read": Tool(ToolKind.READ, "path", path=True),
    "write": Tool(ToolKind.EDIT, "path", path=True),
    "edit": Tool(ToolKind.EDIT, "path", path=True),
    "delete": Tool(ToolKind.DELETE, "path", path=True),
    "grep": Tool(ToolKind.SEARCH, "pattern"),
    "glob": Tool(ToolKind.SEARCH, "globPattern"),
    "ls": Tool(ToolKind.SEARCH, "path"),
    "semSearch": Tool(ToolKind.SEARCH, "query"),
    "webSearch": Tool(ToolKind.SEARCH, "query"),
    "webFetch": Tool(ToolKind.FETCH, "url"),
    "mcp": Tool(ToolKind.OTHER, "toolName"),
    "task": Tool(ToolKind.OTHER, "description"),
}
FUNCTION, SUFFIX = "function", "ToolCall"
TODO_TOOLS = frozenset(("updateTodos", "todo"))
WELL = "success"
REFUSED = frozenset(("rejected", "permissionDenied"))
_CALL = msgspec.json.Decoder(Call)
_OUTCOME = msgspec.json.Decoder(Outcome)
_NO_OUTCOME = Outcome()


def system(line: Init) -> Iterator[EngineEvent]:
    yield SessionStarted(SessionId(line.session_id))


def silent(_: Shape) -> Iterator[EngineEvent]:
    """The prompt's echo, and thoughts in pieces."""
    yield from ()


def assistant(line: Assistant) -> Iterator[EngineEvent]:
    yield TurnStarted()
    text = "".join(part.text for part in line.message.content)
    if text:
        yield Message(ItemId(""), text)


def tool_call(line: ToolLine) -> Iterator[EngineEvent]:
    """`{"shellToolCall": {"args": …, "result": {"success": …}}}` or `{"function": {"name", "arguments"}}`."""
    yield TurnStarted()
    name, arguments, call = _called(line.tool_call)
    plan = todos.plan(arguments) if name in TODO_TOOLS else None
    if not plan:
        yield from _step(line, step(TOOLS, name, arguments), call)
    elif line.subtype == "started":
        yield plan


def _called(tools: dict[str, msgspec.Raw]) -> tuple[str, msgspec.Raw, Call]:
    """The tool's name, its arguments, and the call as it stands there."""
    for key, raw in tools.items():
        if key == FUNCTION:
            call = _CALL.decode(raw)
            return call.name or key, msgspec.Raw(call.arguments.encode()), call
        if key.endswith(SUFFIX):
            call = _CALL.decode(raw)
            return key.removesuffix(SUFFIX), call.args, call
    return "tool", msgspec.Raw(b"null"), Call()


def _step(line: ToolLine, done: Step, call: Call) -> Iterator[EngineEvent]:
    outcome, raw = next(iter(call.result.items()), (WELL, msgspec.Raw(b"null")))
    try:
        came = _OUTCOME.decode(raw)
    except msgspec.DecodeError:
        came = _NO_OUTCOME
    progress = Progress.COMPLETED if outcome == WELL and not came.code else Progress.FAILED
    why = came.reason or came.message or came.error
    output = "\n".join(filter(None, (came.stdout.rstrip(), came.stderr.rstrip(), why)))
    yield ToolCall(
        item=ItemId(line.call_id),
        kind=done.kind,
        title=done.title,
        progress=Progress.IN_PROGRESS if line.subtype == "started" else progress,
        output=output[-OUTPUT_KEPT - SPARE :],
        exit_code=came.code,
        paths=done.paths,
    )
    if outcome in REFUSED:
        yield Denied(done.title, why)


def result(line: Result) -> Iterator[EngineEvent]:
    if line.is_error or line.subtype != WELL:
        yield TurnFailed(line.result or line.subtype)
    else:
        yield TurnStarted()
        yield TurnCompleted(line.result)


HANDLERS: dict[str, Handler] = {
    "system": reads(Init, system),
    "user": reads(Shape, silent),
    "thinking": reads(Shape, silent),
    "assistant": reads(Assistant, assistant),
    "tool_call": reads(ToolLine, tool_call),
    "result": reads(Result, result),
}


class CursorDecoder(LineDecoder):
    """Cursor's result glues all that it said in the turn together; the answer is what came after the last
    step, where this decoder heard it whole."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        super().__init__(lambda line: decode(line, HANDLERS), limit)
        self._since_step = ""
        self._messages = 0
        self._begun = self._ended = False

    def _events(self, line: Line) -> list[EngineEvent]:
        if self._ended:
            return []
        return [told for event in super()._events(line) for told in self._in_order(event)]

    def _in_order(self, event: EngineEvent) -> list[EngineEvent]:
        match event:
            case TurnStarted():
                begun, self._begun = self._begun, True
                return [] if begun else [event]
            case Message(_, text):
                self._since_step += text
                self._messages += 1
                return [Message(ItemId(f"message-{self._messages}"), text)]
            case ToolCall():
                self._since_step = ""
            case TurnCompleted(answer):
                self._ended = True
                return [TurnCompleted(self._last_words(answer or ""))]
            case TurnFailed():
                self._ended = True
        return [event]

    def _last_words(self, answer: str) -> str | None:
        said = self._since_step
        if said.strip() and answer.strip().endswith(said.strip()):
            return said
        return answer or None
