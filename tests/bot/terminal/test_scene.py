"""A terminal's room carries on where it was left."""

from __future__ import annotations

import pytest

from bot.chat import RoomAddress
from bot.terminal.scene import Scene, enter, scene
from core.model.conversation import Conversation
from core.model.prompt import Status
from core.store import conversations
from core.store.database import Db
from core.store.turns import Ending
from tests.support import store as shelf

ROOM = RoomAddress("terminal", "ann", "1")


@pytest.fixture
def db() -> Db:
    return shelf.connected()


def showing(db: Db, conversation: Conversation) -> None:
    room = conversations.room(db, ROOM.platform, ROOM.account, ROOM.chat)
    conversations.bind(db, room.id, conversation.project, conversation.id)


def answered(db: Db, conversation: Conversation, text: str) -> None:
    shelf.finish(db, shelf.running(db, conversation), Ending(Status.DONE, text))


def test_a_room_without_a_project_shows_nothing(db: Db) -> None:
    assert scene(db, ROOM) == Scene(None, None)


def test_a_project_that_was_never_entered_begins_empty(db: Db) -> None:
    shop = shelf.a_project(db)
    enter(db, ROOM, shop, "")
    assert scene(db, ROOM) == Scene(shop, None)


def test_the_last_answer_is_shown_even_if_it_came_while_nobody_looked(db: Db) -> None:
    conversation = shelf.a_conversation(db)
    showing(db, conversation)
    for words in ("one", "two"):
        answered(db, conversation, words)
    last = scene(db, ROOM).last
    assert last is not None
    answer = conversations.answer_to(db, last.id)
    assert answer is not None
    assert (last.text, answer.text) == ("Go", "two")


def test_what_is_under_way_is_taken_up_in_its_order(db: Db) -> None:
    conversation = shelf.a_conversation(db)
    showing(db, conversation)
    work = shelf.running(db, conversation)
    waiting = shelf.submit(db, conversation)
    found = scene(db, ROOM)
    assert [prompt.id for prompt in found.under_way] == [work.prompt.id, waiting.id]
    assert found.last is None


def test_entering_again_carries_on_the_same_conversation(db: Db) -> None:
    shop = shelf.a_project(db)
    first = shelf.a_conversation(db, shop)
    answered(db, shelf.a_conversation(db, shop), "elsewhere")
    showing(db, first)
    enter(db, ROOM, shop, "")
    assert scene(db, ROOM).conversation == first


def test_after_another_project_the_newest_conversation_is_carried_on(db: Db) -> None:
    shop = shelf.a_project(db)
    newest = shelf.a_conversation(db, shop)
    answered(db, newest, "Done.")
    showing(db, shelf.a_conversation(db, shelf.a_project(db, "blog")))
    answered(db, conversations.begin(db, shop.id, engine="demo", now=shelf.NOW), "From another program.")
    enter(db, ROOM, shop, "")
    found = scene(db, ROOM).conversation
    assert found is not None
    assert found.id == newest.id


def test_another_engine_begins_a_new_conversation(db: Db) -> None:
    shop = shelf.a_project(db)
    showing(db, shelf.a_conversation(db, shop))
    enter(db, ROOM, shop, "codex")
    assert scene(db, ROOM).conversation is not None
    enter(db, ROOM, shop, "demo")
    assert scene(db, ROOM).conversation is None


def test_a_conversation_is_named_once_there_is_something_to_call_it_by(db: Db) -> None:
    conversation = shelf.a_conversation(db)
    showing(db, conversation)
    assert scene(db, ROOM).named is None
    conversations.rename(db, conversation.id, "Ours")
    assert scene(db, ROOM).named == conversations.get(db, conversation.id)
