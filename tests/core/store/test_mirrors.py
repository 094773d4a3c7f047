"""Rooms that show the same: which they are, what is shown beside where it was asked, and how they part."""

from __future__ import annotations

import pytest

from core.model.ids import ProjectId, PromptId, RoomId
from core.model.prompt import ChatPlace, Source
from core.store import conversations, deliveries, mirrors, prompts
from core.store.database import Db
from core.store.mirrors import State
from tests.support.store import NOW, a_conversation, a_project


@pytest.fixture
def project(db: Db) -> ProjectId:
    return a_project(db).id


@pytest.fixture
def rooms(db: Db, project: ProjectId) -> list[RoomId]:
    """Three that show it together, in one conversation."""
    made = [conversations.room(db, "fake", "roost", chat).id for chat in ("-1", "-2", "-3")]
    for room in made:
        conversations.bind(db, room, project)
        mirrors.begin(db, room, project, "1001", "Ann", now=NOW)
    conversations.bind(db, made[0], project, conversations.begin(db, project, engine="codex", now=NOW).id)
    return made


def shown(db: Db, room: RoomId) -> int | None:
    row = db.execute("SELECT conversation FROM rooms WHERE id = ?", (room,)).fetchone()
    return None if row["conversation"] is None else int(row["conversation"])


def asked(db: Db, room: RoomId, update: str = "1") -> PromptId:
    source, here = Source("fake", "roost", update), db.execute("SELECT max(id) FROM conversations")
    place = ChatPlace(room, "in1")
    return prompts.accept(db, source, here.fetchone()[0], "Go", now=NOW, place=place).prompt.id


def test_one_conversation_is_shown_in_all(db: Db, rooms: list[RoomId]) -> None:
    assert {shown(db, room) for room in rooms} == {1}
    assert mirrors.together(db, rooms[1]) == [rooms[0], rooms[2]]


def test_a_prompt_is_shown_in_all_and_its_end_told_in_all(db: Db, rooms: list[RoomId]) -> None:
    prompt = asked(db, rooms[0])
    assert mirrors.told(db, prompt) == rooms[1:]
    assert mirrors.rooms_of(db, prompt, "fake", "roost") == rooms
    assert [room for room, _ in mirrors.shown_beside(db, "fake", "roost")] == rooms[1:]
    deliveries.announce(db, prompt, now=NOW)
    deliveries.announce(db, prompt, now=NOW)
    due = [deliveries.next_due(db, room) for room in rooms]
    assert [(one.kind, one.prompt) for one in due if one] == [("ended", prompt)] * 3


def test_what_is_about_another_project_is_not(db: Db, rooms: list[RoomId]) -> None:
    a_conversation(db, a_project(db, "blog"))
    assert mirrors.told(db, asked(db, rooms[0])) == []


def test_each_room_has_a_message_of_its_own_that_shows_it(db: Db, rooms: list[RoomId]) -> None:
    prompt = asked(db, rooms[0])
    for room in rooms:
        deliveries.shows_progress(db, prompt, room, f"out{room}", now=NOW)
    assert [deliveries.progress_of(db, prompt, room) for room in rooms] == [f"out{room}" for room in rooms]
    deliveries.shows_no_progress(db, prompt, rooms[1])
    assert deliveries.progress_of(db, prompt, rooms[1]) is None
    assert deliveries.progress_of(db, prompt, rooms[2])


def test_who_leaves_is_told_nothing_more_of_the_others_nor_they_of_it(db: Db, rooms: list[RoomId]) -> None:
    theirs, own = asked(db, rooms[0]), asked(db, rooms[1], "2")
    for prompt, there in ((theirs, rooms[1:]), (own, [rooms[0], rooms[2]])):
        for room in there:
            deliveries.add_once(db, room, prompt, deliveries.ASKED, "Go", now=NOW)
    assert mirrors.end(db, rooms[1]) == [rooms[0], rooms[2]]
    assert [deliveries.next_due(db, room) is None for room in rooms] == [True, True, False]
    assert mirrors.told(db, theirs) == [rooms[2]]
    assert mirrors.told(db, own) == []
    assert [shown(db, room) for room in rooms] == [1, None, 1]
    assert mirrors.parted(db, rooms[1], conversations.get(db, prompts.get(db, own).conversation).id)
    assert mirrors.end(db, rooms[1]) == []


def test_a_room_in_another_project_is_with_nobody(db: Db, rooms: list[RoomId]) -> None:
    conversations.bind(db, rooms[0], a_project(db, "blog").id)
    assert mirrors.of_room(db, rooms[0]) is None
    assert mirrors.together(db, rooms[1]) == [rooms[2]]


def test_a_question_counts_once_and_until_something_changes(db: Db, project: ProjectId) -> None:
    one, two = (conversations.room(db, "fake", "roost", chat).id for chat in ("-8", "-9"))
    for room in (one, two):
        conversations.bind(db, room, project)
    first, again = (mirrors.ask(db, one, project, now=NOW) for _ in range(2))
    assert mirrors.asked(db, first) is None
    found = mirrors.asked(db, again)
    assert found
    assert (found.room, found.state) == (one, State.ASKED)
    assert mirrors.together(db, one) == []
    mirrors.begin(db, two, project, "1001", "Ann", now=NOW)
    assert mirrors.asked(db, again) is None
