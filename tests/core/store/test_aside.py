"""A prompt gives up its place, or all but its conversation, and gets it again by a claim."""

from __future__ import annotations

from dataclasses import replace

from core.model.prompt import Prompt, Slot, Status
from core.model.slots import Caps
from core.store import aside, projects, prompts, queue, said, turns
from core.store.database import Db
from core.store.said import Reply
from tests.support.store import DONE, NOW, a_conversation, a_project, claimed, finish, running, step, submit

ONE = Caps(per_engine=1)


def slot(db: Db, prompt: Prompt) -> Slot:
    return prompts.get(db, prompt.id).slot


def keys(db: Db, prompt: Prompt) -> frozenset[str]:
    return next(one.keys for one in queue.holders(db) if one.prompt == prompt.id)


def elsewhere(db: Db, name: str = "blog") -> Prompt:
    return submit(db, a_conversation(db, a_project(db, name)))


def test_a_place_is_given_and_claimed_again_with_the_turn_that_it_had(db: Db) -> None:
    work = running(db)
    other = elsewhere(db)
    assert not claimed(db, ONE)
    aside.give_place(db, work.prompt.id)
    assert [one.prompt.id for one in claimed(db, ONE)] == [other.id]
    before = keys(db, work.prompt)
    assert not aside.want(db, work.prompt.id)
    assert not claimed(db, ONE)
    assert (slot(db, work.prompt), keys(db, work.prompt)) == (Slot.WANTED, before)
    finish(db, queue.work(db, other.id))
    (back,) = claimed(db, ONE)
    assert (back.prompt.id, back.turn, back.back) == (work.prompt.id, work.turn, True)
    assert aside.want(db, work.prompt.id)
    assert queue.held(db) == [replace(back, back=False)]


def test_older_ones_wait_before_and_younger_ones_behind_it(db: Db) -> None:
    first, second = running(db), running(db, a_conversation(db, a_project(db, "blog")))
    third = elsewhere(db, "tv")
    for work in (first, second):
        aside.give_place(db, work.prompt.id)
        aside.want(db, work.prompt.id)
    for expected in (first.prompt, second.prompt, third):
        (work,) = claimed(db, ONE)
        assert work.prompt.id == expected.id
        finish(db, work)


def test_nothing_is_given_once_somebody_has_answered(db: Db) -> None:
    work = running(db)
    said.reply(db, Reply(work.turn.id, "q1", "yes"), now=NOW)
    aside.give_place(db, work.prompt.id)
    assert slot(db, work.prompt) is Slot.HELD


def test_all_is_given_but_the_order_of_its_conversation(db: Db) -> None:
    project = a_project(db, groups=("tv",))
    work = running(db, a_conversation(db, project))
    behind = submit(db, work.conversation)
    other = submit(db, a_conversation(db, project))
    aside.give_all(db, work.prompt.id, work.conversation.id)
    aside.give_all(db, work.prompt.id, work.conversation.id)
    assert keys(db, work.prompt) == {f"c:{work.conversation.id}"}
    (begun,) = claimed(db)
    assert begun.prompt.id == other.id
    assert not aside.want(db, work.prompt.id)
    assert not claimed(db)
    finish(db, begun)
    (back,) = claimed(db)
    assert (back.prompt.id, back.back) == (work.prompt.id, True)
    assert keys(db, work.prompt) == {f"c:{work.conversation.id}", f"p:{project.id}", "g:tv"}
    finish(db, back)
    assert [one.prompt.id for one in claimed(db)] == [behind.id]


def test_what_its_project_shares_by_then_is_claimed(db: Db) -> None:
    work = running(db)
    aside.give_all(db, work.prompt.id, work.conversation.id)
    projects.change(db, replace(work.project, groups=("tv",)))
    other = running(db, a_conversation(db, a_project(db, "blog", groups=("tv",))))
    aside.want(db, work.prompt.id)
    assert not claimed(db)
    finish(db, other)
    assert [one.prompt.id for one in claimed(db)] == [work.prompt.id]


def test_an_agent_that_goes_on_by_itself_has_its_place_though_there_is_none(db: Db) -> None:
    work = running(db)
    aside.give_place(db, work.prompt.id)
    elsewhere(db)
    claimed(db, ONE)
    aside.resume(db, work.prompt.id)
    assert [one.seated for one in queue.holders(db)] == [True, True]


def test_one_that_ended_before_its_place_came_is_not_woken(db: Db) -> None:
    work = running(db)
    aside.give_place(db, work.prompt.id)
    aside.want(db, work.prompt.id)
    turns.end(db, [step(work)], DONE, now=NOW)
    assert not claimed(db)


def test_stopped_or_ended_it_wants_nothing_any_more(db: Db) -> None:
    work = running(db)
    aside.give_place(db, work.prompt.id)
    aside.want(db, work.prompt.id)
    prompts.cancel(db, work.prompt.id, now=NOW)
    assert not claimed(db)
    assert turns.end(db, [step(work)], DONE, now=NOW) is Status.CANCELLED
    queue.release(db, work.prompt.id)
    assert queue.line(db) == ([], [])
    aside.give_place(db, work.prompt.id)
    assert queue.line(db) == ([], [])
