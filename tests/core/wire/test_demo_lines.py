"""The built-in agent's lines, in our words."""

from __future__ import annotations

import pytest

from core.model.events import (
    EngineEvent,
    Malformed,
    Message,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import ItemId, SessionId
from core.wire.demo import demo_decoder


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ('{"type":"session","id":"s"}', SessionStarted(SessionId("s"))),
        ('{"type":"turn"}', TurnStarted()),
        (
            '{"type":"plan","entries":[{"text":"look","state":"completed"}]}',
            PlanUpdated((PlanEntry("look", Progress.COMPLETED),)),
        ),
        (
            '{"type":"step","id":"1","kind":"edit","title":"a","state":"in_progress","paths":["a"]}',
            ToolCall(ItemId("1"), ToolKind.EDIT, "a", Progress.IN_PROGRESS, paths=("a",)),
        ),
        ('{"type":"delta","id":"a","text":"Hel"}', MessageDelta(ItemId("a"), "Hel")),
        ('{"type":"message","id":"a","text":"Hello"}', Message(ItemId("a"), "Hello")),
        ('{"type":"notice","text":"so"}', Notice("so")),
        ('{"type":"done"}', TurnCompleted()),
        ('{"type":"failed","text":"no"}', TurnFailed("no")),
    ],
)
def test_each_line_is_one_event(line: str, event: EngineEvent) -> None:
    assert demo_decoder().feed(f"{line}\n".encode()) == [event]


@pytest.mark.parametrize(
    "line",
    ['{"type":"step","id":"1","kind":"fly","title":"a","state":"pending"}', '{"type":"message"}'],
)
def test_a_wrong_shape_is_named(line: str) -> None:
    (event,) = demo_decoder().feed(f"{line}\n".encode())
    assert isinstance(event, Malformed)
    assert event.head == line
