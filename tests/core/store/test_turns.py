"""Each step of a turn is kept once, and its end is one with its answer."""

from __future__ import annotations

import pytest

from core.model.answer import Placed
from core.model.events import (
    Answered,
    Message,
    PromptEnded,
    PromptStarted,
    Recovering,
    Retrying,
    SessionStarted,
    TurnCompleted,
    TurnStarted,
)
from core.model.ids import ItemId, SessionId
from core.model.prompt import Prompt, Status
from core.store import conversations, log, prompts, queue, turns
from core.store.database import Db
from core.store.turns import Ending
from tests.support.store import NOW, a_conversation, claimed, finish, new_agent, running, step, submit

HELLO = Message(ItemId("1"), "Hello")
BYE = Message(ItemId("2"), "Bye")
SESSION = SessionStarted(SessionId("s-1"))


def events_of(db: Db, prompt: Prompt) -> list[object]:
    return [entry.event for entry in log.of_prompt(db, prompt.id)[0]]


def test_progress_moves_the_offset_and_steps_offered_again_are_passed_over(db: Db) -> None:
    work = running(db)
    steps = [step(work, TurnStarted(), HELLO, offset=10), step(work, BYE, offset=20)]
    turns.progress(db, steps[:1], now=NOW)
    turns.progress(db, steps, now=NOW)
    turns.progress(db, steps, now=NOW)
    assert log.of_turn(db, work.prompt.id, work.turn.id) == [TurnStarted(), HELLO, BYE]
    assert turns.latest(db, work.prompt.id).offset == 20


def test_the_session_is_kept_with_the_events_that_name_it(db: Db) -> None:
    work = running(db)
    turns.progress(db, [step(work, SESSION, offset=5)], now=NOW)
    assert conversations.get(db, work.conversation.id).session == "s-1"
    finish(db, work)
    submit(db, work.conversation)
    (following,) = claimed(db)
    assert following.turn.session == "s-1"
    assert not following.turn.carry_on


def test_the_end_keeps_the_last_steps_the_message_and_the_state_at_once(db: Db) -> None:
    work = running(db)
    placed = (Placed("output/a.png", "photo", "ab.png", "", "a.png"),)
    last = step(work, HELLO, TurnCompleted(), offset=30)
    assert turns.end(db, [last], Ending(Status.DONE, "Hello", placed), now=NOW + 9) is Status.DONE
    answer = conversations.answer_to(db, work.prompt.id)
    assert answer is not None
    assert (answer.text, answer.placed, answer.partial) == ("Hello", placed, False)
    ended = prompts.get(db, work.prompt.id)
    assert (ended.status, ended.ended_at, turns.latest(db, ended.id).offset) == (Status.DONE, NOW + 9, 30)
    assert events_of(db, ended)[1:] == [
        PromptStarted("codex"),
        HELLO,
        TurnCompleted(),
        Answered(answer.id),
        PromptEnded(Status.DONE),
    ]
    assert conversations.message(db, answer.id) == answer


def test_an_ended_prompt_stays_as_it_is(db: Db) -> None:
    work = running(db)
    finish(db, work)
    before = list(db.iterdump())
    late = [step(work, BYE, offset=99)]
    assert turns.end(db, late, Ending(Status.FAILED, "Late", reason="x"), now=NOW + 1) is Status.DONE
    assert list(db.iterdump()) == before


def test_what_was_said_before_a_cancel_stays_marked_as_partial(db: Db) -> None:
    work = running(db)
    prompts.cancel(db, work.prompt.id, now=NOW)
    turns.end(db, [step(work)], Ending(Status.FAILED, "So far", reason="r", detail="d"), now=NOW)
    ended, answer = prompts.get(db, work.prompt.id), conversations.answer_to(db, work.prompt.id)
    assert (ended.status, ended.reason, ended.detail) == (Status.CANCELLED, "prompt.stopped", "")
    assert answer is not None
    assert (answer.text, answer.partial) == ("So far", True)


