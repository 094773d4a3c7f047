"""Case 53: an answer that is streamed and told once more stands there once, without the remarks before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.codex import Codex
from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from core.engines.port import Engine
from core.model.events import Message, TurnCompleted
from tests.cases.oneshots import CHAT, THREAD, folded, lines, read
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn

LOOKING, ANSWER = "Looking at the files first. ", "ANSWER-53"


def cursor_says(text: str) -> dict[str, object]:
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}}


def cursor_step(subtype: str) -> dict[str, object]:
    tool = {"shellToolCall": {"args": {"command": "ls"}}}
    return {"type": "tool_call", "subtype": subtype, "call_id": "t1", "tool_call": tool}


def gemini_says(text: str) -> dict[str, object]:
    return {"type": "message", "role": "assistant", "content": text, "delta": True}


def codex_item(number: int, **item: object) -> dict[str, object]:
    return {"type": "item.completed", "item": {"id": f"item_{number}", **item}}


def opencode(kind: str, **part: object) -> dict[str, object]:
    return {"type": kind, "sessionID": CHAT, "part": part}


CURSOR = lines(
    {"type": "system", "session_id": CHAT},
    cursor_says(LOOKING),
    cursor_step("started"),
    cursor_step("completed"),
    cursor_says(ANSWER),
    {"type": "result", "subtype": "success", "is_error": False, "result": LOOKING + ANSWER},
)
GEMINI = lines(
    {"type": "init", "session_id": CHAT},
    gemini_says("Looking at "),
    gemini_says("the files first. "),
    {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "t", "parameters": {"command": "ls"}},
    {"type": "tool_result", "tool_id": "t", "status": "success", "output": "ok"},
    *(gemini_says(piece) for piece in ("ANS", "WER", "-5", "3")),
    {"type": "result", "status": "success"},
)
CODEX = lines(
    {"type": "thread.started", "thread_id": THREAD},
    {"type": "turn.started"},
    codex_item(1, type="agent_message", text=LOOKING),
    codex_item(2, type="command_execution", command="ls", exit_code=0, status="completed"),
    codex_item(3, type="agent_message", text=ANSWER),
    {"type": "turn.completed", "usage": {"input_tokens": 10}},
)
OPENCODE = lines(
    opencode("step_start"),
    opencode("text", id="p1", text=LOOKING),
    opencode("tool_use", tool="bash", callID="c", state={"status": "completed", "input": {"command": "ls"}}),
    opencode("step_finish", reason="tool-calls"),
    opencode("step_start"),
    opencode("text", id="p2", text=ANSWER),
    opencode("step_finish", reason="stop"),
)


@pytest.mark.parametrize(
    ("engine", "said"),
    [(Codex(), CODEX), (Cursor(), CURSOR), (GeminiStream(), GEMINI), (OpenCodeRun(), OPENCODE)],
)
def test_the_answer_stands_there_once(engine: Engine, said: bytes) -> None:
    events = read(engine, said)
    assert folded(events).answer == ANSWER
    assert [event.text for event in events if isinstance(event, Message)] == [LOOKING, ANSWER]
    assert isinstance(events[-1], TurnCompleted)


async def test_a_person_reads_it_once(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says(LOOKING), says(ANSWER, "item_2")))
    async with roost(configured(tmp_path, play.command)) as whole:
        assert await whole.shown((await whole.ask()).id) == ANSWER
