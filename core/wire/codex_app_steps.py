"""The steps of a Codex turn that are under way: what a command has said so far, what an edit would change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import msgspec

from core.model.events import EngineEvent, Progress, ToolCall, ToolKind
from core.model.ids import ItemId
from core.wire.codex_app_items import FileChange
from core.wire.codex_items import OUTPUT, ItemLine

TELL_SECONDS = 1.0
"""How often a command's growing output is told, by the engine's own clock."""

_EDIT = msgspec.json.Decoder(ItemLine[FileChange])


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of files: the question about it names neither its files nor its diff."""

    title: str
    diff: str


@dataclass(slots=True)
class Running:
    call: ToolCall
    told: float = 0.0
    """When its output was told last, in seconds since the epoch."""


class Steps:
    """Commands and edits from their start to their end."""

    def __init__(self) -> None:
        self._running: dict[ItemId, Running] = {}
        self._edits: dict[str, Edit] = {}

    @property
    def edits(self) -> Mapping[str, Edit]:
        return self._edits

    def edits_in(self, kind: str, params: bytes) -> None:
        """Remember what the item of *kind* in *params* would change."""
        if kind == "fileChange":
            item = _EDIT.decode(params).item
            diffs = (f"{change.path}\n{change.diff}" for change in item.changes)
            self._edits[item.id] = Edit(", ".join(change.path for change in item.changes), "\n".join(diffs))

    def follow(self, events: Iterable[EngineEvent], *, ended: bool) -> Iterator[EngineEvent]:
        """*events* of one item; a command whose end tells no output keeps what was heard of it."""
        for event in events:
            if not isinstance(event, ToolCall):
                yield event
            elif ended:
                self._edits.pop(event.item, None)
                before = self._running.pop(event.item, None)
                yield replace(event, output=before.call.output) if before and not event.output else event
            else:
                if event.kind is ToolKind.EXECUTE:
                    self._running[event.item] = Running(event)
                yield event

    def more(self, item: ItemId, delta: str, at: float) -> Iterator[EngineEvent]:
        """The command of *item* said *delta*: told at once the first time, then once a second."""
        running = self._running.get(item)
        if running is None:
            return
        running.call = replace(running.call, output=(running.call.output + delta)[-OUTPUT:])
        if at - running.told >= TELL_SECONDS:
            running.told = at
            yield replace(running.call, progress=Progress.IN_PROGRESS)
