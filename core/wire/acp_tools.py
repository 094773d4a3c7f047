"""The tool calls and plans of an ACP turn: what is new about one is laid over what was known of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    EngineEvent,
    PlanEntry,
    PlanUpdated,
    Progress,
    ToolCall,
    ToolKind,
)
from core.model.ids import ItemId
from core.wire import acp_shapes as shapes
from core.wire.acp_rpc import glean

PLAN_TOOLS = frozenset({"todowrite", "TodoWrite", "write_todos", "update_plan"})
"""Tools whose only work is the plan, by the title that they first have (OpenCode: `todowrite`)."""
ON_FILES = frozenset({ToolKind.READ, ToolKind.EDIT, ToolKind.DELETE, ToolKind.MOVE})
KINDS: dict[str, ToolKind] = {kind.value: kind for kind in ToolKind}
PROGRESS = {**{one.value: one for one in Progress}, "cancelled": Progress.FAILED}
DIFFED = 200_000
"""Characters of a file's two states together, beyond which no diff is made: it takes quadratic time."""


@dataclass(frozen=True, slots=True)
class Known:
    """*planning*: it only writes the plan, and is shown as that."""

    title: str = ""
    kind: ToolKind = ToolKind.OTHER
    progress: Progress = Progress.PENDING
    command: str = ""
    output: str = ""
    exit_code: int | None = None
    paths: tuple[str, ...] = ()
    planning: bool = False

    def call(self, item: str) -> ToolCall:
        return ToolCall(
            item=ItemId(item),
            kind=self.kind,
            title=self.title_shown,
            progress=self.progress,
            output=self.output[-OUTPUT_KEPT - SPARE :],
            exit_code=self.exit_code,
            paths=self.paths,
        )

    @property
    def title_shown(self) -> str:
        if self.kind is ToolKind.EXECUTE and self.command:
            return self.command
        if self.kind in ON_FILES and self.paths:
            return ", ".join(self.paths)
        return self.title or self.kind


class Tools:
    """All tool calls of one turn by the agent's ids; one that nobody announced is known from then on."""

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}
        self._plan: PlanUpdated | None = None

    def known(self, item: str) -> Known:
        return self._known.get(item, Known())

    def update(self, tool: shapes.Tool, *, asking: bool = False) -> Iterator[EngineEvent]:
        """What there is to tell of *tool*, once for each change. While it is *asking* for permission, its
        content is a reason and no output."""
        before = self._known.get(tool.tool_call_id)
        after = self._known[tool.tool_call_id] = _laid_over(before or Known(), tool)
        if asking:
            after = self._known[tool.tool_call_id] = replace(after, output=before.output if before else "")
        if entries := glean(shapes.TODOS, tool.raw_input, shapes.Todos()).todos:
            yield from self.plan(entries)
        if not after.planning and after != before:
            yield after.call(tool.tool_call_id)

    def fail(self, item: str) -> Iterator[EngineEvent]:
        """A person refused it; not every agent says so."""
        before = self._known.get(item)
        if before and not before.planning and before.progress is not Progress.FAILED:
            self._known[item] = after = replace(before, progress=Progress.FAILED)
            yield after.call(item)

    def plan(self, entries: Iterable[shapes.Entry]) -> Iterator[EngineEvent]:
        plan = PlanUpdated(
            tuple(PlanEntry(entry.content, PROGRESS.get(entry.status, Progress.PENDING)) for entry in entries)
        )
        if plan != self._plan:
            self._plan = plan
            yield plan


def _laid_over(known: Known, tool: shapes.Tool) -> Known:
    title = known.title if tool.title is None else tool.title
    output = _output(tool)
    return Known(
        title=title,
        kind=known.kind if tool.kind is None else KINDS.get(tool.kind, ToolKind.OTHER),
        progress=PROGRESS.get(tool.status or "", known.progress),
        command=shapes.arguments(tool.raw_input).words or known.command,
        output=known.output if output is None else output[-OUTPUT_KEPT - SPARE :],
        exit_code=known.exit_code if (code := _exit_code(tool)) is None else code,
        paths=_paths(tool) or known.paths,
        planning=known.planning or title in PLAN_TOOLS,
    )


def _exit_code(tool: shapes.Tool) -> int | None:
    """OpenCode tells it beside the output."""
    return glean(shapes.ENDED, tool.raw_output, shapes.Ended()).metadata.exit


def _paths(tool: shapes.Tool) -> tuple[str, ...]:
    """A command's location is where it runs; it is no path that it works on."""
    if tool.kind == ToolKind.EXECUTE:
        return ()
    named = [location.path for location in tool.locations or ()]
    changed = [part.path for part in tool.content or () if part.type == "diff"]
    return tuple(dict.fromkeys((*named, *changed)))


def _output(tool: shapes.Tool) -> str | None:
    """None where nothing is said of it."""
    raw = glean(shapes.OUTPUT, tool.raw_output, shapes.Output())
    return text(tool) or raw.output or raw.error or (None if tool.content is None else "")


def text(tool: shapes.Tool) -> str:
    """The words of a tool call's content."""
    blocks = [part.content for part in tool.content or () if part.content]
    return "\n".join(filter(None, (block.words for block in blocks)))


def diff(tool: shapes.Tool) -> str:
    """What a tool call would change: the agent's own diff, or ours of the two states that it gives."""
    if told := shapes.arguments(tool.raw_input).diff:
        return told
    return "\n".join(_diff(part) for part in tool.content or () if part.type == "diff")


def _diff(part: shapes.Part) -> str:
    old, new = part.old_text or "", part.new_text
    if len(old) + len(new) > DIFFED:
        return f"--- {part.path}\n+++ {part.path}"
    lines = unified_diff(old.splitlines(), new.splitlines(), part.path, part.path, lineterm="")
    return "\n".join(lines)


def arguments(tool: shapes.Tool) -> str:
    """What the tool would be given, as JSON that can be read; empty where it is not told."""
    raw = bytes(tool.raw_input)
    return "" if raw in (b"null", b"{}") else json.dumps(json.loads(raw), ensure_ascii=False, indent=1)
