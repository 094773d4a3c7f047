"""Buttons as they are kept: what presses them, and which message is asking."""

from __future__ import annotations

from core.model.ids import ProjectId
from core.model.project import Project
from core.model.prompt import Source
from core.store import buttons, conversations, inbox, projects, prompts
from core.store.buttons import ASKING_SECONDS, Fresh
from core.store.database import Db

NOW = 1_000.0
WHERE = ("matrix", "!room")


def asks(db: Db, message: str, *typed: str, now: float = NOW, thread: str = "") -> None:
    buttons.keep(db, *WHERE, [Fresh(message, "/new", typed)], message=message, thread=thread, now=now)


def asking(db: Db, word: str = "yes", *, until: float = NOW + 60, thread: str = "") -> str:
    return buttons.asking(db, "matrix", "us", "!room", thread, word, until=until)


def says(db: Db, update: str, *, now: float, thread: str = "", done: bool = True) -> Source:
    room = conversations.room(db, "matrix", "us", "!room", thread).id
    source = Source("matrix", "us", update)
    inbox.receive(db, source, room, "{}", said_at=now, now=now)
    if done:
        inbox.done(db, source)
    return source


def prompts_with(db: Db, update: str, *, now: float) -> None:
    project = projects.add(db, Project(ProjectId(0), "shop", "/shop", "codex"), now=now)
    conversation = conversations.begin(db, project.id, engine="codex", now=now)
    prompts.accept(db, says(db, update, now=now), conversation.id, "Go", now=now)


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


def test_the_newest_question_that_a_word_answers_is_asked_whatever_commands_come_after(db: Db) -> None:
    says(db, "before", now=NOW - 1)
    asks(db, "one", "yes")
    asks(db, "two", "yes", now=NOW + 1)
    asks(db, "no question", now=NOW + 2)
    asks(db, "elsewhere", "yes", now=NOW + 3, thread="t")
    asks(db, "another", "1", "10", now=NOW + 4)
    says(db, "command", now=NOW + 5)
    assert (asking(db), asking(db, thread="t"), asking(db, "1")) == ("two", "elsewhere", "another")
    assert (asking(db, "0"), asking(db, "yes, and run the tests")) == ("", "")
    says(db, "not heard yet", now=NOW + 6, done=False)
    assert (asking(db), asking(db, thread="t")) == ("", "elsewhere")


def test_once_a_command_came_after_it_a_question_is_asked_for_an_hour(db: Db) -> None:
    asks(db, "one", "yes")
    assert asking(db, until=NOW + 2 * ASKING_SECONDS) == "one"
    says(db, "command", now=NOW + 5)
    assert asking(db, until=NOW + ASKING_SECONDS - 1) == "one"
    assert asking(db, until=NOW + ASKING_SECONDS + 1) == ""


def test_once_an_agent_was_given_a_prompt_no_older_question_is_asked(db: Db) -> None:
    asks(db, "one", "yes")
    prompts_with(db, "prompt", now=NOW + 5)
    assert asking(db) == ""
    asks(db, "two", "yes", now=NOW + 6)
    assert asking(db) == "two"


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
