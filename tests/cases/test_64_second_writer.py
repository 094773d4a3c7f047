"""Case 64: a session that another program holds is tried again, and never left for a new one."""

from __future__ import annotations

from pathlib import Path

from core.engines.codex import Codex
from core.engines.port import Failure
from core.model.events import PromptEnded, PromptStarted, Retrying
from core.model.prompt import Status
from core.store import log
from tests.support.play_agent import Play
from tests.support.whole import THREAD, configured, roost, says, turn

WRITER = f"Error: thread/resume failed: thread {THREAD} already has an active writer (code -32600)"


def test_it_is_named() -> None:
    assert Codex().sort(WRITER, resumed=True) is Failure.THREAD_WRITER


async def test_the_same_session_again(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("ok 64")))
    play.steps({"err": WRITER}, {"exit": 1}, start=2)
    async with roost(configured(tmp_path, play.command)) as whole:
        assert (await whole.ask()).status is Status.DONE
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        waits = [event for event in await whole.events(prompt.id) if isinstance(event, Retrying)]
        assert [wait.reason for wait in waits] == ["thread_writer"]
        assert (await whole.talk()).session == THREAD
    assert [start.argv[-3:] for start in play.starts[1:]] == [["resume", THREAD, "-"]] * 2


async def test_two_chats_on_one_session_take_turns(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("ok 64"), {"sleep": 0.3}))
    async with roost(configured(tmp_path, play.command)) as whole:
        asked = [await whole.submit("from Telegram"), await whole.submit("from Matrix")]
        assert [(await whole.ended(prompt)).status for prompt in asked] == [Status.DONE] * 2
        events, _ = await whole.app.store.read(log.read, whole.conversation, 0)
        kinds = [type(one.event) for one in events if isinstance(one.event, PromptStarted | PromptEnded)]
        assert kinds == [PromptStarted, PromptEnded] * 2
    first, second = play.starts
    assert "resume" not in first.argv
    assert second.argv[-3:] == ["resume", THREAD, "-"]
