"""What a room is to get, in order, and what is known of it at each step."""

from __future__ import annotations

import pytest

from core.model.ids import PromptId, RoomId
from core.model.prompt import ChatPlace, Source
from core.store import conversations, deliveries, prompts, turns
from core.store.database import Db
from core.store.deliveries import Delivery
from tests.support import store as shelf

NOW = shelf.NOW


@pytest.fixture
def room(db: Db) -> RoomId:
    return conversations.room(db, "telegram", "7", "1001").id


@pytest.fixture
def prompt(db: Db, room: RoomId) -> PromptId:
    conversation = shelf.a_conversation(db)
    place = ChatPlace(room, "m1")
    source = Source("telegram", "7", "1")
    return prompts.accept(db, source, conversation.id, "Go", now=NOW, place=place).prompt.id


def due(db: Db, room: RoomId) -> Delivery:
    found = deliveries.next_due(db, room)
    assert found is not None
    return found


def drained(db: Db, room: RoomId) -> list[str]:
    """The bodies of everything that is due, sent one after the other."""
    said = []
    while found := deliveries.next_due(db, room):
        said.append(found.body)
        deliveries.sent(db, found.id, f"out{found.id}")
    return said


def test_replies_leave_in_order_and_once(db: Db, room: RoomId) -> None:
    deliveries.add(db, room, ["one", "two"], now=NOW)
    deliveries.add(db, room, ["three"], now=NOW)
    assert drained(db, room) == ["one", "two", "three"]
    assert deliveries.next_due(db, room) is None


def test_only_rooms_of_the_account_with_something_due_are_named(db: Db, room: RoomId) -> None:
    other = conversations.room(db, "telegram", "8", "1001").id
    for one in (room, other):
        deliveries.add(db, one, ["one"], now=NOW)
    assert deliveries.rooms_due(db, "telegram", "7") == [(room, ("telegram", "7", "1001", ""))]
    drained(db, room)
    assert deliveries.rooms_due(db, "telegram", "7") == []


@pytest.mark.parametrize(("unknown", "repeat"), [(False, False), (True, True)])
def test_what_comes_back_knows_whether_it_may_be_there(
    db: Db, room: RoomId, unknown: bool, repeat: bool
) -> None:
    deliveries.add(db, room, ["one"], now=NOW)
    assert not due(db, room).repeat
    deliveries.sending(db, due(db, room).id)
    assert due(db, room).repeat
    deliveries.set_back(db, due(db, room).id, unknown=unknown)
    assert due(db, room).repeat is repeat


def test_what_is_refused_is_not_tried_again(db: Db, room: RoomId) -> None:
    deliveries.add(db, room, ["one", "two"], now=NOW)
    deliveries.refused(db, due(db, room).id)
    assert drained(db, room) == ["two"]


def test_something_else_may_take_its_place(db: Db, room: RoomId) -> None:
    deliveries.add(db, room, ["one", "two"], now=NOW)
    deliveries.sending(db, due(db, room).id)
    deliveries.instead(db, due(db, room).id, "sorry")
    assert not due(db, room).repeat
    assert drained(db, room) == ["sorry", "two"]


def test_the_end_of_a_prompt_is_announced_once_with_its_answer(
    db: Db, room: RoomId, prompt: PromptId
) -> None:
    (work,) = shelf.claimed(db)
    shelf.finish(db, work)
    deliveries.announce(db, prompt, now=NOW)
    ended = due(db, room)
    assert (ended.kind, ended.prompt) == ("ended", prompt)
    deliveries.cut(db, ended, ["Done.", "fold"])
    deliveries.cut(db, ended, ["Done.", "fold"])
    assert drained(db, room) == ["Done.", "fold"]


def test_what_was_dropped_from_the_line_is_announced_too(db: Db, room: RoomId, prompt: PromptId) -> None:
    prompts.cancel(db, prompt, now=NOW)
    assert due(db, room).kind == "ended"


def test_who_reads_the_events_is_told_nothing(db: Db) -> None:
    work = shelf.running(db)
    turns.end(db, [shelf.step(work)], shelf.DONE, now=NOW)
    assert db.execute("SELECT count(*) FROM deliveries").fetchone()[0] == 0


def test_parts_are_as_old_as_the_end_that_they_tell(db: Db, room: RoomId, prompt: PromptId) -> None:
    deliveries.announce(db, prompt, now=NOW)
    deliveries.cut(db, due(db, room), ["Done."])
    assert due(db, room).at == NOW


