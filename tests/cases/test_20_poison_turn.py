"""Case 20: a prompt that takes Roost down with it is set aside, and holds up nobody else."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

from core.model.events import Message
from core.model.ids import PromptId
from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, STARTED, THREAD, Service, Whole, configured, roost, says, turn, until


async def working(whole: Whole, prompt: PromptId, turns: int) -> bool:
    """Whether the agent of that turn has said something that is stored."""
    return len([event for event in await whole.events(prompt) if isinstance(event, Message)]) == turns


async def killed(service: Service, times: int) -> None:
    """At each start of an agent, as long as one is started."""
    for _ in range(times):
        service.start(ROOST_CRASH_AT="start-fence")
        assert await service.died() == -9


async def test_after_three_tries_at_most_it_is_set_aside_and_others_work(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("fine")))
    config = configured(tmp_path, play.command)
    async with roost(config, duty=False) as whole:
        bad = await whole.submit("poison")
        with Service(config) as service:
            await killed(service, 3)
            service.start()
            ended = await whole.ended(bad)
            assert (ended.status, ended.reason) == (Status.FAILED, "prompt.set_aside")
            assert play.starts == []
            elsewhere = await whole.begin(await whole.add_project("other"))
            good = await whole.submit("good", conversation=elsewhere)
            assert (await whole.ended(good)).status is Status.DONE
            assert (await whole.ended(await whole.submit("here, too"))).status is Status.DONE


async def test_it_can_be_cancelled_before_it_is_tried_again(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("fine")))
    config = configured(tmp_path, play.command)
    async with roost(config, duty=False) as whole:
        bad = await whole.submit("poison")
        with Service(config) as service:
            await killed(service, 1)
            await whole.cancel(bad)
            service.start()
            assert (await whole.ended(bad)).status is Status.CANCELLED
            await whole.quiet()
    assert play.starts == []


async def test_an_agent_that_was_started_goes_on_and_is_not_started_again(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says("fine")))
    config = configured(tmp_path, play.command)
    async with roost(config, duty=False) as whole:
        prompt = await whole.submit("poison")
        with Service(config) as service:
            service.start(ROOST_CRASH_AT="running")
            assert await service.died() == -9
            service.start(ROOST_CRASH_AT="answered")
            assert await service.died() == -9
            service.start(ROOST_CRASH_AT="releasing")
            assert await service.died() == -9
            service.start()
            await whole.quiet()
            assert (await whole.prompt(prompt)).status is Status.DONE
            assert (await whole.answer(prompt)).text == "fine"
    assert len(play.starts) == 1


async def test_the_machine_goes_down_with_it_twice(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps({"read_stdin": "eof"}, STARTED, BEGUN, says("half"), {"sleep": 60})
    config = configured(tmp_path, play.command)
    async with roost(config, duty=False) as whole:
        bad = await whole.submit("poison")
        with Service(config) as service:
            for times in (1, 2):
                service.start()
                await until(partial(working, whole, bad, times))
                service.end()
                os.killpg(os.getpgid(play.starts[-1].pid), signal.SIGKILL)
            service.start()
            ended = await whole.ended(bad)
            assert (ended.reason, ended.interruptions) == ("prompt.set_aside", 1)
            assert (await whole.answer(bad)).partial
    first, second = play.starts
    assert first.stdin.startswith(b"poison")
    assert b"poison" not in second.stdin
    assert THREAD in second.argv
