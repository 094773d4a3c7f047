"""Claude Code's to-do list in both shapes: written whole by `TodoWrite`, or task by task."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.model.events import PlanEntry, PlanUpdated, Progress
from core.wire.claude_tools import Input

PROGRESS = {"in_progress": Progress.IN_PROGRESS, "completed": Progress.COMPLETED}
TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"})
"""Tools that are no steps of the work."""

_CREATED = re.compile(r"Task #(\w+) created")
_LISTED = re.compile(r"^#(\w+) \[(\w+)\] (.*?)(?: \[blocked by .*\])?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of `TOOLS` that has not been answered yet."""

    name: str
    given: Input


class Plan:
    """The list as far as this turn told. A task's id is known from the answer to its creation, and what an
    earlier turn wrote from a `TaskList` only."""

    def __init__(self) -> None:
        self._tasks: dict[str, PlanEntry] = {}
        self._calls: dict[str, Call] = {}

    def called(self, item: str, name: str, given: Input) -> list[PlanUpdated]:
        if name == "TodoWrite":
            return [PlanUpdated(_todos(given.get("todos")))]
        self._calls[item] = Call(name, given)
        return []

    def answered(self, item: str, said: str) -> list[PlanUpdated] | None:
        """None where *item* is no call of a task tool."""
        call = self._calls.pop(item, None)
        if call is None:
            return None
        before = dict(self._tasks)
        self._apply(call, said)
        return [PlanUpdated(tuple(self._tasks.values()))] if self._tasks != before else []

    def _apply(self, call: Call, said: str) -> None:
        if call.name == "TaskCreate" and (found := _CREATED.search(said)):
            self._tasks[found[1]] = PlanEntry(str(call.given.get("subject", "")), Progress.PENDING)
        elif call.name == "TaskUpdate":
            self._update(str(call.given.get("taskId", "")), call.given)
        elif call.name == "TaskList":
            self._tasks |= {name: PlanEntry(text, _progress(state)) for name, state, text in _listed(said)}

    def _update(self, name: str, given: Input) -> None:
        known = self._tasks.get(name)
        if given.get("status") == "deleted":
            self._tasks.pop(name, None)
        elif known or given.get("subject"):
            known = known or PlanEntry("", Progress.PENDING)
            progress = _progress(given["status"]) if "status" in given else known.progress
            self._tasks[name] = PlanEntry(str(given.get("subject") or known.text), progress)


def _listed(said: str) -> list[tuple[str, str, str]]:
    return [(found[1], found[2], found[3]) for found in _LISTED.finditer(said)]


def _progress(status: object) -> Progress:
    return PROGRESS.get(str(status), Progress.PENDING)


def _todos(todos: object) -> tuple[PlanEntry, ...]:
    rows = todos if isinstance(todos, list) else []
    return tuple(
        PlanEntry(str(row.get("content", "")), _progress(row.get("status")))
        for row in rows
        if isinstance(row, dict)
    )
