"""What is told of our own accounts."""

from __future__ import annotations

from core.store import accounts
from core.store.database import Db
from tests.support.store import NOW

US = ("matrix", "@roost:example.org")
DAY = 86_400.0


def test_a_note_is_due_once_a_day_at_most(db: Db) -> None:
    assert not accounts.noted(db, *US, "limited", now=NOW)
    assert accounts.note(db, *US, "limited", now=NOW)
    assert accounts.noted(db, *US, "limited", now=NOW + 1)
    assert accounts.noted_at(db, *US, "limited", now=NOW + 1) == NOW
    assert not accounts.note(db, *US, "limited", now=NOW + DAY - 1)
    assert accounts.note(db, *US, "other", now=NOW)
    assert accounts.note(db, "matrix", "@other:example.org", "limited", now=NOW)
    assert not accounts.noted(db, *US, "limited", now=NOW + DAY)
    assert accounts.note(db, *US, "limited", now=NOW + DAY)
    assert accounts.note(db, *US, "limited", now=NOW)  # the clock was set back
