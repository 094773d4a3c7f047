"""Updates are kept once for ever, in each room's order, until somebody has acted on them."""

from __future__ import annotations

import pytest

from core.model.ids import RoomId
from core.model.prompt import ChatPlace, Source
from core.store import conversations, inbox, prompts, queue
from core.store.database import Db
from tests.support import store as shelf

NOW = shelf.NOW


@pytest.fixture
def room(db: Db) -> RoomId:
    return conversations.room(db, "telegram", "7", "1001").id


def source(update: str, account: str = "7") -> Source:
    return Source("telegram", account, update)


def hear(db: Db, room: RoomId, update: str, body: str = "{}") -> bool:
    return inbox.receive(db, source(update), room, body, said_at=NOW - 60, now=NOW)


def bodies(db: Db, room: RoomId) -> list[str]:
    return [one.body for one in inbox.waiting(db, room)]


def test_an_update_is_kept_once_also_after_it_was_dealt_with(db: Db, room: RoomId) -> None:
    assert hear(db, room, "5", "five")
    assert not hear(db, room, "5", "five again")
    assert bodies(db, room) == ["five"]
    inbox.done(db, source("5"))
    assert not hear(db, room, "5")
    assert bodies(db, room) == []


def test_what_is_being_looked_at_waits_again_after_a_death_until_it_was_seen(db: Db, room: RoomId) -> None:
    for update in ("5", "6", "7"):
        hear(db, room, update, update)
        inbox.looking(db, source(update))
        inbox.done(db, source(update))
    assert bodies(db, room) == []
    inbox.seen(db, source("5"))
    inbox.drop(db, source("6"))
    inbox.look_again(db, "telegram", "8")
    assert bodies(db, room) == []
    inbox.look_again(db, "telegram", "7")
    assert bodies(db, room) == ["7"]


def test_an_older_number_is_no_older_update(db: Db, room: RoomId) -> None:
    for update in ("90", "5", "91"):
        hear(db, room, update, update)
    assert bodies(db, room) == ["90", "5", "91"]
    assert [one.body for one in inbox.waiting(db, room, most=1)] == ["90"]


def test_two_bots_may_use_the_same_numbers(db: Db, room: RoomId) -> None:
    other = conversations.room(db, "telegram", "8", "1001").id
    hear(db, room, "5")
    assert inbox.receive(db, source("5", "8"), other, "{}", said_at=NOW, now=NOW)
    assert inbox.rooms(db, "telegram", "7") == [room]
    assert inbox.rooms(db, "telegram", "8") == [other]


def test_what_it_tells_is_what_was_heard(db: Db, room: RoomId) -> None:
    hear(db, room, "5", "five")
    (received,) = inbox.waiting(db, room)
    assert received == inbox.Received(source("5"), room, "five", NOW - 60)


def test_what_was_dealt_with_keeps_no_words(db: Db, room: RoomId) -> None:
    hear(db, room, "5", "secret words")
    hear(db, room, "6", "more of them")
    inbox.done(db, source("5"))
    prompts.accept(db, source("6"), shelf.a_conversation(db).id, "Go", now=NOW)
    assert [row["body"] for row in db.execute("SELECT body FROM inbox")] == ["", ""]


def test_a_prompt_is_what_becomes_of_its_update(db: Db, room: RoomId) -> None:
    hear(db, room, "5")
    conversation = shelf.a_conversation(db)
    accepted = [prompts.accept(db, source("5"), conversation.id, "Go", now=NOW) for _ in range(2)]
    assert [one.again for one in accepted] == [False, True]
    assert (bodies(db, room), inbox.rooms(db, "telegram", "7")) == ([], [])


def test_what_is_parked_waits_for_its_room_and_keeps_its_place(db: Db, room: RoomId) -> None:
    elsewhere = conversations.room(db, "telegram", "7", "2002").id
    for update in ("1", "2"):
        hear(db, room, update, update)
        inbox.park(db, source(update))
        inbox.done(db, source(update))
    hear(db, room, "3", "3")
    assert (bodies(db, room), inbox.parked(db, room)) == (["3"], 2)
    assert inbox.unpark(db, elsewhere) == 0
    assert inbox.unpark(db, room) == 2
    assert bodies(db, room) == ["1", "2", "3"]


def test_what_is_parked_can_be_dropped(db: Db, room: RoomId) -> None:
    for update in ("1", "2"):
        hear(db, room, update, "secret words")
        inbox.park(db, source(update))
    assert (inbox.drop_parked(db, room), inbox.parked(db, room), inbox.unpark(db, room)) == (2, 0, 0)
    assert [row["body"] for row in db.execute("SELECT body FROM inbox")] == ["", ""]


def test_a_prompt_starts_once_everything_that_was_said_with_it_was_acted_on(db: Db, room: RoomId) -> None:
    conversation = shelf.a_conversation(db)
    hear(db, room, "1")
    hear(db, room, "2")
    place = ChatPlace(room, "m1")
    prompt = prompts.accept(db, source("1"), conversation.id, "Go", now=NOW, place=place).prompt
    other = shelf.submit(db, shelf.a_conversation(db, shelf.a_project(db, "blog")))
    assert [one.prompt for one in queue.line(db)[0] if not one.claimable] == [prompt.id]
    assert [work.prompt.id for work in shelf.claimed(db)] == [other.id]
    inbox.done(db, source("2"))
    assert [work.prompt.id for work in shelf.claimed(db)] == [prompt.id]
