"""What people send in several messages, point at and change, and what nobody could read: the whole way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.support.phone import Phone, phone
from tests.support.play_agent import Start
from tests.support.roost import Roost
from tests.support.whole import BEGUN, COMPLETED, STARTED, says
from tests.telegram.client import picture

OWNER = {"id": 1001, "is_bot": False, "first_name": "owner"}
CHAT = {"id": 1001, "type": "private", "first_name": "owner"}
BOT = {"id": 7000001, "is_bot": True, "first_name": "demo", "username": "demo_agent_bot"}
EVE = {"type": "hidden_user", "sender_user_name": "Eve", "date": 1_789_999_900}


@pytest.fixture
def reader(shop: Roost) -> Roost:
    """Its agent reads the prompt, then says «Hi.»"""
    shop.play.steps({"read_stdin": "eof"}, STARTED, BEGUN, says("Hi."), COMPLETED)
    return shop


async def ready(held: Phone) -> None:
    await held.start()
    await held.works_in_shop()


async def answered(held: Phone, times: int = 1) -> None:
    await held.api.until(lambda: held.chat.reads().count("Hi.") == times)


def asked(shop: Roost) -> list[str]:
    """What each start was told."""
    return [start.stdin.decode() for start in shop.play.starts]


def raw(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {"message_id": number, "date": 1_790_000_000, "chat": CHAT, "from": OWNER, "text": text, **more}


def deliver(held: Phone, *messages: dict[str, Any]) -> None:
    for message in messages:
        held.api.deliver({"update_id": held.api.bot.updates.last_id + 1, "message": message})


def images(start: Start) -> int:
    return start.argv.count("--image")


# --- several messages that are one --------------------------------------------------------------------------


async def test_pitfall_17_an_album_is_one_turn_with_all_of_its_pictures_and_captions(reader: Roost) -> None:
    async with phone(reader) as held:
        await ready(held)
        first, *_ = held.ann.sends_album([picture(90, 60), picture(60, 90)], captions=["Before", "After"])
        await held.api.until(lambda: bool(first.chat.messages[first.id].reactions))
        seen = next(change.at for change in held.seen(first) if change.kind == "reacted")
        assert seen - first.date < 0.6
        await answered(held)
        answer = held.one("Hi.")
        assert answer.reply_to
        assert answer.reply_to.id == first.id
        assert held.api.violations == []
    (start,) = reader.play.starts
    assert images(start) == 2
    assert start.stdin.startswith(b"Before\n\nAfter\n\n")


async def test_pitfall_16_a_long_paste_is_one_turn_and_a_command_does_not_wait(reader: Roost) -> None:
    text = "".join(f"line{number:06}x\n" for number in range(1_000))
    async with phone(reader) as held:
        await ready(held)
        held.ann.pastes(text)
        held.ann.writes("/status")
        await held.until("of 3 agents")
        await answered(held)
    (told,) = asked(reader)
    assert told.startswith(text.rstrip())


@pytest.mark.parametrize("forward_first", [False, True])
async def test_case_23_a_forward_and_its_comment_are_one_turn(reader: Roost, forward_first: bool) -> None:
    comment = raw(501, "what does this mean?")
    forward = raw(502, "Traceback: KeyError 'x'", forward_origin=EVE)
    async with phone(reader) as held:
        await ready(held)
        deliver(held, *([forward, comment] if forward_first else [comment, forward]))
        await answered(held)
    (told,) = asked(reader)
    marked = "Forwarded along with this, from Eve:\n> Traceback: KeyError 'x'"
    assert told.startswith(f"what does this mean?\n\n{marked}\n\n")


async def test_pitfall_18_a_batch_of_forwards_is_one_turn(reader: Roost) -> None:
    async with phone(reader) as held:
        await ready(held)
        deliver(held, *(raw(501 + number, f"log {number}", forward_origin=EVE) for number in range(3)))
        await answered(held)
    (told,) = asked(reader)
    assert told.startswith("log 0\n\nlog 1\n\nlog 2\n\nThis is forwarded, from Eve:")


async def test_pitfalls_10_and_11_a_kill_while_it_gathers_loses_nothing_and_repeats_nothing(
    reader: Roost,
) -> None:
    async with phone(reader) as held:
        await ready(held)
        album = held.api.bot.next_album()
        first = held.ann.writes("one", photo=picture(), media_group_id=album)
        await held.api.until(lambda: bool(first.chat.messages[first.id].reactions))
        await held.end()
        held.ann.writes("two", photo=picture(), media_group_id=album)
        await held.start()
        await answered(held)
        await held.restart()
        held.ann.writes("/queue")
        await held.until("Nothing waits here.")
        assert held.chat.reads().count("Hi.") == 1
    (start,) = reader.play.starts
    assert (images(start), start.stdin[:8]) == (2, b"one\n\ntwo")


async def test_case_21_prompts_that_follow_quickly_stay_apart_and_in_order(reader: Roost) -> None:
    async with phone(reader) as held:
        await ready(held)
        held.ann.writes("p1", photo=picture())
        for number in range(2, 6):
            held.ann.writes(f"p{number}")
        await answered(held, 5)
    assert [told.split()[0] for told in asked(reader)] == ["p1", "p2", "p3", "p4", "p5"]


# --- replies and quotes -------------------------------------------------------------------------------------


async def told(reader: Roost, message: dict[str, Any], files: Sequence[tuple[str, bytes]] = ()) -> Start:
    """What its agent is given for one message; *files* can be had from the server by their ids."""
    async with phone(reader) as held:
        await ready(held)
        for name, data in files:
            held.api.bot.keep("photo.jpg", data, file_id=name)
        deliver(held, message)
        await answered(held)
        assert not held.says("Nothing is running here.")
    (start,) = reader.play.starts
    return start


async def test_case_26_a_quote_is_the_chosen_words_and_no_more(reader: Roost) -> None:
    replied = raw(3, "Your flight leaves at 6pm from gate B4.") | {"from": BOT}
    quote = {"text": "6pm", "position": 22, "is_manual": True}
    start = await told(reader, raw(510, "are you sure?", reply_to_message=replied, quote=quote))
    said = start.stdin.decode()
    assert said.startswith("are you sure?\n\nThis is about these words of demo:\n> 6pm\n\n")
    assert "gate B4" not in said


async def test_case_26_a_picture_that_is_replied_to_is_handed_over_with_its_caption(reader: Roost) -> None:
    photo = [{"file_id": "P1", "file_unique_id": "uP1", "width": 400, "height": 300, "file_size": 5000}]
    replied = raw(4, "", caption="screen after the crash", photo=photo)
    del replied["text"]
    message = raw(511, "what is wrong here?", reply_to_message=replied)
    start = await told(reader, message, [("P1", picture())])
    assert images(start) == 1
    pointed = b"This replies to a message of owner:\n> screen after the crash"
    assert start.stdin.startswith(b"what is wrong here?\n\n" + pointed)


async def test_case_26_words_of_another_chat_are_told(reader: Roost) -> None:
    news = {"id": -1001999, "type": "channel", "title": "News"}
    origin = {"type": "channel", "chat": news, "message_id": 7, "date": 1_790_000_000}
    quote = {"text": "inversion process", "position": 0}
    start = await told(reader, raw(512, "explain", external_reply={"origin": origin}, quote=quote))
    assert start.stdin.startswith(b"explain\n\nThis is about these words of News:\n> inversion process\n\n")


async def test_case_26_what_is_quoted_is_no_command(reader: Roost) -> None:
    command = [{"type": "bot_command", "offset": 0, "length": 7}]
    replied = raw(2, "/cancel", entities=command)
    start = await told(reader, raw(513, "do not do this", reply_to_message=replied))
    assert start.stdin.startswith(b"do not do this\n\nThis replies to a message of owner:\n> /cancel\n\n")


async def test_pitfall_15_the_beginning_of_a_topic_is_nothing_that_is_replied_to(reader: Roost) -> None:
    service = raw(5, "", forum_topic_created={"name": "x", "icon_color": 1})
    start = await told(reader, raw(514, "hello", reply_to_message=service))
    assert b"> " not in start.stdin
    assert b"replies to" not in start.stdin


async def test_a_reply_to_an_older_answer_carries_on_its_conversation(reader: Roost) -> None:
    async with phone(reader) as held:
        await ready(held)
        held.ann.writes("one")
        await answered(held)
        first = held.one("Hi.")
        held.ann.writes("/new")
        held.ann.writes("two")
        await answered(held, 2)
        held.ann.writes("and then?", reply_to=first)
        await answered(held, 3)
    resumed = ["resume" in start.argv for start in reader.play.starts]
    assert resumed == [False, False, True]
    assert asked(reader)[2].startswith("and then?\n\nThis replies to what you said:\n> Hi.\n\n")


# --- changes ------------------------------------------------------------------------------------------------


async def test_an_edit_changes_what_waits_and_is_offered_to_what_runs(shop: Roost) -> None:
    go = shop.home / "go"
    wait = {"wait_for": str(go)}
    shop.play.steps({"read_stdin": "eof"}, STARTED, BEGUN, wait, says("Hi."), COMPLETED)
    async with phone(shop) as held:
        await ready(held)
        first = held.ann.writes("one")
        await held.until("⏳")
        second = held.ann.writes("two")
        await held.until("Second in line")
        held.ann.edits(second, "2")
        await held.until("Changed: 2.")
        held.ann.edits(first, "1")
        await held.until("That is at work already")
        held.ann.presses("Send as correction")
        await held.api.until(lambda: held.says("in line") or held.says("wait behind"))
        go.touch()
        await answered(held, 3)
        held.ann.edits(second, "two and a half")
        await held.until("That has run already")
        assert held.rung == ["Hi."] * 3
    assert [said.split("\n")[0] for said in asked(shop)] == ["one", "2", "1"]


# --- files and what is none ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["../../etc/passwd", ".env", "-rf", "a\u202eb\n.txt"])
async def test_a_file_of_any_name_lies_safely_in_the_projects_inbox(reader: Roost, name: str) -> None:
    async with phone(reader) as held:
        await ready(held)
        held.ann.writes("Look", document=(name, b"one"))
        await answered(held)
    inbox = reader.shop / ".roost" / "inbox"
    (kept,) = inbox.iterdir()
    assert kept.read_bytes() == b"one"
    assert kept.name.isprintable()
    assert not kept.name.startswith((".", "-"))
    assert str(kept) in asked(reader)[0]


@pytest.mark.parametrize(
    "sent",
    [
        {"location": {"latitude": 1.0, "longitude": 2.0}},
        {"contact": {"phone_number": "1", "first_name": "Bob"}},
        {"dice": {"emoji": "🎲", "value": 3}},
    ],
)
async def test_what_is_neither_words_nor_a_file_gets_one_friendly_sentence(
    shop: Roost, sent: dict[str, Any]
) -> None:
    async with phone(shop) as held:
        await ready(held)
        held.ann.writes(**sent)
        await held.until("I can read words, pictures and files, and nothing of this.")
        assert len(held.chat.reads()) == 2
    assert shop.play.starts == []
