"""What `gemini -o stream-json` says, line by line (recorded with gemini-cli 0.61)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import msgspec

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    Denied,
    EngineEvent,
    Malformed,
    Message,
    MessageDelta,
    Notice,
    Progress,
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
from core.wire.tools import Tool, step


class Init(Shape, frozen=True, gc=False):
    session_id: SessionName


class Words(Shape, frozen=True, gc=False):
    role: str
    content: str


class ToolUse(Shape, frozen=True, gc=False):
    tool_name: str
    tool_id: str
    parameters: msgspec.Raw = msgspec.Raw(b"null")


class Trouble(Shape, frozen=True, gc=False):
    message: str
    type: str = ""


class ToolResult(Shape, frozen=True, gc=False):
    tool_id: str
    status: str
    output: str = ""
    error: Trouble | None = None


class Stats(Shape, frozen=True, gc=False):
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0


class Result(Shape, frozen=True, gc=False):
    status: str
    error: Trouble | None = None
    stats: msgspec.Raw = msgspec.Raw(b"null")


class Reason(Shape, frozen=True, gc=False):
    message: str
    code: int | str = ""
    status: str = ""


class Answer(Shape, frozen=True, gc=False):
    """The model endpoint's own words about a failure."""

    error: Reason


TOOLS = {
    "run_shell_command": Tool(ToolKind.EXECUTE, "command"),
    "read_file": Tool(ToolKind.READ, "file_path", path=True),
    "read_many_files": Tool(ToolKind.READ),
    "write_file": Tool(ToolKind.EDIT, "file_path", path=True),
    "replace": Tool(ToolKind.EDIT, "file_path", path=True),
    "glob": Tool(ToolKind.SEARCH, "pattern"),
    "grep_search": Tool(ToolKind.SEARCH, "pattern"),
    "search_file_content": Tool(ToolKind.SEARCH, "pattern"),
    "list_directory": Tool(ToolKind.SEARCH, "dir_path"),
    "google_web_search": Tool(ToolKind.SEARCH, "query"),
    "web_fetch": Tool(ToolKind.FETCH, "prompt"),
}
TODO_TOOL = "write_todos"
POLICY = frozenset(("policy_violation", "permission_denied", "path_not_in_workspace"))
POLICY_WORDS = ("Access denied: ", "Path not in workspace: ")
"""What Gemini's own policy refuses comes as wrong parameters, too (recorded)."""
ANSWER = ItemId("answer")
"""Gemini's messages have no names."""
_STATS = msgspec.json.Decoder(Stats)
_ANSWER = msgspec.json.Decoder(Answer)
_API_ERROR = re.compile(r"\[API Error: (.*)\]", re.DOTALL)


def init(line: Init) -> Iterator[EngineEvent]:
    yield SessionStarted(SessionId(line.session_id))


def message(line: Words) -> Iterator[EngineEvent]:
    """The prompt's echo says nothing: a session whose model failed before its first word hasn't got the
    prompt (tried)."""
    if line.role == "assistant":
        yield TurnStarted()
        yield MessageDelta(ANSWER, line.content)


def tool_use(line: ToolUse) -> Iterator[EngineEvent]:
    yield TurnStarted()
    plan = todos.plan(line.parameters) if line.tool_name == TODO_TOOL else None
    if plan:
        yield plan
        return
    begun = step(TOOLS, line.tool_name, line.parameters)
    yield ToolCall(ItemId(line.tool_id), begun.kind, begun.title, Progress.IN_PROGRESS, paths=begun.paths)


