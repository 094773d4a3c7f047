"""Case 52: a stream that stops without its last word is no success, and nothing that it said is lost."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from bot.endings import nothing
from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from core.engines.port import Engine
from core.model.events import (
    Denied,
    Progress,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import ItemId
from core.model.prompt import Status
from core.store import conversations
from core.store.turns import Ending
from tests.cases.oneshots import CHAT, folded, lines, read
from tests.support.at_work import at_work
from tests.support.fake_chat import FakeChat
from tests.support.hand_clock import HandClock
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, STARTED, configured, roost, says, turn

OPEN: Step = {
    "json": {
        "type": "item.started",
        "item": {"id": "item_1", "type": "command_execution", "command": "make", "status": "in_progress"},
    }
}
CURSOR = lines(
    {"type": "system", "session_id": CHAT},
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "TEXT-52"}]}},
)
GEMINI = lines(
    {"type": "init", "session_id": CHAT},
    {"type": "message", "role": "assistant", "content": "TEXT-52", "delta": True},
)
OPENCODE = lines(
    {"type": "step_start", "sessionID": CHAT},
    {"type": "text", "sessionID": CHAT, "part": {"id": "p", "text": "TEXT-52"}},
)


def raw(step: Step) -> Step:
    """The line of *step* without its end."""
    return {"raw": base64.b64encode(json.dumps(step["json"]).encode()).decode()}


@pytest.mark.parametrize(
    ("engine", "said"), [(Cursor(), CURSOR), (GeminiStream(), GEMINI), (OpenCodeRun(), OPENCODE)]
)
def test_the_last_line_counts_without_its_end_and_ends_no_turn(engine: Engine, said: bytes) -> None:
    events = read(engine, said.rstrip(b"\n"))
    assert folded(events).answer == "TEXT-52"
    assert not [event for event in events if isinstance(event, TurnCompleted | TurnFailed)]


async def test_a_message_without_its_line_end_is_kept_and_marked(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, OPEN, raw(says("TEXT-52", "item_2")), {"exit": 0})
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert (prompt.status, prompt.reason) == (Status.FAILED, "prompt.ended_early")
        answer = await whole.answer(prompt.id)
        assert (answer.text, answer.partial) == ("TEXT-52", True)
        shown = await whole.shown(prompt.id)
        assert "TEXT-52" in shown
        assert "Codex ended early" in shown


@pytest.mark.parametrize("code", [0, 1])
async def test_nothing_at_all_is_told_with_the_last_of_stderr(tmp_path: Path, code: int) -> None:
    play = Play(tmp_path / "play")
    play.steps({"err": "first line"}, {"err": "LAST-WORDS-52"}, {"exit": code})
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert (prompt.status, prompt.reason) == (Status.FAILED, "prompt.no_answer")
        shown = await whole.shown(prompt.id)
        assert "LAST-WORDS-52" in shown
        assert f"exit {code}" in shown


async def test_a_turn_of_steps_alone_says_that_there_is_no_text(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(OPEN))
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert await whole.app.store.read(conversations.answer_to, prompt.id) is None
        assert nothing(whole.app.texts("en")).markdown == "Done, without a word."


DENIED: list[Step] = [
    {"json": {"type": "system", "subtype": "init", "session_id": CHAT, "model": "m"}},
    {
        "json": {
            "type": "assistant",
            "message": {
                "id": "m1",
                "content": [{"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": "/a"}}],
            },
        }
    },
    {
        "json": {
            "type": "user",
            "message": {
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "content": "Permission denied",
                        "is_error": True,
                    }
                ]
            },
        }
    },
    {
        "json": {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "result": "",
            "session_id": CHAT,
            "permission_denials": [{"tool_name": "Write", "tool_use_id": "t1"}],
        }
    },
    {"exit": 0},
]


async def test_a_turn_whose_one_step_was_refused_says_so(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*DENIED)
    config = configured(tmp_path, play.command, 'transport = "exec"\n', engine="claude")
    async with roost(config, engine="claude") as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        events = await whole.events(prompt.id)
        assert Denied("Write") in events
        (*_, step) = (event for event in events if isinstance(event, ToolCall))
        assert (step.progress, step.output) == (Progress.FAILED, "Permission denied")


async def test_what_was_under_way_is_shown_as_ended_with_its_turn(tmp_path: Path) -> None:
    chat, clock = FakeChat(), HandClock()
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        chat.writes("Go")
        await work.passes()
        (started,) = await work.starts()
        call = ToolCall(ItemId("1"), ToolKind.EXECUTE, "make", Progress.IN_PROGRESS)
        await work.tells(started, TurnStarted(), call)
        await work.passes(3)
        assert "▸ Running make" in chat.reads()[0]
        await work.ends(started, Ending(Status.FAILED, "TEXT-52", reason="prompt.ended_early"))
        await work.passes(3)
        assert not [said for said in chat.reads() if "▸" in said]
        assert chat.buttons().count("Stop") == 0
