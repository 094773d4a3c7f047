"""The list that an agent keeps with its own todo tool, as a plan."""

from __future__ import annotations

import msgspec

from core.model.events import PlanEntry, PlanUpdated, Progress
from core.wire.shapes import Shape


class Todo(Shape, frozen=True, gc=False):
    """OpenCode and Cursor call the words *content*, Gemini *description*."""

    content: str = ""
    description: str = ""
    status: str = ""


class Todos(Shape, frozen=True, gc=False):
    todos: tuple[Todo, ...]


PROGRESS = {
    "in_progress": Progress.IN_PROGRESS,
    "completed": Progress.COMPLETED,
    "cancelled": Progress.FAILED,
    "blocked": Progress.FAILED,
}
_TODOS = msgspec.json.Decoder(Todos)


def plan(arguments: msgspec.Raw) -> PlanUpdated | None:
    """The plan in a todo tool's *arguments*; None for what is none: a model wrote them."""
    try:
        todos = _TODOS.decode(arguments).todos
    except msgspec.DecodeError:
        return None
    return PlanUpdated(tuple(PlanEntry(_words(todo), progress(todo.status)) for todo in todos))


def progress(status: str) -> Progress:
    """Cursor writes `TODO_STATUS_IN_PROGRESS`."""
    return PROGRESS.get(status.lower().removeprefix("todo_status_"), Progress.PENDING)


def _words(todo: Todo) -> str:
    return todo.content or todo.description