def tool_result(line: ToolResult) -> Iterator[EngineEvent]:
    """Of the tool only its id is told, which begins with its name."""
    name = line.tool_id.partition("__")[0]
    done = step(TOOLS, name, msgspec.Raw(b"null"))
    progress = Progress.COMPLETED if line.status == "success" else Progress.FAILED
    output = line.output or (line.error.message if line.error else "")
    kept = output[-OUTPUT_KEPT - SPARE :]
    if name != TODO_TOOL or progress is Progress.FAILED:
        yield ToolCall(ItemId(line.tool_id), done.kind, done.title, progress, kept)
    if line.error and (line.error.type in POLICY or line.error.message.startswith(POLICY_WORDS)):
        yield Denied(done.title, line.error.message)


def error(line: Trouble) -> Iterator[EngineEvent]:
    yield Notice(line.message)


def result(line: Result) -> Iterator[EngineEvent]:
    """The tokens are this turn's; no count of them costs the answer."""
    if line.status != "success":
        yield TurnFailed(_readable(line.error.message if line.error else line.status))
        return
    yield TurnStarted()
    with suppress(msgspec.DecodeError):
        used = _STATS.decode(line.stats)
        yield Usage(input=used.input_tokens, cached=used.cached, output=used.output_tokens)
    yield TurnCompleted()


def _readable(words: str) -> str:
    """`[API Error: {"error":{"code":401,"message":"M","status":"S"}}]` is `M (401 S)`."""
    found = _API_ERROR.fullmatch(words)
    if not found:
        return words
    try:
        reason = _ANSWER.decode(found[1]).error
    except msgspec.DecodeError:
        return found[1]
    about = f"{reason.code} {reason.status}".strip()
    return f"{reason.message} ({about})" if about else reason.message


HANDLERS: dict[str, Handler] = {
    "init": reads(Init, init),
    "message": reads(Words, message),
    "tool_use": reads(ToolUse, tool_use),
    "tool_result": reads(ToolResult, tool_result),
    "error": reads(Trouble, error),
    "result": reads(Result, result),
}


class GeminiStreamDecoder(LineDecoder):
    """Gemini tells a message in pieces only, and never whole. A new decoder could not know the pieces that
    an old one has read: so they are held, and `consumed` stays before them, until the message is over."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        super().__init__(lambda line: decode(line, HANDLERS), limit)
        self._pieces: list[str] = []
        self._held_at = 0
        self._read = 0
        self._messages = 0
        self._begun = self._ended = False
        self._calls: dict[ItemId, ToolCall] = {}
        self._call: ToolCall | None = None

    @property
    def consumed(self) -> int:
        return self._held_at if self._pieces else self._read

    def finish(self) -> list[EngineEvent]:
        """What was said before the end that nobody told."""
        return [*super().finish(), *self._message()]

    def _events(self, line: Line) -> list[EngineEvent]:
        start, self._read = self._read, super().consumed
        if self._ended:
            return []
        events = super()._events(line)
        if not self._pieces:
            self._held_at = start
        return [told for event in events for told in self._in_order(event)]

    def _in_order(self, event: EngineEvent) -> list[EngineEvent]:
        match event:
            case MessageDelta(_, text):
                self._pieces.append(text)
                return []
            case TurnStarted():
                begun, self._begun = self._begun, True
                return [] if begun else [event]
            case Unrecognised() | Malformed() | Notice():
                return [event]
            case ToolCall():
                self._call = self._completed(event)
                return [*self._message(), self._call]
            case Denied(title, why):
                return [Denied(self._call.title if self._call else title, why)]
            case TurnCompleted() | TurnFailed():
                self._ended = True
        return [*self._message(), event]

    def _message(self) -> list[EngineEvent]:
        text, self._pieces = "".join(self._pieces), []
        if not text.strip():
            return []
        self._messages += 1
        return [Message(ItemId(f"{ANSWER}-{self._messages}"), text)]

    def _completed(self, call: ToolCall) -> ToolCall:
        """With the title that its beginning had."""
        begun = self._calls.pop(call.item, call)
        if call.progress is Progress.IN_PROGRESS:
            self._calls[call.item] = call
        return replace(call, kind=begun.kind, title=begun.title, paths=begun.paths)
