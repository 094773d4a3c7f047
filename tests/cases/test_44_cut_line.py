"""Case 44: a long line arrives whole or not at all, never shortened, and what follows it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from core.model.events import EngineEvent, Malformed, Message, SessionStarted, ToolCall, TurnCompleted
from core.wire.codex_exec import CodexExecDecoder
from core.wire.lines import HEAD_KEPT, LINE_LIMIT

HEAD = b'{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"HEAD '
TAIL = b' TAIL-44"}}\n'


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def item(**fields: object) -> bytes:
    return line(type="item.completed", item=fields)


STARTED = line(type="thread.started", thread_id="01999999-0000-7000-8000-000000000001")
COMMANDS = b"".join(
    item(id=f"c{n}", type="command_execution", command="x", aggregated_output="o" * 500_000, exit_code=0)
    for n in range(20)
)
END = item(id="item_9", type="agent_message", text="FINAL-44") + line(type="turn.completed")


def at_once(data: bytes) -> Iterator[bytes]:
    yield data


def head_and_rest(data: bytes) -> Iterator[bytes]:
    place = data.index(HEAD) + len(HEAD)
    yield data[:place]
    yield data[place:]


def in_small_pieces(data: bytes) -> Iterator[bytes]:
    yield from (data[start : start + 4096] for start in range(0, len(data), 4096))


@pytest.mark.parametrize("arrive", [at_once, head_and_rest, in_small_pieces])
@pytest.mark.parametrize(("size", "whole"), [(9_000_000, True), (LINE_LIMIT, False)])
def test_a_long_line_is_complete_or_noted(arrive: type, size: int, whole: bool) -> None:
    decoder = CodexExecDecoder()
    data = STARTED + HEAD + b"m" * size + TAIL + COMMANDS + END
    events: list[EngineEvent] = [event for piece in arrive(data) for event in decoder.feed(piece)]
    assert isinstance(events[0], SessionStarted)
    if whole:
        assert isinstance(events[1], Message)
        assert events[1].text == "HEAD " + "m" * size + " TAIL-44"
    else:
        assert isinstance(events[1], Malformed)
        assert len(events[1].head) == HEAD_KEPT
    assert len([event for event in events if isinstance(event, ToolCall)]) == 20
    assert isinstance(events[-2], Message)
    assert events[-2].text == "FINAL-44"
    assert events[-1] == TurnCompleted()
    assert decoder.consumed == len(data)