def test_what_is_told_of_an_event_is_told_once(db: Db, room: RoomId, prompt: PromptId) -> None:
    for _ in range(2):
        deliveries.add_once(db, room, prompt, 7, "The machine went down.", now=NOW)
    deliveries.add_once(db, room, prompt, 8, "Again.", now=NOW)
    assert drained(db, room) == ["The machine went down.", "Again."]


def test_progress_is_never_due_and_keeps_its_name(db: Db, room: RoomId, prompt: PromptId) -> None:
    assert deliveries.progress_of(db, prompt, room) is None
    for name in ("", "out7", "out7"):
        deliveries.shows_progress(db, prompt, room, name, now=NOW)
        assert deliveries.progress_of(db, prompt, room) == name
    assert deliveries.next_due(db, room) is None
    deliveries.shows_no_progress(db, prompt, room)
    assert deliveries.progress_of(db, prompt, room) is None


def test_what_is_tried_again_never_forgets_that_it_may_be_there(db: Db, room: RoomId) -> None:
    deliveries.add(db, room, ["one"], now=NOW)
    for unknown in (True, False, False):
        deliveries.sending(db, due(db, room).id)
        deliveries.set_back(db, due(db, room).id, unknown=unknown)
    assert due(db, room).repeat
    deliveries.instead(db, due(db, room).id, "sorry")
    assert due(db, room).repeat
    deliveries.refused(db, due(db, room).id)
    assert deliveries.owe(db, room) == 1
    assert due(db, room).repeat


def moved(db: Db) -> None:
    conversations.move(db, "telegram", "7", "1001", "-100")


def test_every_room_of_a_chat_moves_with_it_once(db: Db, room: RoomId) -> None:
    topic = conversations.room(db, "telegram", "7", "1001", "5").id
    other = conversations.room(db, "telegram", "8", "1001").id
    for _ in range(2):
        moved(db)
        assert conversations.room(db, "telegram", "7", "-100").id == room
        assert conversations.room(db, "telegram", "7", "-100", "5").id == topic
        assert conversations.room(db, "telegram", "8", "1001").id == other


def test_a_move_done_again_leaves_what_was_said_since_alone(db: Db, room: RoomId, prompt: PromptId) -> None:
    moved(db)
    db.execute("UPDATE prompts SET message = '7'")
    deliveries.shows_progress(db, prompt, room, "8", now=NOW)
    deliveries.add(db, room, ["one"], now=NOW)
    moved(db)
    assert (deliveries.progress_of(db, prompt, room), due(db, room).moved) == ("8", False)
    assert [row["message"] for row in db.execute("SELECT message FROM prompts")] == ["7"]


@pytest.mark.parametrize(("here", "there"), [(True, False), (True, True), (False, True), (False, False)])
def test_a_room_that_is_known_under_both_names_becomes_one(
    db: Db, room: RoomId, prompt: PromptId, here: bool, there: bool
) -> None:
    new = conversations.room(db, "telegram", "7", "-100").id
    old_project, new_project = shelf.a_project(db, "old").id, shelf.a_project(db, "new").id
    conversations.bind(db, room, old_project if here else None)
    conversations.bind(db, new, new_project if there else None)
    deliveries.add(db, room, ["one"], now=NOW)
    deliveries.add(db, new, ["two"], now=NOW)
    for _ in range(2):
        moved(db)
    one = conversations.room(db, "telegram", "7", "-100")
    assert one.project == (new_project if there else old_project if here else None)
    assert prompts.place_of(db, prompt) == ChatPlace(one.id, "")
    assert deliveries.rooms_due(db, "telegram", "7") == [(one.id, ("telegram", "7", "-100", ""))]
    assert drained(db, one.id) == ["one", "two"]


def test_what_is_still_said_to_a_name_that_was_left_comes_along_with_the_next_move(
    db: Db, room: RoomId
) -> None:
    new = conversations.room(db, "telegram", "7", "-100").id
    conversations.bind(db, room, shelf.a_project(db).id)
    moved(db)
    deliveries.add(db, new, ["late"], now=NOW)
    moved(db)
    assert drained(db, room) == ["late"]


def test_numbers_of_messages_stay_behind_when_a_room_moves(db: Db, room: RoomId, prompt: PromptId) -> None:
    """There they count anew, so an old one would be somebody else's message."""
    db.execute("UPDATE prompts SET message = '7'")
    deliveries.shows_progress(db, prompt, room, "8", now=NOW)
    deliveries.announce(db, prompt, now=NOW)
    ended = due(db, room)
    moved(db)
    assert (deliveries.progress_of(db, prompt, room), deliveries.strays(db, prompt, room)) == (None, True)
    assert [row["message"] for row in db.execute("SELECT message FROM prompts")] == [""]
    deliveries.cut(db, ended, ["Done."])
    assert due(db, room).moved
