"""Buttons as they are kept: what presses them, and which message is asking."""

from __future__ import annotations

from core.model.prompt import Source
from core.store import buttons, conversations, inbox
from core.store.buttons import Fresh
from core.store.database import Db

NOW = 1_000.0
WHERE = ("matrix", "!room")


def asks(db: Db, message: str, *typed: str, now: float = NOW, thread: str = "") -> None:
    buttons.keep(db, *WHERE, [Fresh(message, "/new", typed)], message=message, thread=thread, now=now)


def asking(db: Db, *, until: float = NOW + 60, thread: str = "") -> str:
    return buttons.asking(db, "matrix", "us", "!room", thread, until=until)


def says(db: Db, update: str, *, now: float, thread: str = "") -> None:
    room = conversations.room(db, "matrix", "us", "!room", thread).id
    inbox.receive(db, Source("matrix", "us", update), room, "{}", said_at=now, now=now)


def test_a_word_presses_the_button_under_its_message_that_nobody_used(db: Db) -> None:
    buttons.keep(
        db,
        *WHERE,
        [Fresh("one", "/new", ("1", "a")), Fresh("two", "/queue", ("2", "a b"))],
        message="m",
        now=NOW,
    )
    found = buttons.pressed_by(db, *WHERE, "m", "a b")
    assert found
    assert (found.token, found.intent, found.used_at) == ("two", "/queue", 0)
    assert buttons.pressed_by(db, *WHERE, "m", "b") is None
    assert buttons.pressed_by(db, *WHERE, "other", "1") is None
    buttons.use(db, "one", "Ann", now=NOW)
    used = buttons.pressed_by(db, *WHERE, "m", "1")
    assert used
    assert (used.by, used.used_at) == ("Ann", NOW)
    buttons.clear(db, *WHERE, "m")
    assert buttons.pressed_by(db, *WHERE, "m", "1") is None


def test_the_last_question_is_asked_until_somebody_says_anything(db: Db) -> None:
    says(db, "before", now=NOW - 1)
    asks(db, "one", "yes")
    asks(db, "two", "yes", now=NOW + 1)
    asks(db, "no question", now=NOW + 2)
    asks(db, "elsewhere", "yes", now=NOW + 3, thread="t")
    assert (asking(db), asking(db, thread="t")) == ("two", "elsewhere")
    says(db, "after", now=NOW + 5)
    assert (asking(db), asking(db, thread="t")) == ("", "elsewhere")


def test_what_was_said_before_a_question_came_is_no_answer_to_it(db: Db) -> None:
    asks(db, "one", "yes")
    assert asking(db, until=NOW - 1) == ""


def test_a_question_that_was_answered_asks_no_more(db: Db) -> None:
    asks(db, "one", "yes")
    buttons.use(db, "one", "Ann", now=NOW)
    assert asking(db) == ""


def test_under_a_message_that_was_sent_twice_and_is_there_once_the_first_buttons_stay(db: Db) -> None:
    for token in ("one", "two"):
        buttons.keep(db, *WHERE, [Fresh(token, "/new", ("1",))], now=NOW)
        buttons.stand(db, [token], "m")
    assert buttons.under(db, *WHERE, "m") == {"/new": "one"}
    assert buttons.find(db, "two") is None
