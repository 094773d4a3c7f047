"""A used-up account that says when it is renewed is waited for, in sight of the person, and not for ever."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.dispatch.retry import LIMIT_LONGEST, LIMIT_LOOK, LIMIT_SHORTEST, after_limit, is_limit, pending
from core.engines.port import Failure
from core.model.events import Event, PromptEnded, Retrying
from core.model.ids import ConversationId, PromptId
from core.model.prompt import Slot, Status
from core.store import conversations
from tests.support.hand_clock import HandClock
from tests.support.play_agent import Play, Step
from tests.support.whole import SwiftClock, Whole, roost, until

HOUR, DAY, NOW = 3_600.0, 86_400.0, 1_800_000_000.0
SESSION = "ses_22b60ce9affe1234567890abcd"


def used_up(ends: float) -> list[Step]:
    """The agent's account is renewed *ends* seconds after the epoch."""
    error = {
        "name": "APIError",
        "data": {
            "message": "You've hit your usage limit",
            "statusCode": 429,
            "responseHeaders": {"retry-after": "3600"},
        },
    }
    told = (ends - HOUR) * 1_000
    return [{"json": {"type": "error", "timestamp": told, "sessionID": SESSION, "error": error}}]


def answers(text: str) -> list[Step]:
    part = {"id": "p1", "messageID": "m1", "sessionID": SESSION, "type": "text", "text": text}
    end = {
        "reason": "stop",
        "tokens": {"total": 9, "input": 6, "output": 3},
        "cost": 0,
        "type": "step-finish",
    }
    lines: list[dict[str, object]] = [
        {"type": "step_start", "sessionID": SESSION, "part": {}},
        {"type": "text", "sessionID": SESSION, "part": part},
        {"type": "step_finish", "sessionID": SESSION, "part": end},
    ]
    return [{"json": {"timestamp": NOW * 1_000, **line}} for line in lines]


def config(home: Path, play: Play, first: str = "") -> Path:
    file = home / "roost.toml"
    file.write_text(
        f'data_dir = "{home / "data"}"\n{first}[engines.opencode]\n'
        f'transport = "exec"\ncommand = {play.command}\n'.replace("'", '"')
    )
    return file


async def begin(whole: Whole, model: str = "", project: str = "") -> ConversationId:
    """A conversation, in a *project* of its own if there is one."""
    where = await whole.add_project(project) if project else whole.project
    begun = await whole.app.store.write(
        conversations.begin, where.id, engine="opencode", language="en", now=NOW
    )
    if model:
        await whole.app.store.write(
            lambda db: db.execute("UPDATE conversations SET model = ? WHERE id = ?", (model, begun.id))
        )
    return begun.id


async def waits(whole: Whole, prompt: PromptId) -> Retrying:
    """What the prompt waits for, once it does."""

    def of(events: list[Event]) -> list[Retrying]:
        return [event for event in events if isinstance(event, Retrying)]

    async def begun() -> bool:
        return bool(of(await whole.events(prompt)))

    await until(begun)
    return of(await whole.events(prompt))[-1]


async def wanted(whole: Whole, prompt: PromptId) -> bool:
    """Whether it could go on, and waits for its place."""
    return (await whole.prompt(prompt)).slot is Slot.WANTED


@asynccontextmanager
async def by_hand(file: Path) -> AsyncIterator[tuple[Whole, HandClock]]:
    """Roost whose time stands still until it is moved."""
    clock = HandClock()
    clock.wall = NOW
    async with roost(file, clock=clock) as whole:
        yield whole, clock


def test_it_waits_until_then_and_three_times_at_most() -> None:
    outcomes: list[str] = []
    for attempt in (1, 2, 3):
        again = after_limit(NOW + HOUR, outcomes, taken=True, now=NOW)
        assert again
        assert again.event == Retrying("usage_limit", HOUR, attempt, 3, NOW + HOUR)
        assert (again.delay, again.words, again.drop_session) == (HOUR, False, False)
        outcomes.append("usage_limit")
    assert after_limit(NOW + HOUR, outcomes, taken=True, now=NOW) is None


@pytest.mark.parametrize(
    ("ends", "delay"),
    [
        (NOW - DAY, LIMIT_SHORTEST),
        (NOW + LIMIT_LONGEST, LIMIT_LONGEST),
        (NOW + LIMIT_LONGEST + 1, None),
        (0.0, None),
    ],
)
def test_an_odd_time_is_never_waited_for_long_nor_answered_at_once(ends: float, delay: float | None) -> None:
    again = after_limit(ends, [], taken=True, now=NOW)
    assert (again and again.delay) == delay


