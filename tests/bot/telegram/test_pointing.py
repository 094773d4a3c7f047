"""What a message points at, and where an app may have cut it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.chat import Edited, FileRef, How, MessageRef, Pointed
from bot.telegram.translate import SHORTEST_CUT
from tests.bot.telegram.test_translate import ANN, BOB, PRIVATE, US, Json, kept, message, raw, told

PHOTO = [kept("p", width=400, height=300)]
PICTURE = FileRef("id-p", "photo-7.jpg", 9, "image/jpeg")
NEWS = {"id": -1001999, "type": "channel", "title": "News"}
FROM_NEWS = {"type": "channel", "chat": NEWS, "message_id": 7, "date": 1_790_000_000}
QUOTE = {"quote": {"text": "6pm", "position": 22, "is_manual": True}}


def replied(sender: Json, **more: Any) -> Json:
    return {"text": "why?", "reply_to_message": raw(sender=sender, **more)}


@pytest.mark.parametrize(
    ("more", "pointed"),
    [
        (replied(BOB, text="a"), Pointed(How.REPLY, "a", "Bob")),
        (replied(US, text="Done."), Pointed(How.REPLY, "Done.", "demo", ours=True)),
        (replied(US, text="at 6pm") | QUOTE, Pointed(How.QUOTE, "6pm", "demo", ours=True)),
        (
            replied(ANN, caption="crash", photo=PHOTO),
            Pointed(How.REPLY, "crash", "Ann Lee", files=(PICTURE,)),
        ),
        (replied(BOB, photo=PHOTO), Pointed(How.REPLY, "", "Bob", files=(PICTURE,))),
        (
            {"text": "why?", "external_reply": {"origin": FROM_NEWS}} | QUOTE,
            Pointed(How.QUOTE, "6pm", "News"),
        ),
        (
            {"text": "why?", "external_reply": {"origin": FROM_NEWS, "photo": PHOTO, "message_id": 7}},
            Pointed(How.REPLY, "", "News", files=(PICTURE,)),
        ),
        ({"text": "x", "forward_origin": FROM_NEWS}, Pointed(How.ITSELF, author="News")),
        (
            {"text": "x", "forward_origin": {"type": "user", "date": 1, "sender_user": BOB}},
            Pointed(How.ITSELF, author="Bob"),
        ),
    ],
)
def test_what_it_points_at(more: Json, pointed: Pointed) -> None:
    said = message(**more)
    assert said.points_at == (pointed,)
    assert not said.heads


@pytest.mark.parametrize(
    "more",
    [
        {"text": "why?"},
        {"text": "why?", "external_reply": {"origin": FROM_NEWS}},
        replied(US, forum_topic_created={"name": "x", "icon_color": 1}),
    ],
)
def test_what_points_at_nothing(more: Json) -> None:
    assert message(**more).points_at == ()


@pytest.mark.parametrize(
    ("text", "joint"),
    [
        ("a" * (SHORTEST_CUT - 1), None),
        ("a" * SHORTEST_CUT, "\n"),
        ("a" * 4096, ""),
        ("😀" * 2048, ""),
    ],
)
def test_a_long_text_may_have_been_cut(text: str, joint: str | None) -> None:
    assert message(text=text).joint == joint
    assert message(text=text, forward_origin=FROM_NEWS).joint is None


def test_a_part_of_an_album_names_it() -> None:
    assert message(photo=PHOTO, media_group_id="A1").album == "A1"


def test_an_edit_names_what_it_changes() -> None:
    edited = told(edited_message=raw(text="other words", edit_date=1_790_000_001))
    assert isinstance(edited, Edited)
    assert (edited.message, edited.text, edited.room.chat) == (MessageRef("7"), "other words", "1001")
    assert told(edited_message=raw(PRIVATE, US, text="ours")) is None
