"""Case 19: the session that an agent names first is the conversation's, whatever ends the turn."""

from __future__ import annotations

from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play, Start
from tests.support.whole import BEGUN, STARTED, THREAD, Service, Whole, configured, roost, says, turn, until


def resumes(start: Start) -> bool:
    return start.argv[start.argv.index("resume") + 1] == THREAD


async def session_stored(whole: Whole) -> None:
    async def stored() -> bool:
        return (await whole.talk()).session == THREAD

    await until(stored)


async def test_roost_is_killed_in_the_first_turn(tmp_path: Path) -> None:
    play, config = Play(tmp_path / "play"), configured(tmp_path, Play(tmp_path / "play").command)
    play.steps(*turn(says("second")))
    play.steps(STARTED, BEGUN, {"wait_for": str(tmp_path / "go")}, {"kill_self": "KILL"}, start=1)
    async with roost(config, duty=False) as whole:
        first, *queued = [await whole.submit(text) for text in ("one", "two", "three")]
        with Service(config) as service:
            service.start()
            await session_stored(whole)
            service.end()
            (tmp_path / "go").touch()
            service.start()
            assert (await whole.ended(first)).reason == "prompt.killed"
            assert [(await whole.ended(prompt)).status for prompt in queued] == [Status.DONE] * 2
    assert [resumes(start) for start in play.starts[1:]] == [True, True]


async def test_the_first_turn_is_cancelled(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("second")))
    play.steps(STARTED, BEGUN, {"sleep": 30}, start=1)
    async with roost(configured(tmp_path, play.command)) as whole:
        first, *queued = [await whole.submit(text) for text in ("one", "two", "three")]
        await session_stored(whole)
        await whole.cancel(first)
        assert (await whole.ended(first)).status is Status.CANCELLED
        assert [(await whole.ended(prompt)).status for prompt in queued] == [Status.DONE] * 2
    assert [resumes(start) for start in play.starts[1:]] == [True, True]
