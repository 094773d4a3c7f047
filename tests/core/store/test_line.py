"""The line of a conversation: its front, its length, who comes before, and whose message shows it."""

from __future__ import annotations

import pytest

from core.model.conversation import Conversation
from core.model.ids import PromptId, RoomId
from core.model.prompt import ChatPlace, Source
from core.store import conversations, deliveries, line, prompts
from core.store.database import Db
from tests.support.store import NOW, a_conversation, counter, running


def room(db: Db, chat: str = "1001") -> RoomId:
    return conversations.room(db, "fake", "roost", chat).id


def said(db: Db, conversation: Conversation, where: RoomId, text: str = "Go") -> PromptId:
    source = Source("fake", "roost", f"u{next(counter)}")
    accepted = prompts.accept(db, source, conversation.id, text, now=NOW, place=ChatPlace(where, "in1"))
    return accepted.prompt.id


def is_shown(db: Db, prompt: PromptId, message: str = "out1") -> None:
    deliveries.shows_progress(db, prompt, room(db), message, now=NOW)


@pytest.fixture
def here(db: Db) -> Conversation:
    """One runs in it."""
    conversation = a_conversation(db)
    running(db, conversation, "one")
    return conversation


def test_each_room_has_its_own_and_the_conversation_all(db: Db, here: Conversation) -> None:
    ann, bob = room(db), room(db, "2002")
    second, third, fourth = said(db, here, ann, "two"), said(db, here, bob), said(db, here, ann)
    assert line.said_in(db, here.id, ann) == [second, fourth]
    assert line.said_in(db, here.id, bob) == [third]
    assert line.first(db, here.id, 2) == [(second, "two"), (third, "Go")]
    assert line.count(db, here.id) == 3


def test_what_comes_before_follows_the_order_of_the_line(db: Db, here: Conversation) -> None:
    numbers = [said(db, here, room(db), text) for text in ("two", "three", "four")]
    assert [line.before(db, prompts.get(db, number)) for number in numbers] == [
        (1, "one"),
        (2, "two"),
        (3, "three"),
    ]
    prompts.move_up(db, numbers[2])
    prompts.cancel(db, numbers[1], now=NOW)
    assert line.before(db, prompts.get(db, numbers[2])) == (1, "one")
    assert line.before(db, prompts.get(db, numbers[0])) == (2, "four")


def test_nothing_is_before_the_first(db: Db) -> None:
    alone = said(db, a_conversation(db), room(db))
    assert line.before(db, prompts.get(db, alone)) == (0, "")


def test_a_line_is_shown_by_the_first_that_has_a_message(db: Db, here: Conversation) -> None:
    where = room(db)
    _, third, fourth = (said(db, here, where) for _ in range(3))
    assert line.shown_by(db, here.id, where) is None
    is_shown(db, fourth)
    is_shown(db, third, "")
    assert line.shown_by(db, here.id, where) == third
    assert line.shown_by(db, here.id, room(db, "2002")) is None


def test_what_was_dropped_hands_its_message_on(db: Db, here: Conversation) -> None:
    where = room(db)
    second, third, fourth = (said(db, here, where) for _ in range(3))
    is_shown(db, second)
    prompts.cancel(db, second, now=NOW)
    for _ in range(2):
        line.hand_on(db, second, where)
        assert deliveries.progress_of(db, third, where) == "out1"
        assert deliveries.progress_of(db, second, where) is None
    prompts.cancel(db, fourth, now=NOW)
    line.hand_on(db, fourth, where)
    assert deliveries.progress_of(db, third, where) == "out1"
    prompts.cancel(db, third, now=NOW)
    line.hand_on(db, third, where)
    assert deliveries.progress_of(db, third, where) == "out1"


def test_a_message_that_may_not_be_there_is_not_handed_on(db: Db, here: Conversation) -> None:
    where = room(db)
    second, third = said(db, here, where), said(db, here, where)
    is_shown(db, second, "")
    prompts.cancel(db, second, now=NOW)
    line.hand_on(db, second, where)
    assert deliveries.progress_of(db, third, where) is None
