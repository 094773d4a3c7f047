"""Case 73: a wall clock that jumps by days ends no turn, shortens no wait and changes no order."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from bot.live import Ended
from core.model.ids import PromptId
from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, STARTED, SwiftClock, Whole, configured, roost, says, turn, until

DAY, HOUR = 86_400.0, 3_600.0
SENT = 1_790_000_000.0


@dataclass
class JumpingClock(SwiftClock):
    """Its wall is *ahead* by as much as a test says, and by 14 days more after every wait."""

    ahead: float = 0.0

    def now(self) -> float:
        return super().now() + self.ahead + 14 * DAY * len(self.waited)


async def shown_at_the_end(whole: Whole, prompt: PromptId) -> Ended:
    (*_, last) = [view async for view in whole.app.watch(prompt)]
    assert isinstance(last, Ended)
    return last


async def test_a_turn_goes_on_through_every_jump_and_its_time_is_the_real_one(tmp_path: Path) -> None:
    play, go = Play(tmp_path / "play"), tmp_path / "go"
    play.steps({"read_stdin": "eof"}, *turn({"wait_for": str(go)}, says("FINAL-73")))
    clock = JumpingClock(ahead=-14 * DAY)
    async with roost(configured(tmp_path, play.command), clock=clock) as whole:
        first = await whole.submit("prompt", now=SENT)
        older = await whole.submit("older", now=SENT - 14 * DAY)
        shown = asyncio.create_task(shown_at_the_end(whole, first))
        for jump in (0.0, -HOUR, 14 * DAY):
            await until(lambda: bool(play.starts))
            await asyncio.sleep(0.3)
            clock.ahead = jump
        assert (await whole.prompt(first)).status is Status.RUNNING
        go.touch()
        assert [(await whole.ended(prompt)).status for prompt in (first, older)] == [Status.DONE] * 2
        assert (await whole.answer(first)).text == "FINAL-73"
        assert 0 < (await shown).elapsed < 10
    assert [start.stdin.partition(b"\n")[0] for start in play.starts] == [b"prompt", b"older"]


async def test_a_wait_for_the_next_try_keeps_its_length(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    failed = {"json": {"type": "turn.failed", "error": {"message": "429 Too Many Requests"}}}
    play.steps(STARTED, BEGUN, failed)
    clock = JumpingClock()
    async with roost(configured(tmp_path, play.command), clock=clock) as whole:
        prompt = await whole.ask()
        assert (prompt.status, prompt.reason) == (Status.FAILED, "engine.rate_limit")
    assert clock.waited == [15.0, 45.0, 120.0]
    assert len(play.starts) == 4
