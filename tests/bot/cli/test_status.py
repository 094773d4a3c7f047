"""What runs and waits, read in one go however much it is."""

from __future__ import annotations

from bot.cli.status import SHOWN_MOST, State, state_of
from bot.keeping import waits_for
from bot.replies.queue import InLine
from core.model.slots import Caps
from core.store import prompts
from core.store.database import Db
from tests.support import store as shelf

CAPS = Caps(per_engine=1)


def asked(db: Db, *, conversations: int, each: int) -> State:
    """Some conversations in projects of their own with *each* so many prompts; one of all runs."""
    for number in range(conversations):
        conversation = shelf.a_conversation(db, shelf.a_project(db, f"shop-{number}"))
        for _ in range(each):
            shelf.submit(db, conversation)
    shelf.claimed(db, CAPS)
    return state_of(db, CAPS, service=False, now=shelf.NOW)


def test_every_reason_is_that_of_the_prompt_alone() -> None:
    db = shelf.connected()
    state = asked(db, conversations=3, each=3)
    assert (len(state.running), len(state.queued)) == (1, 8)
    assert {type(entry.reason).__name__ for entry in state.queued} == {"InLine", "ForPlace"}
    for entry in state.queued:
        assert entry.reason == waits_for(db, entry.prompt, CAPS)


def test_a_long_queue_is_looked_at_once() -> None:
    db = shelf.connected()
    asked(db, conversations=4, each=100)
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    state = state_of(db, CAPS, service=False, now=shelf.NOW)
    assert len(state.queued) == 399
    assert len(statements) < 100
    assert state.queued[SHOWN_MOST - 1].reason == InLine(SHOWN_MOST, "Go")
    assert len(prompts.every_open(db)) == 400
