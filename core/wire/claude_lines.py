"""The shapes of Claude Code's lines, as far as we need them (recorded with 2.1.332 and 2.1.197)."""

from __future__ import annotations

import msgspec

from core.wire.shapes import SessionName, Shape

NOTHING = msgspec.Raw(b"null")
SYNTHETIC = "<synthetic>"
"""The model of what Claude Code says by itself."""
DIAGNOSTIC = "[ede_diagnostic]"
"""How an internal line among the errors of an interrupted turn begins; nobody is shown it."""


class Session(Shape, frozen=True, gc=False):
    session_id: SessionName


class System(Shape, frozen=True, gc=False):
    subtype: str


class Init(Session, frozen=True, gc=False):
    model: str = ""
    user_message_uuids: tuple[str, ...] = ()


class ApiRetry(Shape, frozen=True, gc=False):
    attempt: int
    max_retries: int
    error_status: int | None = None
    error: str = ""


class Status(Shape, frozen=True, gc=False):
    status: str | None = None
    session_id: str = ""
    compact_result: str = ""
    compact_error: str = ""


class Boundary(Shape, frozen=True, gc=False):
    pre_tokens: int = 0
    post_tokens: int = 0


class CompactBoundary(Shape, frozen=True, gc=False):
    compact_metadata: Boundary = Boundary()


class PermissionDenied(Shape, frozen=True, gc=False):
    tool_name: str
    tool_use_id: str = ""
    message: str = ""


class TaskStarted(Shape, frozen=True, gc=False):
    tool_use_id: str = ""
    task_type: str = ""
    is_backgrounded: bool = False


class TaskNotification(Shape, frozen=True, gc=False):
    status: str
    tool_use_id: str = ""
    summary: str = ""


class StateChanged(Shape, frozen=True, gc=False):
    state: str


class Part(Shape, frozen=True, gc=False):
    type: str = ""
    text: str = ""


class Block(Shape, frozen=True, gc=False):
    """One block of a message; which fields it has depends on its type."""

    type: str
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = NOTHING
    tool_use_id: str = ""
    content: str | tuple[Part, ...] | None = None
    is_error: bool | None = None

    @property
    def said(self) -> str:
        """What a tool's result says."""
        if isinstance(self.content, tuple):
            return "\n".join(part.text for part in self.content if part.text)
        return self.content or ""


class AssistantMessage(Shape, frozen=True, gc=False):
    id: str
    content: tuple[Block, ...]
    model: str = ""
    usage: msgspec.Raw = NOTHING


class Outcome(Shape, frozen=True, gc=False):
    kind: str = ""


class Assistant(Shape, frozen=True, gc=False):
    """*error* names what went wrong where Claude Code itself says so in the assistant's place, the outcome
    stands on the words of a command of its own, such as `/compact`."""

    message: AssistantMessage
    parent_tool_use_id: str | None = None
    error: str | None = None
    local_command_outcome: Outcome = Outcome()


class UserMessage(Shape, frozen=True, gc=False):
    content: str | tuple[Block, ...]


class User(Shape, frozen=True, gc=False):
    message: UserMessage
    parent_tool_use_id: str | None = None


class Delta(Shape, frozen=True, gc=False):
    type: str = ""
    text: str = ""


class StartedMessage(Shape, frozen=True, gc=False):
    id: str
    usage: msgspec.Raw = NOTHING


class Event(Shape, frozen=True, gc=False):
    """One event of the model's own stream."""

    type: str
    index: int = 0
    delta: Delta = Delta()
    message: StartedMessage | None = None
    usage: msgspec.Raw = NOTHING


class StreamEvent(Shape, frozen=True, gc=False):
    event: Event
    parent_tool_use_id: str | None = None


class Tokens(Shape, frozen=True, gc=False):
    """As the model counts them: what was read from the cache, or written to it, is no part of the input."""

    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0

    @property
    def prompt(self) -> int:
        return self.input_tokens + self.cache_read_input_tokens + self.cache_creation_input_tokens


class ModelUse(Shape, frozen=True, gc=False):
    context_window: int = msgspec.field(default=0, name="contextWindow")
    cost: float = msgspec.field(default=0.0, name="costUSD")


class Denial(Shape, frozen=True, gc=False):
    tool_name: str
    tool_use_id: str = ""


class Origin(Shape, frozen=True, gc=False):
    kind: str = ""


class Result(Shape, frozen=True, gc=False):
    """*user_message_uuids*: the prompts that this answers. *origin* stands on what no prompt began."""

    subtype: str
    is_error: bool = False
    result: str | None = None
    errors: tuple[str, ...] = ()
    terminal_reason: str = ""
    api_error_status: int | None = None
    user_message_uuids: tuple[str, ...] = ()
    origin: Origin | None = None
    usage: msgspec.Raw = NOTHING
    model_usage: msgspec.Raw = msgspec.field(default=NOTHING, name="modelUsage")
    model_usage_since_last_result: msgspec.Raw = NOTHING
    permission_denials: msgspec.Raw = NOTHING


class Window(Shape, frozen=True, gc=False):
    """*utilization* is a fraction, *resets_at* in seconds since the epoch."""

    utilization: float = 0.0
    resets_at: float = msgspec.field(default=0.0, name="resetsAt")


class RateLimit(Shape, frozen=True, gc=False):
    status: str
    kind: str = msgspec.field(default="", name="rateLimitType")
    utilization: float | None = None
    resets_at: float = msgspec.field(default=0.0, name="resetsAt")
    windows: dict[str, Window] = msgspec.field(default_factory=dict, name="unifiedWindows")


class RateLimitEvent(Shape, frozen=True, gc=False):
    rate_limit_info: RateLimit


class Lifecycle(Shape, frozen=True, gc=False):
    """How far a line of ours with a `uuid` is."""

    command_uuid: str
    state: str
    session_id: str = ""


class ControlResponse(Shape, frozen=True, gc=False):
    subtype: str
    request_id: str = ""
    error: str = ""


class ControlAnswer(Shape, frozen=True, gc=False):
    response: ControlResponse


class Ask(Shape, frozen=True, gc=False):
    """What Claude Code asks us for: `can_use_tool`, or the `elicitation` of an MCP server, whose fields come
    last."""

    subtype: str
    tool_name: str = ""
    tool_use_id: str = ""
    input: msgspec.Raw = NOTHING
    permission_suggestions: msgspec.Raw = NOTHING
    decision_reason: str = ""
    description: str = ""
    mcp_server_name: str = ""
    message: str = ""
    mode: str = "form"
    url: str = ""
    requested_schema: msgspec.Raw = NOTHING


class ControlRequest(Shape, frozen=True, gc=False):
    request_id: str
    request: Ask


class ControlCancel(Shape, frozen=True, gc=False):
    request_id: str
