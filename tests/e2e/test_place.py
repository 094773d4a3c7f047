"""A question that nobody answers gives its agent's place to others; its answer waits for one again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.hosts.processes import family
from core.model.events import Asked, Grant
from core.model.ids import EventId, PromptId
from core.model.prompt import Slot, Status
from core.store import queue, said, turns
from tests.e2e.test_acp import config_of, environ, goose
from tests.e2e.test_codex import tree
from tests.e2e.test_codex_spoken import asking, decide, question
from tests.support.hand_clock import HandClock
from tests.support.whole import Service, Whole, until

ASK = {"title": "rm -r out", "kind": "execute"}
MINUTES_10 = 600.0


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_of(tmp_path, "max_concurrent_agents = 1\n")


@asynccontextmanager
async def by_hand(config: Path) -> AsyncIterator[tuple[Whole, HandClock]]:
    clock = HandClock()
    async with goose(config, clock=clock) as whole:
        yield whole, clock


async def slot(whole: Whole, prompt: PromptId) -> Slot:
    return (await whole.prompt(prompt)).slot


async def given(whole: Whole, clock: HandClock, prompt: PromptId) -> None:
    """Time passes until *prompt* has no place."""

    async def has_none() -> bool:
        clock.move(60)
        return await slot(whole, prompt) is Slot.GIVEN

    await until(has_none)


async def wants(whole: Whole, prompt: PromptId) -> None:
    async def does() -> bool:
        return await slot(whole, prompt) is Slot.WANTED

    await until(does)


async def unanswered(whole: Whole, clock: HandClock, *steps: object) -> tuple[PromptId, Asked, EventId]:
    """A prompt whose agent has asked long ago."""
    await asking(whole)
    prompt = await whole.submit(json.dumps(steps or [{"ask": ASK}, {"say": ", done"}]))
    asked, number = await question(whole, prompt)
    await given(whole, clock, prompt)
    return prompt, asked, number


async def busy(whole: Whole, name: str = "shop") -> tuple[PromptId, Path]:
    """A prompt of another project that works until a file is there."""
    project, file = await whole.add_project(name), whole.home / f"{name}.ends"
    (Path(project.path) / "tests").symlink_to(whole.workspace / "tests")
    text = json.dumps([{"wait": str(file)}, {"say": "Sold."}])
    return await whole.submit(text, conversation=await whole.begin(project)), file


async def works(whole: Whole, prompt: PromptId) -> None:
    async def does() -> bool:
        return (await whole.prompt(prompt)).status is Status.RUNNING

    await until(does)


async def test_others_work_meanwhile_and_the_answer_waits_for_a_place(config: Path) -> None:
    async with by_hand(config) as (whole, clock):
        await asking(whole)
        prompt = await whole.submit(json.dumps([{"ask": ASK}, {"say": ", done"}]))
        asked, number = await question(whole, prompt)
        other, file = await busy(whole)
        clock.move(MINUTES_10 - 1)
        assert (await slot(whole, prompt), (await whole.prompt(other)).status) == (Slot.HELD, Status.QUEUED)
        await given(whole, clock, prompt)
        await works(whole, other)
        await decide(whole, number, asked, Grant.ONCE)
        await wants(whole, prompt)
        later, _ = await busy(whole, "blog")
        assert await whole.app.store.read(said.replies, (await turn(whole, prompt)).id)
        file.touch()
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "got once, done"
        assert (await whole.ended(other)).status is Status.DONE
        assert await slot(whole, prompt) is Slot.HELD
        await works(whole, later)


async def turn(whole: Whole, prompt: PromptId) -> turns.TurnRow:
    return await whole.app.store.read(turns.latest, prompt)


async def test_with_a_place_free_the_answer_is_heard_at_once(config: Path) -> None:
    async with by_hand(config) as (whole, clock):
        prompt, asked, number = await unanswered(whole, clock)
        await decide(whole, number, asked, Grant.DENY)
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "got no, done"


async def test_its_directory_stays_its_own(config: Path) -> None:
    async with by_hand(config) as (whole, clock):
        prompt, asked, number = await unanswered(whole, clock)
        same = await whole.submit("Next", conversation=await whole.begin())
        other, file = await busy(whole)
        await works(whole, other)
        file.touch()
        await whole.ended(other)
        assert (await whole.prompt(same)).status is Status.QUEUED
        await decide(whole, number, asked, Grant.ONCE)
        assert [(await whole.ended(one)).status for one in (prompt, same)] == [Status.DONE] * 2


async def test_an_agent_that_goes_on_by_itself_has_its_place_again(config: Path) -> None:
    """One too many for a while: nobody can hold it back."""
    async with by_hand(config) as (whole, clock):
        go = whole.home / "go"
        steps = [{"wonder": ASK}, {"wait": str(go)}, {"say": "Without you."}, {"wait": str(go) + "2"}]
        prompt, _, _ = await unanswered(whole, clock, *steps)
        other, _ = await busy(whole)
        await works(whole, other)
        go.touch()

        async def again() -> bool:
            return await slot(whole, prompt) is Slot.HELD

        await until(again)
        third, _ = await busy(whole, "blog")
        assert len([one for one in await whole.app.store.read(queue.holders) if one.seated]) == 2
        Path(f"{go}2").touch()
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.prompt(third)).status is Status.QUEUED


@pytest.mark.parametrize("answered", [False, True])
async def test_it_can_be_stopped_at_any_moment(config: Path, answered: bool) -> None:
    async with by_hand(config) as (whole, clock):
        prompt, asked, number = await unanswered(whole, clock)
        agent = (await turn(whole, prompt)).agent
        other, file = await busy(whole)
        await works(whole, other)
        if answered:
            await decide(whole, number, asked, Grant.ONCE)
            await wants(whole, prompt)
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        file.touch()
        await whole.ended(other)
        await until(lambda: not tree(agent))


async def test_an_agent_that_dies_meanwhile_holds_nothing_up(config: Path) -> None:
    async with by_hand(config) as (whole, clock):
        prompt, _, _ = await unanswered(whole, clock)
        for process in family((await turn(whole, prompt)).agent, None):
            os.kill(process.pid, signal.SIGKILL)
        assert (await whole.ended(prompt)).status is Status.FAILED
        assert (await whole.ask("Next")).status is Status.DONE


async def test_roost_ends_meanwhile(config: Path) -> None:
    """What was given stays so; the answer comes while nobody is there, and waits when somebody is."""
    async with by_hand(config) as (whole, clock):
        prompt, asked, number = await unanswered(whole, clock)
        other, file = await busy(whole)
        await works(whole, other)
    async with by_hand(config) as (whole, _):
        await decide(whole, number, asked, Grant.ONCE)
        await wants(whole, prompt)
    async with by_hand(config) as (whole, _):
        assert await slot(whole, prompt) is Slot.WANTED
        file.touch()
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "got once, done"
        await whole.ended(other)


async def test_roost_is_killed_at_each_step(config: Path) -> None:
    """The answer is said once, whatever is killed."""
    async with by_hand(config) as (whole, clock):
        prompt, asked, number = await unanswered(whole, clock)
        other, file = await busy(whole)
        await works(whole, other)
    async with goose(config, duty=False) as whole:
        with Service(config, environ(config)) as service:
            service.start()
            await decide(whole, number, asked, Grant.ONCE)
            await wants(whole, prompt)
            service.end()
            file.touch()
            service.start()
            assert (await whole.ended(prompt)).status is Status.DONE
            assert (await whole.ended(other)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "got once, done"
