"""The event log is read from any offset, and every event comes back as it went in."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from core.model.events import EVENT_TYPES, TYPE_NAMES, Event, Message, Notice
from core.model.ids import ItemId
from core.store import log, rows, turns
from core.store.database import Db
from tests.support.store import NOW, a_conversation, a_project, running, step

st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))  # JSON has no others
EVENTS = st.one_of([st.from_type(kind) for kind in get_args(Event)])


@given(EVENTS)
def test_an_event_comes_back_as_it_went_in(event: Event) -> None:
    kind, data = rows.event_columns(event)
    assert rows.event({"type": kind, "data": data}) == event  # type: ignore[arg-type]


def test_every_event_has_a_name_of_its_own() -> None:
    assert set(get_args(Event)) == set(EVENT_TYPES.values())
    assert len(TYPE_NAMES) == len(EVENT_TYPES)


def test_reading_on_gives_nothing_until_something_happens(db: Db) -> None:
    work = running(db)
    here = work.conversation.id
    events, offset = log.read(db, here)
    assert len(events) == 2
    assert log.read(db, here, offset) == ([], offset) == ([], log.end(db, here))
    turns.progress(db, [step(work, Notice("careful"), offset=1)], now=NOW)
    (news,), later = log.read(db, here, offset)
    assert (news.event, news.prompt, news.at) == (Notice("careful"), work.prompt.id, NOW)
    assert log.read(db, here, later) == ([], later)


def test_pages_of_any_size_give_everything_once_and_only_of_this_conversation(db: Db) -> None:
    work, other = running(db), running(db, a_conversation(db, a_project(db, "blog")))
    said = [Message(ItemId(str(number)), "x") for number in range(20)]
    for number, event in enumerate(said):
        turns.progress(db, [step(work, event, offset=number + 1)], now=NOW)
        turns.progress(db, [step(other, Notice("not here"), offset=number + 1)], now=NOW)
    for most in (1, 3, 7, 500):
        found, offset = [], 0
        while page := log.read(db, work.conversation.id, offset, most=most)[0]:
            found += [entry.event for entry in page]
            offset = page[-1].id
        assert found[2:] == said


def test_an_empty_conversation_ends_at_nought(db: Db) -> None:
    here = a_conversation(db).id
    assert log.end(db, here) == 0
    assert log.read(db, here) == ([], 0)
    assert log.read(db, here, 9) == ([], 9)
