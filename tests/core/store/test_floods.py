"""A chat that a flood closed stays closed for as long as was said, and never for longer."""

from __future__ import annotations

from core.store import floods
from core.store.database import Db
from tests.support.store import NOW

US = ("telegram", "7")


def test_what_is_closed_opens_when_its_time_has_come(db: Db) -> None:
    floods.close(db, *US, "-100", seconds=300.0, now=NOW)
    floods.close(db, "telegram", "8", "-100", seconds=300.0, now=NOW)
    assert floods.closed(db, *US, now=NOW + 100) == [("-100", 200.0)]
    assert floods.closed(db, *US, now=NOW + 300) == []


def test_the_newest_word_counts(db: Db) -> None:
    for seconds in (300.0, 20.0):
        floods.close(db, *US, "-100", seconds=seconds, now=NOW)
    assert floods.closed(db, *US, now=NOW) == [("-100", 20.0)]


def test_a_clock_that_is_set_back_closes_nothing_for_longer_than_was_said(db: Db) -> None:
    floods.close(db, *US, "-100", seconds=300.0, now=NOW)
    assert floods.closed(db, *US, now=NOW - 10_000_000) == [("-100", 300.0)]


def test_what_is_over_is_forgotten(db: Db) -> None:
    for number in range(5):
        floods.close(db, *US, str(number), seconds=1.0, now=NOW + number)
    assert db.execute("SELECT count(*) FROM floods").fetchone()[0] == 1
