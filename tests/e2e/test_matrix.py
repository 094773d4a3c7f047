"""A whole conversation over a real homeserver, in plain and in encrypted rooms."""

from __future__ import annotations

import asyncio

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


@pytest.mark.parametrize("version", ["11", "12"])
@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_a_prompt_gets_its_answer(
    shop: Roost, everybody: People, *, encrypted: bool, version: str
) -> None:
    shop.says("It is the **queries**.", {"sleep": 0.5})
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=encrypted, version=version)
        asked = held.ann.says(room, "Why is checkout slow?")
        answer = await held.answers(room, "It is the queries.")
        assert answer.kind == "m.text"
        assert answer.html == "<p>It is the <strong>queries</strong>.</p>"
        assert answer.secret == encrypted
        assert answer.content["m.relates_to"] == {"m.in_reply_to": {"event_id": asked}}
        assert held.ann.timeline(room).reactions == {asked: ["👀"]}
        assert held.ann.timeline(room).unreadable == []


async def test_set_up_by_questions_it_answers(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        shop.configure()
        words = ["matrix", everybody.server.url, held.bot.id, "wrong", "", "", held.bot.password, held.ann.id]
        stdin = "".join(f"{word}\n" for word in words).encode()
        ran = await asyncio.to_thread(lambda: shop("setup", stdin=stdin))
        assert ran.status == 0, ran.err
        assert held.bot.password not in ran.out + ran.err
        assert "The homeserver lets nobody in with that." in ran.err
        assert ran.err.endswith("Then you are invited into the project’s room.\n")
        lines = {line["name"]: line for line in shop("check", "--json").json}
        said = lines["encryption"]["message"]
        assert (lines["encryption"]["state"], "`roost run` makes and signs them" in said) == ("ok", True)
        held.start()
        await held.room()


async def test_where_no_rooms_are_made_whoever_sets_it_up_is_told_to_invite_it(
    shop: Roost, everybody: People
) -> None:
    bot, ann = everybody.server.member("bot"), everybody.server.member("ann")
    shop.configure("[matrix]\nrooms = false\n")
    words = ["matrix", everybody.server.url, bot.id, bot.password, ann.id]
    stdin = "".join(f"{word}\n" for word in words).encode()
    ran = await asyncio.to_thread(lambda: shop("setup", stdin=stdin))
    assert ran.status == 0, ran.err
    assert ran.err.endswith(f"Then invite {bot.id} into a room, and write there.\n")


async def test_a_thread_is_a_conversation_of_its_own(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=True)
        root = held.ann.says(room, "Why is checkout slow?")
        await held.answers(room, "Hi.")
        asked = held.ann.in_thread(room, root, "And the cart?")
        await held.until(lambda: [seen for seen in held.ann.seen(room) if seen.thread == root])
        (answer,) = [seen for seen in held.ann.seen(room) if seen.thread == root]
        assert answer.body == "Hi."
        assert answer.content["m.relates_to"]["m.in_reply_to"] == {"event_id": asked}
    sessions = {tuple(start.argv).count("resume") for start in shop.play.starts}
    assert sessions == {0}


async def test_a_prompt_that_waits_says_what_it_was_changed_to(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.start()
        room = await held.room(encrypted=True)
        go = shop.holds()
        held.ann.says(room, "Go")
        await held.until(lambda: shop.agents)
        waits = held.ann.says(room, "Fix the bug.")
        gone = held.ann.says(room, "Never mind me.")
        await held.answers(room, "in line")
        held.ann.edits(room, waits, "Fix the bug in a.py.")
        held.ann.redacts(room, gone)
        await held.answers(room, "Fix the bug in a.py.")
        go.touch()
        await held.until(lambda: sum(seen.body == "Hi." for seen in held.ann.seen(room)) == 2)
        assert len(shop.agents) == 2


async def test_a_room_of_several_asks_what_it_is_about(shop: Roost, everybody: People) -> None:
    """Once the bot is there; and owners hear of it when it was taken out."""
    async with served(shop, everybody) as held:
        held.start()
        bob = everybody.person("bob")
        room = held.ann.room(bob.id, held.bot.id)
        bob.joins(room)
        await held.answers(room, "What is this group about?")
        held.ann.says(room, "!project shop")
        await held.answers(room, "This room works in shop")
        said = held.ann.says(room, f"{held.bot.id}: Why is checkout slow?")
        answer = await held.answers(room, "Hi.")
        assert answer.content["m.relates_to"]["m.in_reply_to"] == {"event_id": said}
        assert answer.thread == said  # among several people a request begins its thread
        held.ann.removes(room, held.bot.id)
        await held.until(held.ann.invited_to)
        (private,) = held.ann.invited_to()
        held.ann.joins(private)
        await held.answers(private, "shop")
