"""What a conversation has used: turn by turn, whichever way its engine counts."""

from __future__ import annotations

from core.model.events import Event, Usage
from core.store import conversations, projects, turns
from core.store.database import Db
from core.store.spent import Spent, spent
from tests.support.store import NOW, a_conversation, finish, running, step


def told(db: Db, *each: tuple[Event, ...]) -> Spent | None:
    """After a turn for each of *each*, in which that was said."""
    conversation = a_conversation(db)
    for events in each:
        work = running(db, conversation)
        turns.progress(db, [step(work, *events, offset=1)], now=NOW)
        finish(db, work)
    return spent(db, conversation.id)


def test_nothing_told_is_nothing(db: Db) -> None:
    assert told(db, ()) is None


def test_the_last_word_of_each_turn_counts(db: Db) -> None:
    first = (Usage(5, 0, 1, cost=0.1), Usage(10, 4, 2, cost=0.2))
    last = Usage(20, 8, 3, window=100, context=40, cost=0.3)
    assert told(db, first, (), (last,)) == Spent(last, Usage(30, 12, 5, cost=0.5), 2)


def test_a_running_total_is_taken_apart(db: Db) -> None:
    found = told(
        db,
        (Usage(1_200, 100, 10, cumulative=True),),
        (Usage(2_400, 300, 25, cumulative=True),),
        (Usage(500, 0, 5, cumulative=True),),
    )
    assert found == Spent(Usage(500, 0, 5, cumulative=True), Usage(2_900, 300, 30), 3)


def test_another_conversation_is_none_of_it(db: Db) -> None:
    mine = told(db, (Usage(1, 0, 1),))
    assert mine == Spent(Usage(1, 0, 1), Usage(1, 0, 1), 1)
    beside = conversations.begin(db, projects.every(db)[0].id, engine="codex", now=NOW)
    assert spent(db, beside.id) is None
