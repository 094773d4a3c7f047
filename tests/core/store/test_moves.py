"""A chat is found by every name that it had."""

from __future__ import annotations

from core.store import inbox, moves
from core.store.database import Db
from tests.support.store import NOW

US = ("telegram", "7")


def test_a_chat_is_found_under_its_former_names(db: Db) -> None:
    assert moves.called_now(db, *US, "-1") == "-1"
    for _ in range(2):
        moves.move(db, *US, "-1", "-2", now=NOW)
        moves.move(db, *US, "-2", "-3", now=NOW)
    assert [moves.called_now(db, *US, chat) for chat in ("-1", "-2", "-3", "-4")] == ["-3"] * 3 + ["-4"]
    assert moves.called_now(db, "telegram", "8", "-1") == "-1"
    assert inbox.rooms(db, *US) == []


def test_names_that_go_round_in_a_circle_come_to_an_end(db: Db) -> None:
    moves.move(db, *US, "-1", "-2", now=NOW)
    moves.move(db, *US, "-2", "-1", now=NOW)
    moves.move(db, *US, "-1", "-1", now=NOW)
    assert moves.called_now(db, *US, "-1") in ("-1", "-2")
