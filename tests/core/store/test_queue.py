"""A claim and its holds are one, with everything that a turn needs."""

from __future__ import annotations

from dataclasses import replace

from core.dispatch.queue import decide
from core.model.prompt import Status
from core.model.slots import BlockedByCap, BlockedByKey, Caps
from core.store import conversations, log, projects, prompts, queue, turns
from core.store.database import Db
from core.store.turns import Ending
from tests.support.store import (
    DONE,
    NOW,
    a_conversation,
    a_project,
    claimed,
    finish,
    new_agent,
    running,
    step,
    submit,
)


def test_a_claim_gives_keys_a_turn_and_a_word_in_the_log(db: Db) -> None:
    project = a_project(db, groups=("tv", "__global_agent__"))
    here = a_conversation(db, project)
    prompt = submit(db, here)
    (work,) = queue.claim(db, decide, Caps(), new_agent, now=NOW + 3)
    assert (work.prompt.status, work.prompt.started_at, work.first) == (Status.RUNNING, NOW + 3, True)
    assert (work.project, work.conversation.id, work.conversation.begun) == (project, here.id, True)
    assert (work.turn.offset, work.turn.outcome, work.turn.session) == (0, "", None)
    (holder,) = queue.line(db)[1]
    assert holder.keys == {f"c:{here.id}", f"p:{project.id}", "g:tv"}
    assert queue.held(db) == [work] == [queue.work(db, prompt.id)]


def test_the_keys_are_held_until_the_process_has_gone(db: Db) -> None:
    work = running(db)
    following = submit(db, work.conversation)
    turns.end(db, [step(work)], DONE, now=NOW)
    assert [held.prompt.id for held in queue.held(db)] == [work.prompt.id]
    assert not claimed(db)
    queue.release(db, work.prompt.id)
    assert [next_one.prompt.id for next_one in claimed(db)] == [following.id]
    queue.release(db, work.prompt.id)
    assert [held.prompt.id for held in queue.held(db)] == [following.id]


def test_each_conversation_sends_its_first_and_says_what_that_waits_for(db: Db) -> None:
    here, there = a_conversation(db, a_project(db, "a", ("tv",))), a_conversation(db, a_project(db, "b"))
    other = a_conversation(db, a_project(db, "c", ("tv",)))
    work = running(db, here)
    waiting = [submit(db, where).id for where in (here, other, other, there)]
    verdicts = decide(*queue.line(db), Caps(per_engine=1))
    assert list(verdicts) == [waiting[0], waiting[1], waiting[3]]
    assert verdicts[waiting[0]] == BlockedByKey(f"c:{here.id}", work.prompt.id)
    assert verdicts[waiting[1]] == BlockedByKey("g:tv", work.prompt.id)
    assert verdicts[waiting[3]] == BlockedByCap(1, "codex", (work.prompt.id,))


def test_a_project_that_changes_while_it_runs_excludes_by_its_old_and_its_new_groups(db: Db) -> None:
    project = a_project(db, "a", ("tv",))
    work = running(db, a_conversation(db, project))
    projects.change(db, replace(project, groups=("salon",)))
    for name, group in (("b", "tv"), ("c", "salon"), ("d", "media")):
        submit(db, a_conversation(db, a_project(db, name, (group,))))
    assert [next_one.project.name for next_one in claimed(db)] == ["d"]
    finish(db, work)
    assert [next_one.project.name for next_one in claimed(db)] == ["b", "c"]


def test_what_is_to_stop_is_listed_until_it_has(db: Db) -> None:
    work = running(db)
    assert queue.stopping(db) == []
    prompts.cancel(db, work.prompt.id, now=NOW)
    assert queue.stopping(db) == [work.prompt.id]
    finish(db, work)
    assert queue.stopping(db) == []
    assert queue.held(db) == []


def test_a_conversation_is_new_until_it_has_an_answer(db: Db) -> None:
    here = a_conversation(db)
    failed = running(db, here)
    finish(db, failed, Ending(Status.FAILED))
    second = running(db, here)
    assert (failed.first, second.first) == (True, True)
    finish(db, second)
    assert not running(db, here).first


def test_the_newest_use_comes_first_and_an_empty_conversation_is_not_shown(db: Db) -> None:
    project = a_project(db)
    old, new, _ = (a_conversation(db, project) for _ in range(3))
    for where in (old, new, old):
        submit(db, where)
    assert [found.id for found in conversations.latest(db, project.id)] == [old.id, new.id]
    assert [found.id for found in conversations.latest(db, project.id, most=1)] == [old.id]
    assert len(log.read(db, old.id)[0]) == 2


def test_how_many_wait_behind_the_first_costs_a_claim_nothing(db: Db) -> None:
    """Else a long line is drained in the square of its length."""
    here = a_conversation(db, a_project(db, "a"))

    def steps() -> int:
        """Of a hundred of the database's each."""
        taken = 0

        def step() -> int:
            nonlocal taken
            taken += 1
            return 0

        db.set_progress_handler(step, 100)
        queue.line(db)
        db.set_progress_handler(None, 0)
        return taken

    submit(db, here)
    one = steps()
    for _ in range(500):
        submit(db, here)
    assert steps() <= one + 2
