"""The items of a Codex turn as its app server words them: messages and steps."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from core.model.events import (
    EngineEvent,
    Progress,
    Reasoning,
    ToolCall,
    ToolKind,
)
from core.model.ids import ItemId
from core.wire import codex_items
from core.wire.codex_items import (
    AgentState,
    Content,
    Item,
    McpCall,
    Row,
    Text,
    agent_message,
    collab_tool_call,
    command_execution,
    edited,
    item,
    mcp_tool_call,
    tool,
    web_search,
)
from core.wire.codex_rpc import Camel
from core.wire.shapes import Named


class Thoughts(Item, frozen=True, gc=False, kw_only=True, rename="camel"):
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


class Command(codex_items.Command, frozen=True, gc=False, kw_only=True, rename="camel"):
    aggregated_output: str | None = None
    exit_code: int | None = None


class Change(Camel, frozen=True, gc=False):
    path: str
    kind: Named
    diff: str = ""


class FileChange(Item, frozen=True, gc=False, kw_only=True, rename="camel"):
    changes: tuple[Change, ...]


class DynamicCall(Item, frozen=True, gc=False, kw_only=True, rename="camel"):
    tool: str
    content_items: tuple[Content, ...] | None = None


class CollabCall(codex_items.CollabCall, frozen=True, gc=False, kw_only=True, rename="camel"):
    agents_states: dict[str, AgentState] = msgspec.field(default_factory=dict)


class AgentActivity(Item, frozen=True, gc=False, kw_only=True, rename="camel"):
    kind: str
    agent_thread_id: str
    agent_path: str


class WebSearch(codex_items.WebSearch, frozen=True, gc=False, kw_only=True):
    query: str = ""


class Picture(Item, frozen=True, gc=False, kw_only=True, rename="camel"):
    path: str = ""
    saved_path: str | None = None


AGENT_PROGRESS = {
    "started": Progress.IN_PROGRESS,
    "completed": Progress.COMPLETED,
    "interrupted": Progress.FAILED,
}


def reasoning(item: Thoughts, reached: Progress) -> Iterator[EngineEvent]:
    text = "\n\n".join(item.summary or item.content)
    if reached is Progress.COMPLETED and text:
        yield Reasoning(ItemId(item.id), text)


def file_change(item: FileChange, reached: Progress) -> Iterator[EngineEvent]:
    yield edited(item, [(change.path, change.kind.type) for change in item.changes], reached)


def dynamic_tool_call(item: DynamicCall, reached: Progress) -> Iterator[EngineEvent]:
    yield tool(item, ToolKind.OTHER, item.tool, reached, *(part.text for part in item.content_items or ()))


def agent_activity(item: AgentActivity, reached: Progress) -> Iterator[EngineEvent]:
    """A sub-agent from its start to its end, which are items of their own: its thread is the step."""
    if reached is Progress.COMPLETED and item.kind in AGENT_PROGRESS:
        step, progress = ItemId(item.agent_thread_id), AGENT_PROGRESS[item.kind]
        yield ToolCall(step, ToolKind.OTHER, item.agent_path.rsplit("/", 1)[-1], progress)


def image_view(item: Picture, reached: Progress) -> Iterator[EngineEvent]:
    yield ToolCall(ItemId(item.id), ToolKind.READ, item.path, reached, paths=(item.path,))


def image_generation(item: Picture, reached: Progress) -> Iterator[EngineEvent]:
    paths = (item.saved_path,) if item.saved_path else ()
    yield ToolCall(ItemId(item.id), ToolKind.OTHER, "image_generation", reached, paths=paths)


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
