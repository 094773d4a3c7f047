"""What was asked in a terminal is unshown until its end was read there."""

from __future__ import annotations

from core.model.prompt import Status
from core.store import conversations, prompts, unshown
from core.store.turns import Ending
from tests.support import store as shelf


def test_only_what_has_ended_and_was_not_read_there_and_in_the_order_of_the_ends() -> None:
    db = shelf.connected()
    here = conversations.room(db, "terminal", "ann", "1").id
    there = conversations.room(db, "terminal", "ann", "2").id
    conversation = shelf.a_conversation(db)
    first = shelf.running(db, conversation)
    waiting = [shelf.submit(db, conversation) for _ in range(3)]
    for prompt in (first.prompt, *waiting):
        unshown.add(db, prompt.id, here)
        unshown.add(db, prompt.id, there)  # the first one holds
    prompts.cancel(db, waiting[1].id, now=shelf.NOW + 1)
    shelf.finish(db, first, Ending(Status.FAILED, reason="engine.failed"))
    ended = [one.id for one in unshown.ended(db, here)]
    assert set(ended) == {first.prompt.id, waiting[1].id}
    ends = [prompts.get(db, one).ended_at or 0 for one in ended]
    assert ends == sorted(ends)
    assert unshown.ended(db, there) == []
    unshown.shown(db, ended[0])
    assert [one.id for one in unshown.ended(db, here)] == ended[1:]
