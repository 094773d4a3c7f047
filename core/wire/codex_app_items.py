"""The items of a Codex turn as its app server words them: messages and steps."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    EngineEvent,
    Message,
    Progress,
    Reasoning,
    ToolCall,
    ToolKind,
)
from core.model.ids import ItemId
from core.wire.codex_items import Row, item
from core.wire.codex_rpc import Camel
from core.wire.shapes import Named
from core.wire.shell import script

OUTPUT = OUTPUT_KEPT + SPARE
"""Characters of a step's output that go on, from its end."""


class Item(Camel, frozen=True, gc=False, kw_only=True):
    id: str
    status: str = ""


class Text(Item, frozen=True, gc=False, kw_only=True):
    text: str


class Thoughts(Item, frozen=True, gc=False, kw_only=True):
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


class Command(Item, frozen=True, gc=False, kw_only=True):
    command: str
    aggregated_output: str | None = None
    exit_code: int | None = None


class Change(Camel, frozen=True, gc=False):
    path: str
    kind: Named
    diff: str = ""


class FileChange(Item, frozen=True, gc=False, kw_only=True):
    changes: tuple[Change, ...]


class Content(Camel, frozen=True, gc=False):
    text: str = ""


class McpResult(Camel, frozen=True, gc=False):
    content: tuple[Content, ...] = ()


class Trouble(Camel, frozen=True, gc=False):
    message: str


class McpCall(Item, frozen=True, gc=False, kw_only=True):
    server: str
    tool: str
    result: McpResult | None = None
    error: Trouble | None = None


class DynamicCall(Item, frozen=True, gc=False, kw_only=True):
    tool: str
    content_items: tuple[Content, ...] | None = None


class AgentState(Camel, frozen=True, gc=False):
    message: str | None = None


class CollabCall(Item, frozen=True, gc=False, kw_only=True):
    tool: str
    prompt: str | None = None
    agents_states: dict[str, AgentState] = msgspec.field(default_factory=dict)


class AgentActivity(Item, frozen=True, gc=False, kw_only=True):
    kind: str
    agent_thread_id: str
    agent_path: str


class WebSearch(Item, frozen=True, gc=False, kw_only=True):
    query: str = ""


class Picture(Item, frozen=True, gc=False, kw_only=True):
    path: str = ""
    saved_path: str | None = None


PROGRESS = {
    "inProgress": Progress.IN_PROGRESS,
    "completed": Progress.COMPLETED,
    "failed": Progress.FAILED,
    "declined": Progress.FAILED,
    "interrupted": Progress.FAILED,
}

AGENT_PROGRESS = {
    "started": Progress.IN_PROGRESS,
    "completed": Progress.COMPLETED,
    "interrupted": Progress.FAILED,
}


def agent_message(item: Text, reached: Progress) -> Iterator[EngineEvent]:
    if reached is Progress.COMPLETED:
        yield Message(ItemId(item.id), item.text)


def reasoning(item: Thoughts, reached: Progress) -> Iterator[EngineEvent]:
    text = "\n\n".join(item.summary or item.content)
    if reached is Progress.COMPLETED and text:
        yield Reasoning(ItemId(item.id), text)


def command_execution(item: Command, reached: Progress) -> Iterator[EngineEvent]:
    yield ToolCall(
        item=ItemId(item.id),
        kind=ToolKind.EXECUTE,
        title=script(item.command),
        progress=PROGRESS.get(item.status, reached),
        output=(item.aggregated_output or "")[-OUTPUT:],
        exit_code=item.exit_code,
    )


def file_change(item: FileChange, reached: Progress) -> Iterator[EngineEvent]:
    paths = tuple(change.path for change in item.changes)
    deleted = bool(paths) and all(change.kind.type == "delete" for change in item.changes)
    yield ToolCall(
        item=ItemId(item.id),
        kind=ToolKind.DELETE if deleted else ToolKind.EDIT,
        title=", ".join(paths),
        progress=PROGRESS.get(item.status, reached),
        paths=paths,
    )


def mcp_tool_call(item: McpCall, reached: Progress) -> Iterator[EngineEvent]:
    said = [part.text for part in item.result.content] if item.result else []
    failed = [item.error.message] if item.error else []
    yield _tool(item, ToolKind.OTHER, f"{item.server}.{item.tool}", reached, *said, *failed)


def dynamic_tool_call(item: DynamicCall, reached: Progress) -> Iterator[EngineEvent]:
    yield _tool(item, ToolKind.OTHER, item.tool, reached, *(part.text for part in item.content_items or ()))


def collab_tool_call(item: CollabCall, reached: Progress) -> Iterator[EngineEvent]:
    """A sub-agent is started, told something, awaited or ended; its own turn is on a thread of its own."""
    said = [state.message or "" for state in item.agents_states.values()]
    yield _tool(item, ToolKind.OTHER, item.tool, reached, item.prompt or "", *said)


def agent_activity(item: AgentActivity, reached: Progress) -> Iterator[EngineEvent]:
    """A sub-agent from its start to its end, which are items of their own: its thread is the step."""
    if reached is Progress.COMPLETED and item.kind in AGENT_PROGRESS:
        step, progress = ItemId(item.agent_thread_id), AGENT_PROGRESS[item.kind]
        yield ToolCall(step, ToolKind.OTHER, item.agent_path.rsplit("/", 1)[-1], progress)


def web_search(item: WebSearch, reached: Progress) -> Iterator[EngineEvent]:
    """What is searched for is known at its end only."""
    yield _tool(item, ToolKind.SEARCH, item.query or "web_search", reached)


def image_view(item: Picture, reached: Progress) -> Iterator[EngineEvent]:
    yield ToolCall(ItemId(item.id), ToolKind.READ, item.path, reached, paths=(item.path,))


def image_generation(item: Picture, reached: Progress) -> Iterator[EngineEvent]:
    paths = (item.saved_path,) if item.saved_path else ()
    yield ToolCall(ItemId(item.id), ToolKind.OTHER, "image_generation", reached, paths=paths)


def _tool(item: Item, kind: ToolKind, title: str, reached: Progress, *said: str) -> ToolCall:
    progress = PROGRESS.get(item.status, reached)
    return ToolCall(ItemId(item.id), kind, title, progress, "\n".join(filter(None, said))[-OUTPUT:])


ITEMS: dict[str, Row] = {
    "agentMessage": item(Text, agent_message),
    "plan": item(Text, agent_message),
    "reasoning": item(Thoughts, reasoning),
    "commandExecution": item(Command, command_execution),
    "fileChange": item(FileChange, file_change),
    "mcpToolCall": item(McpCall, mcp_tool_call),
    "dynamicToolCall": item(DynamicCall, dynamic_tool_call),
    "collabAgentToolCall": item(CollabCall, collab_tool_call),
    "subAgentActivity": item(AgentActivity, agent_activity),
    "webSearch": item(WebSearch, web_search),
    "imageView": item(Picture, image_view),
    "imageGeneration": item(Picture, image_generation),
}
SILENT_ITEMS = frozenset(
    (
        *("userMessage", "contextCompaction"),  # `core.wire.codex_app` has an eye on them
        *("hookPrompt", "functionCallOutput", "sleep"),
        *("enteredReviewMode", "exitedReviewMode"),
    )
)
