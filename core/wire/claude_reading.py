"""What Claude Code says of a turn, line by line, all but where the turn ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

import msgspec

from core.model.events import (
    Compacted,
    Denied,
    EngineEvent,
    LimitsUpdated,
    LimitWindow,
    Message,
    MessageDelta,
    Notice,
    Reasoning,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
    Usage,
)
from core.model.ids import ItemId, SessionId
from core.wire.claude_lines import (
    DIAGNOSTIC,
    SYNTHETIC,
    ApiRetry,
    Assistant,
    Block,
    CompactBoundary,
    Denial,
    Init,
    ModelUse,
    PermissionDenied,
    RateLimit,
    RateLimitEvent,
    Result,
    StateChanged,
    Status,
    StreamEvent,
    System,
    TaskNotification,
    TaskStarted,
    Tokens,
    User,
)
from core.wire.claude_plan import TOOLS as PLAN_TOOLS
from core.wire.claude_plan import Plan
from core.wire.claude_tools import arguments, ended, step
from core.wire.shapes import KIND_KEPT, Handler, reads

SPANS = {"five_hour": 5 * 3600.0, "seven_day": 7 * 86400.0}
"""How long the windows of an account's allowance are, in seconds; others are seven days of one model."""
PASSED_OVER = ("tool_progress", "tool_use_summary", "keep_alive", "prompt_suggestion")
QUIET = (
    "thinking_tokens",
    "task_progress",
    "task_updated",
    "background_tasks_changed",
    "ui_invalidate",
    "elicitation_complete",
)
INTERRUPTED = "[Request interrupted by user"

_SUBTYPE = msgspec.json.Decoder(System)
_TOKENS = msgspec.json.Decoder(Tokens)
_MODELS = msgspec.json.Decoder(dict[str, ModelUse])
_DENIALS = msgspec.json.Decoder(tuple[Denial, ...])
T = TypeVar("T")


def _read(decoder: msgspec.json.Decoder[T], raw: msgspec.Raw, other: T) -> T:
    """Numbers beside the point: no wrong shape of theirs costs the line."""
    with suppress(msgspec.ValidationError):
        return decoder.decode(raw)
    return other


