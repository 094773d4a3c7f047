"""A prompt is found by each of its messages, reworded with them, and corrected once."""

from __future__ import annotations

import pytest

from core.model.ids import RoomId
from core.model.prompt import ChatPlace, Piece, Prompt, Source, joined
from core.store import conversations, deliveries, pieces, prompts
from core.store.database import Db
from tests.support import store as shelf

TWO = (Piece("1", "a", "\n"), Piece("2", "b"))


@pytest.fixture
def room(db: Db) -> RoomId:
    return conversations.room(db, "telegram", "7", "1001").id


def asked(db: Db, room: RoomId, *made_of: Piece) -> Prompt:
    place, talk = ChatPlace(room, made_of[0].message, (), made_of), shelf.a_conversation(db)
    source = Source("telegram", "7", made_of[0].message)
    return prompts.accept(db, source, talk.id, joined(made_of) or "a", now=shelf.NOW, place=place).prompt


def test_it_is_found_by_each_of_its_messages_until_the_room_moves(db: Db, room: RoomId) -> None:
    prompt = asked(db, room, *TWO)
    other = conversations.room(db, "telegram", "7", "1002").id
    assert [pieces.found(db, room, name) for name in ("1", "2", "3")] == [prompt.id, prompt.id, None]
    assert pieces.found(db, other, "1") is None
    deliveries.left_behind(db, room)
    assert pieces.found(db, room, "1") is None


def test_one_message_changes_and_the_others_stay(db: Db, room: RoomId) -> None:
    assert asked(db, room, *TWO).text == "a\nb"
    assert pieces.reword(db, room, "1", "A") == "A\nb"
    assert (pieces.says(db, room, "1"), pieces.says(db, room, "2")) == ("A", "b")


def test_of_one_message_alone_the_words_are_the_prompts(db: Db, room: RoomId) -> None:
    asked(db, room, Piece("1"))
    assert pieces.says(db, room, "1") == ""
    assert pieces.reword(db, room, "1", "A") == "A"


@pytest.mark.parametrize(("made_of", "then"), [((Piece("1"),), "A\n\nsaid"), (TWO, "A\nb\n\nsaid")])
def test_what_is_no_message_stays_behind_the_others(
    db: Db, room: RoomId, made_of: tuple[Piece, ...], then: str
) -> None:
    prompt = asked(db, room, *made_of)
    assert pieces.append(db, prompt, "said") == f"{prompt.text}\n\nsaid"
    assert pieces.reword(db, room, "1", "A") == then


def test_a_correction_is_taken_once(db: Db, room: RoomId) -> None:
    prompt = asked(db, room, *TWO)
    for message, text in (("2", "B"), ("1", "x"), ("1", "A")):
        pieces.correct(db, room, message, text)
    assert pieces.take_correction(db, prompt.id) == Piece("1", "A\n\nB")
    assert pieces.take_correction(db, prompt.id) is None