def test_without_a_word_there_is_no_message(db: Db) -> None:
    work = running(db)
    turns.end(db, [step(work)], Ending(Status.FAILED, reason="engine.login", detail="401"), now=NOW)
    assert [message.role for message in conversations.messages(db, work.conversation.id)] == ["user"]
    assert events_of(db, work.prompt)[-1] == PromptEnded(Status.FAILED, "engine.login", "401")


@pytest.mark.parametrize("text", ["Voici les changements.", ""])
def test_an_answer_names_its_conversation_even_if_it_says_nothing_else(db: Db, text: str) -> None:
    work = running(db)
    finish(db, work, Ending(Status.DONE, text, title="Checkout"))
    named = conversations.get(db, work.conversation.id)
    assert (named.title, named.title_by) == ("Checkout", "agent")


def test_no_later_answer_renames_it_and_none_what_a_person_named(db: Db) -> None:
    here = a_conversation(db)
    finish(db, running(db, here), Ending(Status.DONE, "x", title="First"))
    finish(db, running(db, here), Ending(Status.DONE, "x", title="Second"))
    assert conversations.get(db, here.id).title == "First"
    conversations.rename(db, here.id, "Mine")
    finish(db, running(db, here), Ending(Status.DONE, "x", title="Third"))
    named = conversations.get(db, here.id)
    assert (named.title, named.title_by) == ("Mine", "person")


def test_a_turn_that_is_followed_by_another_says_why_and_keeps_the_holds(db: Db) -> None:
    work = running(db)
    waiting = Retrying("rate_limit", 15.0, 1, 3)
    turns.follow_up(db, [step(work, SESSION, offset=7)], waiting, outcome="rate_limit", now=NOW)
    agent = new_agent()
    turns.begin(db, work.prompt.id, agent, session=SessionId("s-1"), carry_on=True, now=NOW)
    again = queue.work(db, work.prompt.id)
    assert (again.turn.agent, again.turn.session, again.turn.carry_on) == (agent, "s-1", True)
    assert turns.outcomes(db, work.prompt.id) == ["rate_limit", ""]
    assert events_of(db, work.prompt)[-2:] == [SESSION, waiting]
    assert [held.prompt.id for held in queue.held(db)] == [work.prompt.id]
    assert turns.agents(db) == {agent}


def test_a_session_that_is_gone_is_forgotten_even_if_the_last_step_named_it(db: Db) -> None:
    work = running(db)
    gone = Recovering("session_gone")
    steps = [step(work, SESSION, offset=7)]
    turns.follow_up(db, steps, gone, outcome="session_gone", drop_session=True, now=NOW)
    assert conversations.get(db, work.conversation.id).session is None


def test_what_could_not_be_forked_is_told_as_it_was_then(db: Db) -> None:
    first = running(db, text="One")
    turns.progress(db, [step(first, SESSION, offset=1)], now=NOW)
    finish(db, first)
    forked = conversations.fork(db, first.conversation.id, natively=True, now=NOW)
    finish(db, running(db, first.conversation, "later"))
    work = running(db, forked, "Two")
    assert (work.forks, work.conversation.handed) == ("s-1", "")
    gone = Recovering("session_gone")
    turns.follow_up(db, [step(work)], gone, outcome="session_gone", drop_session=True, now=NOW)
    there = conversations.get(db, forked.id)
    assert (there.session, there.fork_of) == (None, None)
    assert there.handed == "user: One\n\nassistant: Done."


@pytest.mark.parametrize(("reason", "count"), [("interrupted", 1), ("never_started", 0)])
def test_only_a_machine_that_went_down_counts_as_interruption(db: Db, reason: str, count: int) -> None:
    work = running(db)
    turns.follow_up(db, [step(work)], Recovering(reason), outcome=reason, now=NOW)  # type: ignore[arg-type]
    assert prompts.get(db, work.prompt.id).interruptions == count