class Reading:
    """The lines of one turn. What sub-agents say is no message of the turn, what they do are its steps."""

    def __init__(self) -> None:
        self.started = False
        """Whether the session took the prompt. Claude Code writes a prompt into its session 50 ms after it
        asked the model: an answer of the model, of whatever kind, is the first sure sign."""
        self.told: set[str] = set()
        """The calls whose refusal was told or asked for already."""
        self.busy: bool | None = None
        """Whether the process works, by its own account; None where it gives none."""
        self._session = ""
        self._model = ""
        self._message = ("", 0)
        self._streamed = ""
        self._answer: str | None = None
        self._calls: dict[str, ToolCall] = {}
        self._apart: set[str] = set()
        self._unheard = False
        self._plan = Plan()
        self._context = Tokens()
        self._spent = Usage(0, 0, 0)
        self._limit_ends = 0.0
        self._interrupted = self._failed_command = ""
        self._system: dict[str, Handler] = {
            "init": reads(Init, self._init),
            "status": reads(Status, self._status),
            "api_retry": reads(ApiRetry, self._api_retry),
            "compact_boundary": reads(CompactBoundary, self._compacted),
            "permission_denied": reads(PermissionDenied, self._permission_denied),
            "task_started": reads(TaskStarted, self._task_started),
            "task_notification": reads(TaskNotification, self._task_ended),
            "session_state_changed": reads(StateChanged, self._state_changed),
            **dict.fromkeys(QUIET, _nothing),
        }
        self.handlers: dict[str, Handler] = {
            "system": self._system_line,
            "stream_event": reads(StreamEvent, self._stream),
            "assistant": reads(Assistant, self._assistant),
            "user": reads(User, self._user),
            "rate_limit_event": reads(RateLimitEvent, self._limits),
            **dict.fromkeys(PASSED_OVER, _nothing),
        }

    @property
    def awaits_agents(self) -> bool:
        """Whether a sub-agent has still to report, so that the agent will speak once more by itself."""
        return bool(self._apart) or self._unheard

    # --- the session ---------------------------------------------------------------------------------------

    def session(self, name: str) -> Iterator[EngineEvent]:
        """Told once; Claude Code repeats it for every prompt."""
        if name and name != self._session:
            self._session = name
            yield SessionStarted(SessionId(name))

    def take(self) -> Iterator[EngineEvent]:
        """The session took the prompt."""
        if not self.started:
            self.started = True
            yield TurnStarted()

    def _system_line(self, line: bytes) -> Iterable[EngineEvent]:
        kind = _SUBTYPE.decode(line).subtype
        handler = self._system.get(kind)
        return handler(line) if handler else [Unrecognised(f"system/{kind}"[:KIND_KEPT])]

    def state(self, line: bytes) -> Iterable[EngineEvent]:
        """Of a system line only whether the process works: what it works at is another turn's."""
        return self._system_line(line) if b'"session_state_changed"' in line else ()

    def _init(self, line: Init) -> Iterator[EngineEvent]:
        self._model = line.model
        yield from self.session(line.session_id)

    def _status(self, line: Status) -> Iterator[EngineEvent]:
        if line.status == "compacting":
            yield from self.session(line.session_id)
            yield from self.take()
        elif line.status == "requesting":
            self._unheard = False  # what sub-agents reported goes with this request
        if line.compact_error:
            yield Notice(line.compact_error)

    def _api_retry(self, line: ApiRetry) -> Iterator[EngineEvent]:
        yield from self.take()
        what = " ".join(filter(None, (str(line.error_status or ""), line.error)))
        yield Notice(f"{what} ({line.attempt}/{line.max_retries})")

    def _compacted(self, line: CompactBoundary) -> Iterator[EngineEvent]:
        yield from self.take()
        yield Compacted(line.compact_metadata.pre_tokens, line.compact_metadata.post_tokens)

    def _state_changed(self, line: StateChanged) -> Iterator[EngineEvent]:
        self.busy = line.state != "idle"
        yield from ()

    def _limits(self, line: RateLimitEvent) -> Iterator[EngineEvent]:
        limit = line.rate_limit_info
        self._limit_ends = limit.resets_at if limit.status == "rejected" else 0.0
        if windows := _windows(limit):
            yield LimitsUpdated(windows)

    # --- what it says --------------------------------------------------------------------------------------

    def _stream(self, line: StreamEvent) -> Iterator[EngineEvent]:
        if line.parent_tool_use_id is not None:
            return
        event = line.event
        if event.type == "message_start" and event.message:
            self._streamed = event.message.id
            self._context = _read(_TOKENS, event.message.usage, self._context)
            yield from self.take()
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            yield MessageDelta(ItemId(f"{self._streamed}:{event.index}"), event.delta.text)
        elif event.type == "message_delta":
            self._count_output(_read(_TOKENS, event.usage, Tokens()).output_tokens)

    def _count_output(self, tokens: int) -> None:
        self._context = msgspec.structs.replace(self._context, output_tokens=tokens)

    def _assistant(self, line: Assistant) -> Iterator[EngineEvent]:
        yield from self.take()
        main = line.parent_tool_use_id is None
        if line.local_command_outcome.kind == "failed":
            self._failed_command = "\n".join(block.text for block in line.message.content)
            return
        if main and line.message.model != SYNTHETIC:
            self._context = _read(_TOKENS, line.message.usage, self._context)
        for block in line.message.content:
            item = self._item(line.message.id) if main else ItemId(block.id)
            if block.type == "tool_use":
                yield from self._tool_use(block, main=main)
            elif main and not line.error:
                yield from self._said(item, block)

    def _said(self, item: ItemId, block: Block) -> Iterator[EngineEvent]:
        if block.type == "text" and block.text:
            self._answer = block.text
            yield Message(item, block.text)
        elif block.type == "thinking" and block.thinking:
            yield Reasoning(item, block.thinking)

    def _item(self, message: str) -> ItemId:
        """Blocks have no names of their own: they come one a line, in the order of the stream's indices."""
        known, count = self._message
        count = count + 1 if message == known else 0
        self._message = (message, count)
        return ItemId(f"{message}:{count}")

    # --- what it does --------------------------------------------------------------------------------------

    def _tool_use(self, block: Block, *, main: bool) -> Iterator[EngineEvent]:
        given = arguments(block.input)
        if block.name not in PLAN_TOOLS:
            self._calls[block.id] = call = step(block.id, block.name, given)
            yield call
        elif main:
            yield from self._plan.called(block.id, block.name, given)

    def _user(self, line: User) -> Iterator[EngineEvent]:
        content = line.message.content
        for block in content if isinstance(content, tuple) else ():
            if block.type == "tool_result":
                yield from self._tool_result(block)
            elif block.type == "text" and block.text.startswith(INTERRUPTED):
                self._interrupted = block.text

    def _tool_result(self, block: Block) -> Iterator[EngineEvent]:
        item = block.tool_use_id
        planned = self._plan.answered(item, block.said)
        if planned is not None:
            yield from planned
        elif item not in self._apart and (call := self._calls.pop(item, None)):
            yield ended(call, block.said, failed=bool(block.is_error))

    def _task_started(self, line: TaskStarted) -> Iterator[EngineEvent]:
        """A sub-agent that works on beside the turn: the result of its call says no more than that."""
        if line.task_type == "local_agent" and line.is_backgrounded:
            self._apart.add(line.tool_use_id)
        yield from ()

    def _task_ended(self, line: TaskNotification) -> Iterator[EngineEvent]:
        if line.tool_use_id not in self._apart:
            return
        self._apart.discard(line.tool_use_id)
        self._unheard = line.status == "completed"
        if call := self._calls.pop(line.tool_use_id, None):
            yield ended(call, line.summary, failed=line.status != "completed")

    def _permission_denied(self, line: PermissionDenied) -> Iterator[EngineEvent]:
        yield from self._denied(line.tool_use_id, line.tool_name, line.message)

    def _denied(self, item: str, name: str, why: str) -> Iterator[EngineEvent]:
        if item not in self.told:
            self.told.add(item)
            call = self._calls.get(item)
            yield Denied(call.title if call else name, why)

    # --- how it ended --------------------------------------------------------------------------------------

    def result(self, line: Result) -> Iterator[EngineEvent]:
        """What a `result` tells beside the outcome."""
        if line.terminal_reason:  # it stands on what went through the model: the prompt is in the session
            yield from self.take()
        if not line.terminal_reason.startswith("aborted"):
            for denial in _read(_DENIALS, line.permission_denials, ()):
                yield from self._denied(denial.tool_use_id, denial.tool_name, "")
        yield from self._usage(line)

    def _usage(self, line: Result) -> Iterator[EngineEvent]:
        """Tokens and cost are those of the turn: of all its results, where it has several."""
        spent = _read(_TOKENS, line.usage, Tokens())
        models = _read(_MODELS, line.model_usage, {})
        since = _read(_MODELS, line.model_usage_since_last_result, {})
        if not spent.prompt and not self._context.prompt:
            return
        self._spent = Usage(
            input=self._spent.input + spent.prompt,
            cached=self._spent.cached + spent.cache_read_input_tokens,
            output=self._spent.output + spent.output_tokens,
            window=self._window(models),
            context=self._context.prompt + self._context.output_tokens,
            cost=self._spent.cost + sum(model.cost for model in since.values()),
        )
        yield self._spent

    def _window(self, models: dict[str, ModelUse]) -> int:
        own = models.get(self._model)
        return own.context_window if own else max((one.context_window for one in models.values()), default=0)

    def outcome(self, line: Result) -> TurnCompleted | TurnFailed:
        """`subtype: success` may stand on a failure: `is_error` counts."""
        if line.is_error:
            limit = self._limit_ends if line.api_error_status == 429 else 0.0
            return TurnFailed(self._trouble(line), until=limit)
        if self._failed_command:
            return TurnFailed(self._failed_command)
        said = (line.result or "").strip()
        return TurnCompleted(said if said and said != (self._answer or "").strip() else None)

    def _trouble(self, line: Result) -> str:
        errors = [error for error in line.errors if not error.startswith(DIAGNOSTIC)]
        said = line.result or "\n".join(errors) or self._interrupted
        return said or line.terminal_reason or line.subtype


def _nothing(_: bytes) -> Iterable[EngineEvent]:
    return ()


def _windows(limit: RateLimit) -> tuple[LimitWindow, ...]:
    if limit.windows:
        return tuple(
            LimitWindow(100 * one.utilization, SPANS.get(name, SPANS["seven_day"]), one.resets_at)
            for name, one in limit.windows.items()
        )
    if limit.utilization is None and limit.status != "rejected":
        return ()
    used = 1.0 if limit.utilization is None else limit.utilization
    return (LimitWindow(100 * used, SPANS.get(limit.kind, 0.0), limit.resets_at),)
