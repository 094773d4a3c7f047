"""Prompts are accepted once, kept in order, moved and cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UnknownPrompt
from core.model.conversation import Conversation
from core.model.events import PromptAccepted, PromptEnded
from core.model.ids import ConversationId, PromptId
from core.model.prompt import Attachment, ChatPlace, Prompt, Source, Status
from core.model.reasons import NO_RIGHT
from core.store import conversations, log, prompts, turns
from core.store.database import Db
from tests.support.store import DONE, NOW, a_conversation, a_project, claimed, finish, running, step, submit

UPDATE = Source("telegram", "bot-1", "77")


def test_the_same_update_twice_is_one_prompt(db: Db) -> None:
    here = a_conversation(db).id
    first = prompts.accept(db, UPDATE, here, "Go", now=NOW)
    again = prompts.accept(db, UPDATE, here, "Go", now=NOW + 5)
    assert (first.again, again.again) == (False, True)
    assert again.prompt == first.prompt
    assert len(prompts.open_of(db, here)) == len(conversations.messages(db, here)) == 1


def test_an_update_is_known_again_whatever_came_since_and_under_other_accounts_it_is_another(db: Db) -> None:
    here = a_conversation(db).id
    for number in ("78", "76", "79"):
        prompts.accept(db, Source("telegram", "bot-1", number), here, number, now=NOW)
    assert not prompts.accept(db, UPDATE, here, "late", now=NOW).again
    assert prompts.accept(db, Source("telegram", "bot-1", "76"), here, "76", now=NOW).again
    assert not prompts.accept(db, Source("telegram", "bot-2", "77"), here, "other bot", now=NOW).again
    assert not prompts.accept(db, Source("matrix", "bot-1", "77"), here, "other chat", now=NOW).again


def test_an_update_whose_prompt_has_ended_is_not_run_again(db: Db) -> None:
    here = a_conversation(db)
    prompts.accept(db, UPDATE, here.id, "Go", now=NOW)
    (work,) = claimed(db)
    finish(db, work)
    again = prompts.accept(db, UPDATE, here.id, "Go", now=NOW)
    assert again.again
    assert again.prompt.status is Status.DONE
    assert not claimed(db)


def test_a_text_stays_as_it_was_sent_but_for_what_no_program_takes(db: Db) -> None:
    text = " \u202e שלום \r\n\t`a`\x00\x1b[0m \U0001f600 \ud83d "
    kept = submit(db, a_conversation(db), text).text
    assert kept == text.replace("\0", "").replace("\ud83d", "\ufffd")


def test_everything_that_came_with_it_is_kept(db: Db) -> None:
    here, files = a_conversation(db), (Attachment("a b.png", "/srv/shop/in/a b.png", image=True),)
    first = submit(db, here)
    made = prompts.accept(
        db, UPDATE, here.id, "x", now=NOW, attachments=files, author="Ann", retry_of=first.id
    )
    stored = prompts.get(db, made.prompt.id)
    assert stored == made.prompt
    assert (stored.attachments, stored.author, stored.retry_of) == (files, "Ann", first.id)
    assert (stored.status, stored.created_at) == (Status.QUEUED, NOW)


def test_whoever_submits_learns_how_many_come_first(db: Db) -> None:
    here = a_conversation(db)
    assert running(db, here).prompt.status is Status.RUNNING
    second = prompts.accept(db, UPDATE, here.id, "second", now=NOW)
    assert second.ahead == 1
    third = submit(db, here)
    events, _ = log.of_prompt(db, third.id)
    assert [entry.event for entry in events] == [PromptAccepted(2)]


def test_order_is_by_arrival_however_the_clock_jumps(db: Db) -> None:
    here = a_conversation(db).id
    clocks = (NOW, NOW - 14 * 86_400, NOW + 14 * 86_400, NOW - 3_600)
    for number, now in enumerate(clocks):
        prompts.accept(db, Source("t", "a", str(number)), here, str(number), now=now)
    assert [prompt.text for prompt in prompts.open_of(db, here)] == ["0", "1", "2", "3"]
    order = []
    while works := claimed(db):
        order += [work.prompt.text for work in works]
        for work in works:
            finish(db, work)
    assert order == ["0", "1", "2", "3"]


def test_moved_up_it_is_next_but_never_before_what_runs_nor_before_other_conversations(db: Db) -> None:
    here, there = a_conversation(db), a_conversation(db, a_project(db, "blog"))
    work = running(db, here)
    elsewhere = submit(db, there, "elsewhere")
    _, middle, last = (submit(db, here, text) for text in ("first", "middle", "last"))
    prompts.move_up(db, last.id)
    prompts.move_up(db, middle.id)
    prompts.move_up(db, work.prompt.id)
    assert [prompt.text for prompt in prompts.open_of(db, here.id)] == ["Go", "middle", "last", "first"]
    assert prompts.every_open(db)[1] == elsewhere


def test_a_waiting_prompt_is_dropped_without_having_started(db: Db) -> None:
    here = a_conversation(db)
    running(db, here)
    waiting = submit(db, here)
    assert [prompt.id for prompt in prompts.cancel(db, waiting.id, now=NOW).dropped] == [waiting.id]
    ended = prompts.get(db, waiting.id)
    assert (ended.status, ended.reason, ended.started_at) == (Status.CANCELLED, "prompt.dropped", None)
    events, _ = log.of_prompt(db, waiting.id)
    assert events[-1].event == PromptEnded(Status.CANCELLED, "prompt.dropped")


def test_what_waits_is_found_with_who_asked_it_and_about_which_project(db: Db) -> None:
    here, there = a_conversation(db), a_conversation(db, a_project(db, "blog"))
    room = ChatPlace(conversations.room(db, "fake", "roost", "-1").id, "7")

    def asked(conversation: Conversation, text: str, **more: Any) -> Prompt:
        source = Source("fake", "roost", text)
        return prompts.accept(db, source, conversation.id, text, now=NOW, **more).prompt

    asked(here, "runs", person="1002", place=room)
    claimed(db)
    first = asked(here, "waits", person="1002", place=room)
    other = asked(there, "waits too", person="1003", place=room)
    asked(here, "of nobody", place=room)
    asked(here, "in no room", person="1002")
    assert prompts.waiting_on(db, "fake") == [(first, here.project), (other, there.project)]
    assert prompts.waiting_on(db, "other") == []
    prompts.fail(db, first.id, reason=NO_RIGHT, now=NOW)
    assert [one for one, _ in prompts.waiting_on(db, "fake")] == [other]


def test_what_was_set_aside_in_one_go_is_found_together(db: Db) -> None:
    here = a_conversation(db)
    place = ChatPlace(conversations.room(db, "fake", "roost", "-1").id, "7")
    waiting = [
        prompts.accept(db, Source("fake", "roost", text), here.id, text, now=NOW, place=place).prompt
        for text in ("one", "two", "later")
    ]
    for one, at in zip(waiting, (NOW, NOW, NOW + 1), strict=True):
        prompts.fail(db, one.id, reason=NO_RIGHT, now=at)
    told = prompts.get(db, waiting[1].id)
    assert [one.text for one in prompts.ended_with(db, told)] == ["one", "two"]


def test_a_running_prompt_is_asked_to_stop_and_runs_until_it_has(db: Db) -> None:
    work = running(db)
    done = prompts.cancel(db, work.prompt.id, now=NOW)
    assert [prompt.id for prompt in done.stopping] == [work.prompt.id]
    asked = prompts.get(db, work.prompt.id)
    assert (asked.status, asked.cancelling) == (Status.RUNNING, True)


def test_cancelling_what_has_ended_changes_nothing_and_says_so(db: Db) -> None:
    work = running(db)
    finish(db, work)
    before = prompts.get(db, work.prompt.id)
    assert not prompts.cancel(db, work.prompt.id, now=NOW + 1)
    assert not prompts.cancel_here(db, work.conversation.id, everything=True, now=NOW + 1)
    assert prompts.get(db, work.prompt.id) == before


def test_cancel_here_stops_what_runs_else_drops_what_waits_first_else_finds_nothing(db: Db) -> None:
    here = a_conversation(db)
    work = running(db, here)
    texts = [submit(db, here, text).text for text in ("next", "last")]
    assert [p.id for p in prompts.cancel_here(db, here.id, everything=False, now=NOW).stopping] == [
        work.prompt.id
    ]
    finish(db, work)
    dropped = [prompts.cancel_here(db, here.id, everything=False, now=NOW).dropped for _ in texts]
    assert [[prompt.text for prompt in found] for found in dropped] == [["next"], ["last"]]
    assert not prompts.cancel_here(db, here.id, everything=False, now=NOW)


def test_cancel_all_of_a_conversation_leaves_the_others_alone(db: Db) -> None:
    here, there = a_conversation(db), a_conversation(db, a_project(db, "blog"))
    running(db, here)
    submit(db, here)
    other = submit(db, there)
    done = prompts.cancel_here(db, here.id, everything=True, now=NOW)
    assert (len(done.stopping), len(done.dropped)) == (1, 1)
    assert prompts.get(db, other.id).status is Status.QUEUED
    assert [prompt.id for prompt in prompts.cancel_all(db, now=NOW).dropped] == [other.id]


def test_a_cancel_in_the_same_batch_acts_before_the_older_messages_start(db: Db) -> None:
    here = a_conversation(db)
    for _ in range(3):
        submit(db, here)
    prompts.cancel_here(db, here.id, everything=True, now=NOW)
    assert not claimed(db)


@pytest.mark.parametrize("first", ["cancel", "result"])
def test_what_is_stored_first_wins(db: Db, first: str) -> None:
    work = running(db)
    if first == "cancel":
        prompts.cancel(db, work.prompt.id, now=NOW)
    status = turns.end(db, [step(work)], DONE, now=NOW)
    assert status is (Status.CANCELLED if first == "cancel" else Status.DONE)
    assert not prompts.cancel(db, work.prompt.id, now=NOW)
    assert prompts.get(db, work.prompt.id).status is status


def test_unknown_numbers_are_refused(db: Db) -> None:
    with pytest.raises(UnknownPrompt):
        prompts.cancel(db, PromptId(4), now=NOW)
    assert not prompts.cancel_here(db, ConversationId(4), everything=True, now=NOW)
