"""Case 61: a cancel beside the result ends as the one or as the other, and never as both."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from core.model.events import MessageDelta, PromptEnded, TurnCompleted
from core.model.prompt import Status
from tests.e2e.test_acp import config_of, goose
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, COMPLETED, STARTED, THREAD, configured, roost, says

REPEATS = 12


async def test_what_comes_after_a_cancel_is_no_answer(tmp_path: Path) -> None:
    play, told = Play(tmp_path / "play"), tmp_path / "told"
    play.steps(
        {"ignore": ["TERM", "INT"]},
        STARTED,
        BEGUN,
        {"wait_for": str(told)},
        says("RACE-61"),
        COMPLETED,
    )
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(30):
        prompt = await whole.submit("Go")
        while not (await whole.talk()).session:
            await asyncio.sleep(0.02)
        await whole.cancel(prompt)
        told.touch()
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        assert (await whole.talk()).session == THREAD


@pytest.mark.parametrize("delay", [number * 0.005 for number in range(REPEATS)])
async def test_a_cancel_around_the_result_has_one_outcome(tmp_path: Path, delay: float) -> None:
    play, told = Play(tmp_path / "play"), tmp_path / "told"
    play.steps(STARTED, BEGUN, {"wait_for": str(told)}, says("RACE-61"), COMPLETED)
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(30):
        prompt = await whole.submit("Go")
        while not (await whole.talk()).session:
            await asyncio.sleep(0.02)
        told.touch()
        await asyncio.sleep(delay)
        await whole.cancel(prompt)
        ended = await whole.ended(prompt)
        events = await whole.events(prompt)
        (outcome,) = (event for event in events if isinstance(event, PromptEnded))
        assert outcome.status is ended.status
        if ended.status is Status.DONE:
            assert TurnCompleted() in events
            assert await whole.shown(prompt) == "RACE-61"
        else:
            assert ended.status is Status.CANCELLED


async def test_a_cancel_around_the_result_of_an_agent_that_is_spoken_to(tmp_path: Path) -> None:
    """It stays warm after an answer; whatever comes first, the next prompt finds a clean table."""
    async with goose(config_of(tmp_path)) as whole:
        for number in range(6):
            prompt = await whole.submit(json.dumps([{"say": "RACE-61"}]))
            while not any(isinstance(event, MessageDelta) for event in await whole.events(prompt)):
                await asyncio.sleep(0.005)
            await asyncio.sleep(number * 0.004)
            await whole.cancel(prompt)
            ended = await whole.ended(prompt)
            outcomes = [event for event in await whole.events(prompt) if isinstance(event, PromptEnded)]
            assert [event.status for event in outcomes] == [ended.status]
            assert (await whole.answer(prompt)).partial is (ended.status is Status.CANCELLED)
        assert (await whole.ask("And on")).status is Status.DONE
