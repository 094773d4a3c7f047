"""The table of behaviour §3, row by row."""

from __future__ import annotations

from typing import Literal

import pytest

from core.dispatch.retry import REASONS, Again, GiveUp, after_failure, after_interruption, pending
from core.engines.port import Failure
from core.model.events import Recovering, Retrying

WAITING: list[tuple[Failure, Literal["rate_limit", "thread_writer", "busy"], list[float]]] = [
    (Failure.RATE_LIMIT, "rate_limit", [15, 45, 120]),
    (Failure.THREAD_WRITER, "thread_writer", [2, 5, 15, 30]),
    (Failure.BUSY, "busy", [2, 5, 15]),
]


@pytest.mark.parametrize(("failure", "cause", "waits"), WAITING)
@pytest.mark.parametrize("taken", [True, False])
def test_it_waits_as_long_as_the_table_says_then_fails(
    failure: Failure, cause: Literal["rate_limit", "thread_writer", "busy"], waits: list[float], taken: bool
) -> None:
    outcomes: list[str] = []
    for attempt, delay in enumerate(waits, start=1):
        event = Retrying(cause, delay, attempt, len(waits))
        again = after_failure(failure, [*outcomes, ""], taken=taken)
        assert again == Again(cause, event, words=not taken, delay=delay)
        assert not again.drop_session
        outcomes.append(cause)
        assert pending(outcomes, taken=taken) == again
    assert after_failure(failure, [*outcomes, ""], taken=taken) == GiveUp(REASONS[failure])


@pytest.mark.parametrize("taken", [True, False])
def test_without_its_session_the_same_message_runs_once_in_a_new_one(taken: bool) -> None:
    again = after_failure(Failure.SESSION_GONE, [""], taken=taken)
    assert again == Again("session_gone", Recovering("session_gone"), words=True)
    assert again.drop_session
    assert pending(["session_gone"], taken=taken) == again
    second = after_failure(Failure.SESSION_GONE, ["session_gone", ""], taken=taken)
    assert second == GiveUp("engine.session_gone")


@pytest.mark.parametrize("failure", [Failure.LOGIN, Failure.USAGE_LIMIT, Failure.CONTEXT_FULL, Failure.OTHER])
def test_anything_else_fails_at_once(failure: Failure) -> None:
    assert after_failure(failure, [""], taken=True) == GiveUp(REASONS[failure])


def test_every_failure_has_its_reason() -> None:
    assert set(REASONS) == set(Failure)


def test_causes_are_counted_apart() -> None:
    outcomes = ["rate_limit", "thread_writer", "rate_limit", "interrupted", ""]
    again = after_failure(Failure.THREAD_WRITER, outcomes, taken=True)
    assert again == Again("thread_writer", Retrying("thread_writer", 5, 2, 4), words=False, delay=5)
    assert isinstance(after_interruption("interrupted", outcomes, taken=True), GiveUp)


@pytest.mark.parametrize("taken", [True, False])
def test_a_machine_that_went_down_is_got_over_once(taken: bool) -> None:
    first = after_interruption("interrupted", [""], taken=taken)
    assert first == Again("interrupted", Recovering("interrupted"), words=not taken)
    assert after_interruption("interrupted", ["interrupted", ""], taken=taken) == GiveUp("prompt.set_aside")


def test_a_start_that_never_was_is_made_up_for_twice() -> None:
    outcomes: list[str] = []
    for _ in range(2):
        again = after_interruption("never_started", [*outcomes, ""], taken=False)
        assert again == Again("never_started", Recovering("never_started"), words=True)
        outcomes.append("never_started")
    assert after_interruption("never_started", [*outcomes, ""], taken=False) == GiveUp("prompt.set_aside")


@pytest.mark.parametrize("outcomes", [[""], ["rate_limit", ""]])
def test_a_turn_that_is_under_way_has_nothing_pending(outcomes: list[str]) -> None:
    assert pending(outcomes, taken=False) is None
