"""What people do, as the port's values; what nobody said is nothing."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from bot.chat import (
    FileRef,
    Joined,
    Message,
    MessageRef,
    Moved,
    Named,
    Person,
    Press,
    RoomAddress,
    Standing,
    Toward,
)
from bot.telegram.naming import Me
from bot.telegram.translate import Told, translate
from core.model.prompt import Source

ME = Me(7000001, "demo_agent_bot")
US = {"id": 7000001, "is_bot": True, "first_name": "demo", "username": "demo_agent_bot"}
ANN = {"id": 1001, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "username": "ann"}
BOB = {"id": 1002, "is_bot": False, "first_name": "Bob"}
PRIVATE = {"id": 1001, "type": "private", "first_name": "Ann"}
GROUP = {"id": -500001, "type": "group", "title": "shop"}
FORUM = {"id": -100500, "type": "supergroup", "title": "shop", "is_forum": True}
Json = dict[str, Any]


def told(**kind: Any) -> Told:
    update = Update.de_json({"update_id": 5, **kind}, None)
    assert update is not None
    return translate(update, ME)


def raw(chat: Json = PRIVATE, sender: Json | None = ANN, **more: Any) -> Json:
    message: Json = {"message_id": 7, "date": 1_790_000_000, "chat": chat, **more}
    return message | ({"from": sender} if sender else {})


def message(chat: Json = PRIVATE, sender: Json = ANN, **more: Any) -> Message:
    said = told(message=raw(chat, sender, **more))
    assert isinstance(said, Message)
    return said


def mention(text: str, name: str, **more: Any) -> Json:
    entity = {"type": "mention", "offset": text.index(name), "length": len(name), **more}
    return {"text": text, "entities": [entity]}


# --- words -------------------------------------------------------------------------------------------------


def test_words_in_a_private_chat() -> None:
    assert message(text="*a*  /b @c\n") == Message(
        Source("telegram", "7000001", "5"),
        RoomAddress("telegram", "7000001", "1001"),
        Person("1001", "Ann Lee"),
        MessageRef("7"),
        "*a*  /b @c\n",
        alone=True,
        at=1_790_000_000.0,
        heads=True,
    )


def test_in_a_group_nobody_is_alone() -> None:
    said = message(GROUP, text="hello")
    assert (said.room.chat, said.alone, said.toward) == ("-500001", False, Toward.NOBODY)


@pytest.mark.parametrize(
    ("more", "toward"),
    [
        (mention("@Demo_Agent_Bot look", "@Demo_Agent_Bot"), Toward.US),
        (mention("@bob look", "@bob"), Toward.OTHERS),
        (mention("é🙂 look", "look", type="text_mention", user=US), Toward.US),
        (mention("Bob look", "Bob", type="text_mention", user=BOB), Toward.OTHERS),
        ({"reply_to_message": raw(GROUP, US, text="Done."), "text": "why"}, Toward.US),
        ({"reply_to_message": raw(GROUP, BOB, text="Done."), "text": "why"}, Toward.OTHERS),
        ({"reply_to_message": raw(GROUP, BOB), **mention("@demo_agent_bot", "@demo")}, Toward.OTHERS),
        (
            {"reply_to_message": raw(GROUP, BOB, text="?"), **mention("@demo_agent_bot", "@demo_agent_bot")},
            Toward.US,
        ),
        ({"text": "@demo_agent_bot that is code, no mention"}, Toward.NOBODY),
        ({"photo": [{"file_id": "a", "file_unique_id": "a", "width": 1, "height": 1}],
          "caption": "@demo_agent_bot look",
          "caption_entities": [{"type": "mention", "offset": 0, "length": 15}]}, Toward.US),
    ],
)  # fmt: skip
def test_whom_it_speaks_to(more: Json, toward: Toward) -> None:
    assert message(GROUP, **more).toward is toward


def test_a_mention_of_us_is_told_from_a_reply_to_us() -> None:
    reply: Json = {"reply_to_message": raw(GROUP, US, text="Done.")}
    assert message(GROUP, **mention("@demo_agent_bot look", "@demo_agent_bot")).mentions_us
    assert message(GROUP, **reply, **mention("@demo_agent_bot look", "@demo_agent_bot")).mentions_us
    assert not message(GROUP, **reply, text="@demo_agent_bot that is code").mentions_us


def test_a_command_for_another_bot_is_left_to_the_parser() -> None:
    assert message(GROUP, text="/stop@other_bot").text == "/stop@other_bot"


@pytest.mark.parametrize(
    ("more", "foreign"),
    [
        ({}, False),
        ({"forward_origin": {"type": "hidden_user", "date": 1, "sender_user_name": "Eve"}}, True),
        ({"via_bot": {"id": 9, "is_bot": True, "first_name": "Gif"}}, True),
    ],
)
def test_what_somebody_else_wrote_is_known_as_that(more: Json, foreign: bool) -> None:
    assert message(text="/stop", **more).foreign is foreign


def test_what_was_replied_to_is_named() -> None:
    assert message(reply_to_message=raw(sender=US, text="Done."), text="why").reply_to == "7"


# --- topics ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "thread"),
    [
        ({"message_thread_id": 12, "is_topic_message": True}, "12"),
        ({"message_thread_id": 12}, ""),
        ({}, ""),
    ],
)
def test_a_thread_is_one_in_a_topic_only(more: Json, thread: str) -> None:
    assert message(FORUM, text="hello", **more).room.thread == thread


def test_the_beginning_of_a_topic_is_nothing_that_was_replied_to() -> None:
    """Pitfall 15: in a topic, each message that is no reply names it."""
    service = {"forum_topic_created": {"name": "x", "icon_color": 1}}
    said = message(
        FORUM,
        text="hello",
        message_thread_id=12,
        is_topic_message=True,
        reply_to_message=raw(FORUM, US, **service),
    )
    assert (said.toward, said.reply_to) == (Toward.NOBODY, None)


# --- files -------------------------------------------------------------------------------------------------


def kept(name: str, **more: Any) -> Json:
    return {"file_id": f"id-{name}", "file_unique_id": name, "file_size": 9, **more}


@pytest.mark.parametrize(
    ("more", "file"),
    [
        (
            {"photo": [kept("s", width=90, height=60), kept("l", width=1280, height=853),
                       kept("m", width=320, height=213)]},
            FileRef("id-l", "photo-7.jpg", 9, "image/jpeg"),
        ),
        (
            {"document": kept("d", file_name="report.pdf", mime_type="application/pdf")},
            FileRef("id-d", "report.pdf", 9, "application/pdf"),
        ),
        ({"document": kept("d")}, FileRef("id-d", "file-7", 9, "")),
        (
            {"voice": kept("v", duration=3, mime_type="x/ogg")},
            FileRef("id-v", "voice-7.ogg", 9, "x/ogg", spoken=True),
        ),
        ({"audio": kept("a", duration=3, file_name="x.mp3")}, FileRef("id-a", "x.mp3", 9, "", spoken=True)),
        ({"video": kept("w", duration=3, width=9, height=9)}, FileRef("id-w", "video-7", 9, "")),
        ({"video_note": kept("n", duration=3, length=9)}, FileRef("id-n", "video-7.mp4", 9, "video/mp4")),
    ],
)  # fmt: skip
def test_what_comes_with_a_message(more: Json, file: FileRef) -> None:
    said = message(caption="look", **more)
    assert (said.text, said.files) == ("look", (file,))


def test_a_gif_is_one_file() -> None:
    gif = kept("g", file_name="x.mp4")
    said = message(document=gif, animation={**gif, "width": 9, "height": 9, "duration": 1})
    assert [file.name for file in said.files] == ["x.mp4"]


PLACE = {"latitude": 1.0, "longitude": 2.0}


@pytest.mark.parametrize(
    "more",
    [
        {"sticker": {**kept("s", width=9, height=9), "type": "regular", "is_animated": False,
                     "is_video": False}},
        {"location": PLACE},
        {"location": PLACE, "venue": {"location": PLACE, "title": "Shop", "address": "Here"}},
        {"contact": {"phone_number": "1", "first_name": "Bob"}},
        {"poll": {"id": "1", "question": "?", "options": [], "total_voter_count": 0, "is_closed": False,
                  "is_anonymous": True, "type": "regular", "allows_multiple_answers": False,
                  "allows_revoting": True, "members_only": False}},
        {"dice": {"emoji": "🎲", "value": 3}},
        {"game": {"title": "x", "description": "y", "photo": []}},
        {"story": {"id": 1, "chat": PRIVATE}},
    ],
)  # fmt: skip
def test_what_is_neither_words_nor_a_file_is_known_for_it(more: Json) -> None:
    said = message(**more)
    assert (said.text, said.files, said.unreadable) == ("", (), True)
    assert not message(text="hello").unreadable


# --- buttons -----------------------------------------------------------------------------------------------


def press(message: Json | None, **more: Any) -> Json:
    query = {"id": "q1", "from": ANN, "chat_instance": "1", "data": "/cancel 7", **more}
    return query | ({"message": message} if message else {})


def test_a_press_carries_what_its_button_said() -> None:
    where = raw(FORUM, US, text="0:12", message_thread_id=12, is_topic_message=True)
    assert told(callback_query=press(where)) == Press(
        Source("telegram", "7000001", "5"),
        RoomAddress("telegram", "7000001", "-100500", "12"),
        Person("1001", "Ann Lee"),
        MessageRef("7"),
        "/cancel 7",
        threads=True,
    )


def test_a_button_of_a_message_that_is_no_longer_shown_to_us() -> None:
    pressed = told(callback_query=press({"message_id": 3, "chat": PRIVATE, "date": 0}))
    assert isinstance(pressed, Press)
    assert (pressed.message, pressed.room.chat) == ("3", "1001")


# --- membership --------------------------------------------------------------------------------------------


RIGHTS = (
    "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats"
    " can_restrict_members can_promote_members can_change_info can_invite_users can_post_stories"
    " can_edit_stories can_delete_stories"
)


def change(old: str, new: str, chat: Json = GROUP) -> Json:
    def status(name: str) -> Json:
        more: dict[str, Json] = {
            "kicked": {"until_date": 0},
            "administrator": dict.fromkeys(RIGHTS.split(), True),
        }
        return {"user": US, "status": name, **more.get(name, {})}

    return {
        "chat": chat,
        "from": ANN,
        "date": 1,
        "old_chat_member": status(old),
        "new_chat_member": status(new),
    }


REMEDY = "https://t.me/demo_agent_bot?startgroup&admin=manage_topics+pin_messages"
SHOP = RoomAddress("telegram", "7000001", "-500001")
ANN_LEE = Person("1001", "Ann Lee")


@pytest.mark.parametrize(
    ("old", "new", "inside", "begins", "hears"),
    [
        ("left", "member", True, True, False),
        ("kicked", "administrator", True, True, True),
        ("member", "administrator", True, False, True),
        ("administrator", "member", True, False, False),
        ("member", "kicked", False, False, False),
    ],
)
def test_what_we_are_in_a_group(old: str, new: str, inside: bool, begins: bool, hears: bool) -> None:
    remedy = "" if hears or not inside else REMEDY
    stands = Standing(
        Source("telegram", "7000001", "5"), SHOP, ANN_LEE, "shop", inside, begins, hears, remedy
    )
    assert told(my_chat_member=change(old, new)) == stands


def test_who_joins_is_one_and_the_same_however_it_is_told() -> None:
    joins = Joined(Source("telegram", "7000001", "joined -500001 1002 1790000000"), SHOP, "shop", (BOBBY,))
    assert told(message=raw(GROUP, new_chat_members=[BOB, US])) == joins
    told_too = change("left", "member") | {"date": 1_790_000_000}
    for side in ("old_chat_member", "new_chat_member"):
        told_too[side] = told_too[side] | {"user": BOB}
    assert told(chat_member=told_too) == joins
    assert told(message=raw(GROUP, new_chat_members=[US])) is None
    assert told(chat_member=change("member", "left")) is None


BOBBY = Person("1002", "Bob")
IN_TOPIC: Json = {"message_thread_id": 9, "is_topic_message": True}


@pytest.mark.parametrize(
    ("service", "name", "chosen"),
    [
        ({"forum_topic_created": {"name": "Checkout", "icon_color": 1}}, "Checkout", True),
        ({"forum_topic_created": {"name": "Go", "icon_color": 1, "is_name_implicit": True}}, "Go", False),
        ({"forum_topic_edited": {"name": "Basket"}}, "Basket", True),
    ],
)
def test_a_topic_that_a_person_names(service: Json, name: str, chosen: bool) -> None:
    room = RoomAddress("telegram", "7000001", "-100500", "9")
    named = Named(Source("telegram", "7000001", "5"), room, ANN_LEE, name, chosen)
    assert told(message=raw(FORUM, **IN_TOPIC, **service)) == named
    assert told(message=raw(FORUM, US, **IN_TOPIC, **service)) is None


def test_a_group_that_a_person_names_anew() -> None:
    named = Named(Source("telegram", "7000001", "5"), SHOP, ANN_LEE, "Our shop")
    assert told(message=raw(GROUP, new_chat_title="Our shop")) == named


@pytest.mark.parametrize("service", ["forum_topic_closed", "forum_topic_reopened"])
def test_a_topic_that_is_closed_or_opened_again_is_no_news(service: str) -> None:
    assert told(message=raw(FORUM, **IN_TOPIC, **{service: {}})) is None


def test_an_admin_who_hides_is_nobody_in_particular() -> None:
    hides = {"sender_chat": FORUM, "text": "/status"}
    sender = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
    assert message(FORUM, sender, **hides).person == Person("", "")
    assert told(message=raw(FORUM, sender, **hides | {"sender_chat": GROUP})) is None


def test_where_new_conversations_can_have_topics_and_where_anybody_reads() -> None:
    said = message(FORUM | {"username": "shop"}, text="hello")
    assert (said.threads, said.public) == (True, True)
    said = message(GROUP, text="hello")
    assert (said.threads, said.public) == (False, False)


def test_being_where_one_was_is_no_news() -> None:
    assert told(my_chat_member=change("left", "kicked")) is None


# --- nothing -----------------------------------------------------------------------------------------------

CHANNEL = {"id": -100900, "type": "channel", "title": "news"}


@pytest.mark.parametrize(
    "kind",
    [
        {"channel_post": raw(CHANNEL, None, text="news", sender_chat=CHANNEL)},
        {"message": raw(GROUP, {**BOB, "is_bot": True}, text="do it")},
        {"message": raw(GROUP, US, text="Done.")},
        {"message": raw(GROUP, None, text="do it")},
        {"message": raw(CHANNEL, text="do it")},
        {"message": raw(GROUP, pinned_message=raw(GROUP, text="Done."))},
        {"callback_query": press(None, inline_message_id="x")},
        {"callback_query": press(raw(sender=US, text="0:12"), data=None, game_short_name="x")},
        {"callback_query": press(raw(CHANNEL, None, text="0:12"))},
        {"my_chat_member": change("left", "member", CHANNEL)},
        {"message_reaction": {"chat": GROUP, "message_id": 7, "user": ANN, "date": 1, "old_reaction": [],
                              "new_reaction": [{"type": "emoji", "emoji": "👍"}]}},
        {},
    ],
)  # fmt: skip
def test_what_nobody_said_to_us_is_nothing(kind: Json) -> None:
    assert told(**kind) is None


def test_a_group_that_became_a_supergroup_tells_it_from_both_sides() -> None:
    moved = Moved("-500001", "-100500")
    assert told(message=raw(GROUP, migrate_to_chat_id=-100500)) == moved
    assert told(message=raw(FORUM, migrate_from_chat_id=-500001)) == moved
