"""One project in a Telegram group and a Matrix room, with one real service between both servers."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.matrix.person import People
from tests.support.both import FROM_MATRIX, FROM_TELEGRAM, both
from tests.support.roost import Roost
from tests.telegram.server import Rule

pytestmark = pytest.mark.synapse

SAM = 3003
PICTURE = "It is the queries.\n\n![queries](a.png)"


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_both_see_what_was_asked_and_the_answer_with_its_picture(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    """An encrypted room first has an owner agree; until then nothing of either is in the other."""
    Image.new("RGB", (60, 40), "red").save(shop.shop / "a.png")
    shop.says(PICTURE)
    async with both(shop, everybody) as held:
        await held.begin(encrypted=encrypted)
        await held.says("/settings mirror on", "This room shares shop")
        held.served.ann.says(held.room, "!settings mirror on")
        if encrypted:
            question = await held.reads("not encrypted from end to end: Telegram")
            held.served.ann.says(held.room, "Is it a secret?")
            await held.served.until(held.pictures)
            assert held.count("secret") == (0, 0)
            assert held.count("queries.") == (0, 1)
            held.served.ann.replies(held.room, question.id, "I agree")
        await held.reads("show the same of shop from now on")
        held.served.ann.says(held.room, "Why is checkout slow?")
        await held.phone.until("Why is checkout slow?", held.group)
        await held.phone.until("[a.jpg]", held.group)
        assert held.phone.one("Why is checkout slow?", held.group).text.splitlines()[0].endswith(FROM_MATRIX)
        before = 2 if encrypted else 1
        await held.served.until(lambda: len(held.pictures()) == before)
        held.phone.ann.writes("And the cart?", held.group)
        asked = await held.reads("And the cart?")
        assert asked.body.splitlines()[0].endswith(FROM_TELEGRAM)
        await held.served.until(lambda: len(held.pictures()) > before)
        answer = await held.reads("It is the queries.")
        assert answer.content["m.relates_to"] == {"m.in_reply_to": {"event_id": asked.id}}
        assert asked.secret == answer.secret == held.pictures()[-1].secret == encrypted
        assert held.served.ann.opens(held.pictures()[-1])
    assert len(shop.play.starts) == (3 if encrypted else 2)


async def test_either_stops_what_was_asked_in_the_other(shop: Roost, everybody: People) -> None:
    shop.holds()
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        held.served.ann.says(held.room, "Go")
        await held.phone.until("⏳", held.group)
        held.phone.ann.presses("Stop", held.phone.one("⏳", held.group))
        await held.reads("Stopped after")
        await held.phone.until("Stopped after", held.group)
        await held.until(lambda: held.count("⏳") == (0, 0))
        held.phone.ann.writes("Go on", held.group)
        await held.until(lambda: held.count("⏳") == (1, 1))
        held.served.ann.says(held.room, "!cancel")
        await held.until(lambda: held.count("Stopped after") == (2, 2))
        await held.until(lambda: held.count("⏳") == (0, 0))


async def test_a_stranger_in_the_group_is_told_of_and_heard_in_neither(
    shop: Roost, everybody: People
) -> None:
    async with both(shop, everybody, SAM) as held:
        await held.begin()
        await held.says("/settings mirror on", "This room shares shop")
        held.served.ann.says(held.room, "!settings mirror on")
        await held.agreed("In Telegram, 1 other member who isn’t allowed in shop could read along")
        sam = held.phone.api.person(user_id=SAM)
        sam.writes("@demo_agent_bot give me all", held.group)
        sam.writes("/settings@demo_agent_bot mirror off", held.group)
        await held.says("@demo_agent_bot Go", "Hi.")
        await held.reads("Hi.")
        assert held.count("give me") == (0, 0)
    assert len(shop.play.starts) == 1


async def test_killed_with_one_of_them_away_each_gets_the_answer_once(shop: Roost, everybody: People) -> None:
    """Telegram takes nothing for a while, and Roost dies in the middle of what it sends."""
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        await held.phone.restart()
        away = held.phone.api.faults.add(Rule("sendMessage", drop_connection=True))
        held.served.ann.says(held.room, "Go")
        await held.reads("Hi.")
        assert held.count("Hi.") == (0, 1)
        await held.phone.end()
        held.phone.api.faults.remove(away)
        await held.phone.start(ROOST_CRASH_AT="delivering")
        await held.phone.ended(20)
        await held.phone.start()
        await held.phone.until("Hi.", held.group)
        held.phone.ann.writes("Again", held.group)
        await held.until(lambda: held.count("Hi.") == (2, 2))
        assert held.count(FROM_MATRIX) == (1, 0)
        assert held.count(FROM_TELEGRAM) == (0, 1)
    assert len(shop.play.starts) == 2


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_a_stranger_in_the_room_is_told_of_before_anything_is_shown_there(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    sam = everybody.person("sam")
    async with both(shop, everybody) as held:
        await held.begin(encrypted=encrypted)
        held.served.ann.invites(held.room, sam.id)
        sam.joins(held.room)
        held.served.ann.says(held.room, "!settings mirror on")
        await held.reads("This room shares shop")
        await held.says("/settings mirror on", "In Matrix, 1 other member")
        await held.says("@demo_agent_bot Go", "Hi.")
        assert held.count("Hi.") == (1, 0)
        held.phone.ann.presses("I agree", held.phone.one("In Matrix, 1 other member", held.group))
        await held.phone.until("show the same of shop", held.group)
        held.phone.ann.writes("@demo_agent_bot Again", held.group)
        await held.reads("Hi.")
        assert held.count("Hi.") == (2, 1)


async def test_a_topic_is_seen_under_its_title_and_answered_from_the_room(
    shop: Roost, everybody: People
) -> None:
    async with both(shop, everybody, forum=True) as held:
        await held.begin()
        await held.share()
        topic = held.phone.ann.opens_topic(held.group, "Checkout")
        held.phone.ann.writes("@demo_agent_bot Why?", held.group, thread=topic)
        asked = await held.reads("Why?")
        assert asked.body.splitlines()[0].endswith(", from Telegram, in Checkout:")
        await held.until(lambda: held.count("Hi.") == (1, 1))
        held.served.ann.replies(held.room, asked.id, "And how?")
        await held.until(lambda: held.count("Hi.") == (2, 2))
        told = held.phone.one("And how?", held.group)
        assert (told.thread, told.text.splitlines()[0].endswith(FROM_MATRIX)) == (topic, True)
