"""What an engine offers is asked once in a while, and nobody waits long for it."""

from __future__ import annotations

import asyncio

from core.answers.secrets import Masker
from core.dispatch.offers import (
    MODELS_FRESH,
    SAID_MOST,
    SESSIONS_FRESH,
    UNABLE_FRESH,
    Known,
    Pending,
    Unable,
)
from core.model.ids import SessionId
from tests.support.answering import AnsweringHost, model, offers_of, thread, turn
from tests.support.store import FakeClock

ONE = {"data": [model("m1")]}
TWO = {"data": [model("m2")]}


def names(answer: object) -> list[str]:
    assert isinstance(answer, Known)
    return [one.name for one in answer.values]


async def settled() -> None:
    """Whatever is asked in the background has its answer."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.gather(*others)


async def test_it_is_asked_once_in_an_hour() -> None:
    host, clock = AnsweringHost(answers={"model/list": ONE}), FakeClock()
    offers = offers_of(host, clock)
    assert names(await offers.models("codex", "local")) == ["m1"]
    clock.ticks += MODELS_FRESH - 1
    assert names(await offers.models("codex", "local")) == ["m1"]
    assert host.asked["model/list"] == 1


async def test_what_is_older_is_given_again_while_it_is_asked() -> None:
    host, clock = AnsweringHost(answers={"model/list": ONE}), FakeClock()
    offers = offers_of(host, clock)
    await offers.models("codex", "local")
    clock.ticks += MODELS_FRESH
    host.answers["model/list"] = TWO
    host.awake.clear()
    assert names(await offers.models("codex", "local")) == ["m1"]
    host.awake.set()
    await settled()
    assert names(await offers.models("codex", "local")) == ["m2"]
    assert host.asked["model/list"] == 2


async def test_who_takes_too_long_is_asked_on_in_the_background() -> None:
    host, clock = AnsweringHost(answers={"model/list": ONE}), FakeClock()
    host.awake.clear()
    offers = offers_of(host, clock, patience=0.0)
    assert await offers.models("codex", "local") == Pending()
    assert await offers.models("codex", "local") == Pending()
    host.awake.set()
    await settled()
    assert names(await offers.models("codex", "local")) == ["m1"]
    assert host.asked["model/list"] == 1


async def test_who_can_not_answer_is_left_alone_for_a_minute() -> None:
    host, clock = AnsweringHost(), FakeClock()
    offers = offers_of(host, clock)
    assert await offers.models("codex", "local") == Unable()
    host.answers["model/list"] = ONE
    assert await offers.models("codex", "local") == Unable()
    clock.ticks += UNABLE_FRESH
    assert names(await offers.models("codex", "local")) == ["m1"]


async def test_an_engine_without_questions_is_asked_none() -> None:
    host = AnsweringHost()
    offers = offers_of(host, FakeClock())
    assert await offers.models("demo", "local") == Unable()
    assert await offers.models("goose", "local") == Unable()
    assert host.launches == []


async def test_sessions_are_those_of_now() -> None:
    rows = [thread("s-1", "One")]
    host, clock = AnsweringHost(answers={"thread/list": {"data": rows}}), FakeClock()
    offers = offers_of(host, clock)
    first = await offers.sessions("codex", "local", "/srv/shop")
    assert isinstance(first, Known)
    rows.append(thread("s-2", "Two"))
    clock.ticks += SESSIONS_FRESH
    again = await offers.sessions("codex", "local", "/srv/shop")
    assert isinstance(again, Known)
    assert (len(first.values), len(again.values)) == (1, 2)


async def test_what_was_said_is_told_by_both_sides() -> None:
    read = {"thread": {"id": "s-1", "turns": [turn("Hello", "Hi", "Done"), turn("And?")]}}
    offers = offers_of(AnsweringHost(answers={"thread/read": read}), FakeClock())
    said = await offers.history("codex", "local", "/srv/shop", SessionId("s-1"))
    assert said == Known((("user", "Hello"), ("assistant", "Hi"), ("assistant", "Done"), ("user", "And?")))


async def test_no_secret_is_told_and_no_more_than_the_last_words() -> None:
    turns = [turn(f"Say {n}: hunter2", "hunter2") for n in range(SAID_MOST)]
    answers = {
        "thread/list": {"data": [thread("s-1", "Use hunter2")]},
        "thread/read": {"thread": {"id": "s-1", "turns": turns}},
    }
    mask = Masker(["hunter2"]).mask
    offers = offers_of(AnsweringHost(answers=answers), FakeClock(), mask=mask)
    listed = await offers.sessions("codex", "local", "/srv/shop")
    said = await offers.history("codex", "local", "/srv/shop", SessionId("s-1"))
    assert isinstance(said, Known)
    assert "hunter2" not in f"{listed} {said}"
    assert len(said.values) == SAID_MOST
    assert said.values[-2][1] == mask(f"Say {SAID_MOST - 1}: hunter2")


async def test_closing_ends_what_is_being_asked() -> None:
    host = AnsweringHost(answers={"model/list": ONE})
    host.awake.clear()
    offers = offers_of(host, FakeClock(), patience=0.0)
    await offers.models("codex", "local")
    await asyncio.sleep(0)
    await offers.close()
    assert host.started == {}
    assert len(host.discarded) == 1