def test_the_wall_clock_is_looked_at_meanwhile() -> None:
    again = after_limit(NOW + 150, [], taken=True, now=NOW)
    assert again
    assert list(again.pauses) == [LIMIT_LOOK, LIMIT_LOOK, 30]


def test_after_a_restart_the_rest_is_waited_and_never_more_than_before() -> None:
    event = Retrying("usage_limit", HOUR, 1, 3, NOW + HOUR)
    for now, rest in ((NOW + 600, 3_000.0), (NOW + DAY, 0.0), (NOW - 14 * DAY, HOUR)):
        again = pending(["usage_limit"], taken=True, waiting=event, now=now)
        assert again
        assert (again.event, again.delay) == (event, rest)


@pytest.mark.parametrize(
    ("failure", "ends", "limit"),
    [
        (Failure.USAGE_LIMIT, 0.0, True),
        (Failure.RATE_LIMIT, NOW + 60, False),
        (Failure.RATE_LIMIT, NOW + HOUR, True),
        (Failure.OTHER, NOW + HOUR, False),
    ],
)
def test_what_is_a_limit(failure: Failure, ends: float, limit: bool) -> None:
    assert is_limit(failure, ends, now=NOW) is limit


async def test_it_runs_by_itself_then(tmp_path: Path) -> None:
    play, clock = Play(tmp_path / "play"), SwiftClock()
    ends = time.time() + 600
    play.steps(*used_up(ends), start=1)
    play.steps(*answers("There you are."))
    async with roost(config(tmp_path, play), clock=clock) as whole:
        prompt = await whole.submit(conversation=await begin(whole))
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "There you are."
        assert (await waits(whole, prompt)).until == pytest.approx(ends, abs=0.01)
    assert sum(clock.waited) == pytest.approx(600, abs=30)
    assert len(play.starts) == 2


async def test_a_limit_that_never_ends_fails_after_three_waits(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(time.time() - DAY))
    async with roost(config(tmp_path, play), clock=SwiftClock()) as whole:
        ended = await whole.ended(await whole.submit(conversation=await begin(whole)))
        assert (ended.status, ended.reason) == (Status.FAILED, "engine.usage_limit")
        assert "hit your usage limit" in ended.detail
    assert len(play.starts) == 4


async def test_switched_off_it_fails_at_once_in_the_agents_words(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(time.time() + HOUR))
    async with roost(config(tmp_path, play, "wait_for_limits = false\n")) as whole:
        ended = await whole.ended(await whole.submit(conversation=await begin(whole)))
        assert (ended.status, ended.reason) == (Status.FAILED, "engine.usage_limit")
    assert len(play.starts) == 1


