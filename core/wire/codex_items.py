"""The items of a Codex turn as `codex exec --json` words them: messages, steps and plans. What its app server
words alike, `core.wire.codex_app_items` takes from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

import msgspec

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    EngineEvent,
    Message,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    Reasoning,
    ToolCall,
    ToolKind,
)
from core.model.ids import ItemId
from core.wire.shapes import Handler, Shape
from core.wire.shell import script

OUTPUT = OUTPUT_KEPT + SPARE
"""Characters of a step's output that go on, from its end."""


class Item(Shape, frozen=True, gc=False, kw_only=True):
    id: str
    status: str = ""


class Text(Item, frozen=True, gc=False, kw_only=True):
    text: str


class Command(Item, frozen=True, gc=False, kw_only=True):
    command: str
    aggregated_output: str | None = None
    exit_code: int | None = None


class Change(Shape, frozen=True, gc=False):
    path: str
    kind: str


class FileChange(Item, frozen=True, gc=False, kw_only=True):
    changes: list[Change]


class Todo(Shape, frozen=True, gc=False):
    text: str
    completed: bool


class TodoList(Item, frozen=True, gc=False, kw_only=True):
    items: list[Todo]


class WebSearch(Item, frozen=True, gc=False, kw_only=True):
    query: str


class Content(Shape, frozen=True, gc=False):
    text: str = ""


class McpResult(Shape, frozen=True, gc=False):
    content: tuple[Content, ...] = ()


class Trouble(Shape, frozen=True, gc=False):
    message: str


class McpCall(Item, frozen=True, gc=False, kw_only=True):
    server: str
    tool: str
    result: McpResult | None = None
    error: Trouble | None = None


class AgentState(Shape, frozen=True, gc=False):
    message: str | None = None


class CollabCall(Item, frozen=True, gc=False, kw_only=True):
    tool: str
    prompt: str | None = None
    agents_states: dict[str, AgentState] = msgspec.field(default_factory=dict)


class Caution(Item, frozen=True, gc=False, kw_only=True):
    message: str


PROGRESS = {
    "in_progress": Progress.IN_PROGRESS,
    "inProgress": Progress.IN_PROGRESS,
    "completed": Progress.COMPLETED,
    "failed": Progress.FAILED,
    "declined": Progress.FAILED,
    "interrupted": Progress.FAILED,
}
"""In the words of either protocol."""


def agent_message(item: Text, reached: Progress) -> Iterator[EngineEvent]:
    if reached is Progress.COMPLETED:
        yield Message(ItemId(item.id), item.text)


def reasoning(item: Text, reached: Progress) -> Iterator[EngineEvent]:
    if reached is Progress.COMPLETED:
        yield Reasoning(ItemId(item.id), item.text)


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
    yield edited(item, [(change.path, change.kind) for change in item.changes], reached)


def edited(item: Item, changes: Sequence[tuple[str, str]], reached: Progress) -> ToolCall:
    """*changes*: each path, and what became of it."""
    paths = tuple(path for path, _ in changes)
    deleted = bool(paths) and all(kind == "delete" for _, kind in changes)
    return ToolCall(
        item=ItemId(item.id),
        kind=ToolKind.DELETE if deleted else ToolKind.EDIT,
        title=", ".join(paths),
        progress=PROGRESS.get(item.status, reached),
        paths=paths,
    )


def todo_list(item: TodoList, _: Progress) -> Iterator[EngineEvent]:
    yield PlanUpdated(
        tuple(
            PlanEntry(todo.text, Progress.COMPLETED if todo.completed else Progress.PENDING)
            for todo in item.items
        )
    )


def web_search(item: WebSearch, reached: Progress) -> Iterator[EngineEvent]:
    """What is searched for is known at its end only."""
    yield tool(item, ToolKind.SEARCH, item.query or "web_search", reached)


def mcp_tool_call(item: McpCall, reached: Progress) -> Iterator[EngineEvent]:
    said = [part.text for part in item.result.content] if item.result else []
    failed = [item.error.message] if item.error else []
    yield tool(item, ToolKind.OTHER, f"{item.server}.{item.tool}", reached, *said, *failed)


def collab_tool_call(item: CollabCall, reached: Progress) -> Iterator[EngineEvent]:
    """A sub-agent is started, told something, awaited or ended; its own turn is on a thread of its own."""
    said = [state.message or "" for state in item.agents_states.values()]
    yield tool(item, ToolKind.OTHER, item.tool, reached, item.prompt or "", *said)


def error(item: Caution, _: Progress) -> Iterator[EngineEvent]:
    yield Notice(item.message)


def tool(item: Item, kind: ToolKind, title: str, reached: Progress, *said: str) -> ToolCall:
    """A step that has no more to it than *title* and what was *said* of it."""
    progress = PROGRESS.get(item.status, reached)
    return ToolCall(ItemId(item.id), kind, title, progress, "\n".join(filter(None, said))[-OUTPUT:])


AnyItem = TypeVar("AnyItem", bound=Shape)
Row = Callable[[Progress], Handler]


class ItemLine(Shape, Generic[AnyItem], frozen=True, gc=False):
    item: AnyItem


def item(shape: type[AnyItem], tell: Callable[[AnyItem, Progress], Iterator[EngineEvent]]) -> Row:
    """A row of the table: *tell* is given the item and how far its line says that it is."""
    decoder = msgspec.json.Decoder(ItemLine[shape])  # type: ignore[valid-type]
    return lambda reached: lambda line: tell(decoder.decode(line).item, reached)


ITEMS: dict[str, Row] = {
    "agent_message": item(Text, agent_message),
    "reasoning": item(Text, reasoning),
    "command_execution": item(Command, command_execution),
    "file_change": item(FileChange, file_change),
    "todo_list": item(TodoList, todo_list),
    "web_search": item(WebSearch, web_search),
    "mcp_tool_call": item(McpCall, mcp_tool_call),
    "collab_tool_call": item(CollabCall, collab_tool_call),
    "error": item(Caution, error),
}
