"""Case 74: an agent that the kernel kills ends its prompt with a word, and the queue goes on."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, STARTED, THREAD, configured, roost, says, turn

STEP = {
    "id": "item_1", "type": "command_execution", "command": "make -j8", "aggregated_output": "",
    "exit_code": 0, "status": "completed",
}  # fmt: skip


async def test_it_is_told_the_session_is_kept_and_the_next_one_runs(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    step = {"json": {"type": "item.completed", "item": STEP}}
    play.steps(STARTED, BEGUN, step, {"kill_self": "KILL"}, start=1)
    play.steps(*turn(says("on we go")))
    async with roost(configured(tmp_path, play.command)) as whole:
        killed, queued = await whole.submit("build"), await whole.submit("next")
        ended = await whole.ended(killed)
        assert (ended.status, ended.reason, ended.detail) == (Status.FAILED, "prompt.killed", "9")
        shown = await whole.shown(killed)
        assert "signal 9" in shown
        assert "memory" in shown
        assert (await whole.talk()).session == THREAD
        assert (await whole.ended(queued)).status is Status.DONE
    assert len(play.starts) == 2
    assert THREAD in play.starts[1].argv


@pytest.mark.parametrize("name", ["TERM", "SEGV", "KILL"])
async def test_only_what_the_kernel_does_is_laid_to_memory(tmp_path: Path, name: str) -> None:
    play, number = Play(tmp_path / "play"), signal.Signals[f"SIG{name}"]
    play.steps(STARTED, BEGUN, {"kill_self": name})
    async with roost(configured(tmp_path, play.command)) as whole:
        shown = await whole.shown((await whole.ask()).id)
    assert f"signal {int(number)}" in shown
    assert ("memory" in shown) is (name == "KILL")


async def test_a_high_exit_code_is_no_signal(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, {"err": "Error: spawn failed"}, {"exit": 255})
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert (prompt.reason, prompt.detail) == ("prompt.no_answer", "Error: spawn failed\nexit 255")