async def test_what_comes_behind_waits_and_a_cancel_works_at_any_moment(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps(*answers("Second."))
    async with by_hand(config(tmp_path, play)) as (whole, _):
        conversation = await begin(whole)
        first, second = [await whole.submit(text, conversation=conversation) for text in ("one", "two")]
        await waits(whole, first)
        assert (await whole.prompt(second)).status is Status.QUEUED
        await whole.cancel(first)
        assert (await whole.ended(first)).status is Status.CANCELLED
        assert (await whole.ended(second)).status is Status.DONE
    assert len(play.starts) == 2


async def test_nobody_else_waits_for_it(tmp_path: Path) -> None:
    """Neither those of its project and its groups nor those for whom there would be no place; only its own
    conversation, which goes on in order."""
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps(*answers("Here."))
    async with by_hand(config(tmp_path, play, "max_concurrent_agents = 1\n")) as (whole, clock):
        conversation = await begin(whole)
        first, behind = [await whole.submit(text, conversation=conversation) for text in ("one", "two")]
        await waits(whole, first)
        other = await begin(whole, "opencode/another")
        assert (await whole.ended(await whole.submit("three", conversation=other))).status is Status.DONE
        assert (await whole.prompt(behind)).status is Status.QUEUED
        clock.move(HOUR)
        ended = [await whole.ended(prompt) for prompt in (first, behind)]
        assert [prompt.status for prompt in ended] == [Status.DONE] * 2
    assert len(play.starts) == 4


async def test_once_it_is_over_it_waits_for_its_project_again(tmp_path: Path) -> None:
    play, busy = Play(tmp_path / "play"), tmp_path / "busy"
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps({"wait_for": str(busy)}, *answers("Here."), start=2)
    play.steps(*answers("There."))
    async with by_hand(config(tmp_path, play)) as (whole, clock):
        first = await whole.submit("one", conversation=await begin(whole))
        await waits(whole, first)
        other = await whole.submit("two", conversation=await begin(whole, "opencode/another"))
        await until(lambda: len(play.starts) == 2)
        clock.move(HOUR)
        await until(lambda: wanted(whole, first))
        assert len(play.starts) == 2
        busy.touch()
        for prompt, text in ((other, "Here."), (first, "There.")):
            await whole.ended(prompt)
            assert (await whole.answer(prompt)).text == text


async def test_when_it_was_no_renewal_only_as_many_find_out_as_have_a_place(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps(*used_up(NOW + 2 * HOUR), start=2)
    play.steps(*answers("Here."))
    async with by_hand(config(tmp_path, play, "max_concurrent_agents = 1\n")) as (whole, clock):
        places = [await begin(whole, project=name) for name in ("", "shop", "blog")]
        every = [await whole.submit(conversation=place) for place in places]
        for prompt in every:
            assert (await waits(whole, prompt)).until == NOW + HOUR
        clock.move(HOUR)

        async def all_wait_on() -> bool:
            clock.move(1)
            return all([(await waits(whole, prompt)).until == NOW + 2 * HOUR for prompt in every])

        await until(all_wait_on)
        assert len(play.starts) == 2

        async def all_over() -> bool:
            clock.move(60)
            return all([(await whole.prompt(prompt)).status is Status.DONE for prompt in every])

        await until(all_over)


async def test_a_restart_while_it_waits_for_its_place(tmp_path: Path) -> None:
    play, busy = Play(tmp_path / "play"), tmp_path / "busy"
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps({"wait_for": str(busy)}, *answers("Here."), start=2)
    play.steps(*answers("There."))
    file = config(tmp_path, play)
    async with by_hand(file) as (whole, clock):
        first = await whole.submit("one", conversation=await begin(whole))
        await waits(whole, first)
        await whole.submit("two", conversation=await begin(whole, "opencode/another"))
        await until(lambda: len(play.starts) == 2)
        clock.move(HOUR)
        await until(lambda: wanted(whole, first))
    async with by_hand(file) as (whole, clock):
        clock.wall += HOUR
        await until(lambda: wanted(whole, first))
        assert len(play.starts) == 2
        busy.touch()
        assert (await whole.ended(first)).status is Status.DONE
    assert len(play.starts) == 3


async def test_others_with_the_account_wait_without_starting_an_agent(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps(*answers("Here."))
    async with by_hand(config(tmp_path, play)) as (whole, clock):
        first = await whole.submit("one", conversation=await begin(whole))
        event = await waits(whole, first)
        other = await whole.submit("two", conversation=await begin(whole, project="shop"))
        assert (await waits(whole, other)).until == event.until
        apart = await whole.submit("three", conversation=await begin(whole, "opencode/another", "blog"))
        assert (await whole.ended(apart)).status is Status.DONE
        assert len(play.starts) == 2
        clock.move(HOUR)
        assert [(await whole.ended(prompt)).status for prompt in (first, other)] == [Status.DONE] * 2
    assert len(play.starts) == 4


async def test_a_wall_clock_that_is_set_ahead_ends_the_wait_and_nothing_runs_wild(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + DAY))
    async with by_hand(config(tmp_path, play)) as (whole, clock):
        prompt = await whole.submit(conversation=await begin(whole))
        await waits(whole, prompt)
        clock.wall += 2 * DAY

        async def over() -> bool:
            clock.move(LIMIT_LOOK)
            return (await whole.prompt(prompt)).status.ended

        await until(over)
        assert (await whole.prompt(prompt)).reason == "engine.usage_limit"
    assert len(play.starts) == 4


async def test_a_restart_of_roost_waits_the_rest(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*used_up(NOW + HOUR), start=1)
    play.steps(*answers("After all."))
    file = config(tmp_path, play)
    async with by_hand(file) as (whole, _):
        prompt = await whole.submit(conversation=await begin(whole))
        await waits(whole, prompt)
    async with by_hand(file) as (whole, clock):
        clock.wall += HOUR - 60
        assert not (await whole.prompt(prompt)).status.ended
        assert len(play.starts) == 1

        async def over() -> bool:
            clock.move(1)
            return (await whole.prompt(prompt)).status.ended

        await until(over)
        assert clock.wall == pytest.approx(NOW + HOUR, abs=120)
        assert (await whole.answer(prompt)).text == "After all."
        assert sum(isinstance(event, PromptEnded) for event in await whole.events(prompt)) == 1
