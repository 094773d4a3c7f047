"""Case 44: a line of 9 MB is the whole answer, or a note and never a part of it, however it is written."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from core.model.events import Malformed, Message, ToolCall
from core.model.prompt import Status
from core.wire.lines import LINE_LIMIT
from tests.support.play_agent import Play, Step
from tests.support.whole import configured, roost, says, turn

HEAD = '{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"HEAD '
TAIL = ' TAIL-44"}}'
SIZE = 9_000_000


def long_line(size: int, *, paused: bool) -> list[Step]:
    head: list[Step] = [{"raw": base64.b64encode(HEAD.encode()).decode()}, {"sleep": 0.1}] if paused else []
    return [*head, {"fill": {"pre": "" if paused else HEAD, "char": "m", "n": size, "post": TAIL}}]


def commands() -> Step:
    """20 lines of 500 kB, in one write."""
    item = {"type": "command_execution", "command": "x", "aggregated_output": "o" * 500_000, "exit_code": 0}
    lines = [{"type": "item.completed", "item": {"id": f"c{number}", **item}} for number in range(20)]
    return {"raw": base64.b64encode("".join(json.dumps(line) + "\n" for line in lines).encode()).decode()}


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize("size", [SIZE, LINE_LIMIT])
async def test_the_line_and_what_follows_it(tmp_path: Path, size: int, paused: bool) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(*long_line(size, paused=paused), commands(), says("FINAL-44", "item_9")))
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        events = await whole.events(prompt.id)
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "FINAL-44"
    said = [event.text for event in events if isinstance(event, Message)]
    assert len([event for event in events if isinstance(event, ToolCall)]) == 20
    if size == SIZE:
        assert said == ["HEAD " + "m" * SIZE + " TAIL-44", "FINAL-44"]
    else:
        assert said == ["FINAL-44"]
        assert len([event for event in events if isinstance(event, Malformed)]) == 1
