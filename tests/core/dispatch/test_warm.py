"""Which agents are kept for the next turn, and which go."""

from __future__ import annotations

import pytest

from core.dispatch.warm import Idle, Warm
from core.model.ids import AgentId, ConversationId
from tests.support.fake_host import FakeHost
from tests.support.hand_clock import HandClock

HOST = FakeHost()


def idle(name: str) -> Idle:
    return Idle(AgentId(name), HOST, 0, ())


def kept(warm: Warm, *names: str) -> None:
    for number, name in enumerate(names):
        warm.keep(ConversationId(number), idle(name))


def names(gone: list[Idle]) -> list[str]:
    return [one.agent for one in gone]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


def test_the_next_turn_of_its_conversation_gets_it_once(clock: HandClock) -> None:
    warm = Warm(clock, seconds=300, most=3)
    kept(warm, "a", "b")
    assert warm.take(ConversationId(1)) == idle("b")
    assert warm.take(ConversationId(1)) is None
    assert names(warm.everybody()) == ["a"]
    assert not warm.any


def test_nobody_stays_longer_than_that(clock: HandClock) -> None:
    warm = Warm(clock, seconds=300, most=3)
    kept(warm, "a")
    clock.move(299)
    assert warm.spare() == []
    clock.move(1)
    assert names(warm.spare()) == ["a"]


def test_the_oldest_goes_where_there_are_too_many(clock: HandClock) -> None:
    warm = Warm(clock, seconds=300, most=2)
    kept(warm, "a", "b", "c")
    assert names(warm.spare()) == ["a"]


def test_the_oldest_goes_where_memory_is_short(clock: HandClock) -> None:
    warm = Warm(clock, seconds=300, most=3)
    kept(warm, "a", "b")
    assert names(warm.spare(short=True)) == ["a"]
    assert names(warm.spare()) == []


@pytest.mark.parametrize(("seconds", "most"), [(0, 3), (300, 0)])
def test_nobody_may_be_wanted(clock: HandClock, seconds: float, most: int) -> None:
    assert not Warm(clock, seconds=seconds, most=most).wanted
