"""Case 57: an agent that falls silent in mid-turn is ended after the set time, and its session is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, COMPLETED, STARTED, THREAD, configured, roost, says, turn

RAN: Step = {
    "json": {
        "type": "item.completed",
        "item": {"id": "item_1", "type": "command_execution", "command": "ls", "exit_code": 0},
    }
}


async def test_a_silence_beyond_the_limit_ends_the_turn_and_the_queue_goes_on(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, RAN, {"sleep": 60}, start=1)
    play.steps(*turn(says("after")))
    config = configured(tmp_path, play.command, first="silence_seconds = 1\n")
    async with roost(config) as whole, asyncio.timeout(20):
        silent, queued = [await whole.submit(text) for text in ("one", "two")]
        ended = await whole.ended(silent)
        assert (ended.status, ended.reason) == (Status.FAILED, "prompt.silent")
        assert (await whole.ended(queued)).status is Status.DONE
    assert play.starts[1].argv[-2] == THREAD


async def test_a_silence_within_the_limit_is_nothing(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, RAN, {"sleep": 1.5}, says("FINAL-57", "item_2"), COMPLETED)
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "FINAL-57"


async def test_it_can_be_cancelled_meanwhile(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, RAN, {"sleep": 60})
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(20):
        prompt = await whole.submit("one")
        while len(await whole.events(prompt)) < 4:
            await asyncio.sleep(0.02)
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
