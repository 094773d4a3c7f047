"""A project that is added has a room of its own on Matrix: once, encrypted, and about nothing else."""

from __future__ import annotations

import asyncio
import signal
from functools import partial

import pytest

from tests.matrix.gateway import gateway
from tests.matrix.person import People
from tests.matrix.service import Served, served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

HERE = "This room works in blog: whatever you write here is for its agent."


def add(shop: Roost) -> None:
    folder = shop.home / "blog"
    folder.mkdir()
    added = shop("project", "add", "blog", str(folder))
    assert added.status == 0, added.err


async def invited(held: Served, *before: str) -> str:
    """The room that Ann is asked into, once she is."""
    await held.until(lambda: {*held.ann.invited_to()} - {*before})
    (room,) = {*held.ann.invited_to()} - {*before}
    return room


async def test_added_on_the_command_line(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.start()
        add(shop)
        room = await invited(held)
        held.ann.joins(room)
        welcome = await held.answers(room, HERE)
        assert (welcome.kind, welcome.secret) == ("m.notice", True)
        asked = held.ann.says(room, "Why is it slow?")
        answer = await held.answers(room, "Hi.")
        assert (answer.secret, answer.thread) == (True, "")
        assert answer.content["m.relates_to"] == {"m.in_reply_to": {"event_id": asked}}
        assert held.ann.reads(room)[0] == HERE  # no question, no rule for several
        assert shop("project", "archive", "blog").status == 0
        await held.answers(room, "blog was put away. This room stays as it is")


async def test_added_in_a_chat_which_is_told(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.start()
        chat = await held.room(encrypted=True)
        (shop.home / "blog").mkdir()
        held.ann.says(chat, f"!project add blog {shop.home / 'blog'}")
        await held.answers(chat, "blog has a room of its own on Matrix now. You are invited into it.")
        room = await invited(held)
        held.ann.joins(room)
        await held.answers(room, HERE)


async def test_killed_once_it_was_made_there_is_one(shop: Roost, everybody: People) -> None:
    """What is said in it meanwhile is for its project, and nobody is asked which."""
    async with served(shop, everybody) as held:
        held.start(ROOST_CRASH_AT="own_room")
        add(shop)
        assert await held.died() == -signal.SIGKILL
        room = await invited(held)
        held.ann.joins(room)
        held.ann.says(room, "Why is it slow?")
        held.start()
        await held.answers(room, "Hi.")
        assert sorted(held.ann.reads(room)) == ["Hi.", HERE]
        held.restart()
        await held.settles(3.0)
        assert held.ann.invited_to() == []
        assert len(shop.play.starts) == 1


async def test_a_homeserver_that_fails_meanwhile_makes_one(shop: Roost, everybody: People) -> None:
    """Nor where its answer was lost."""
    async with served(shop, everybody) as held, gateway(everybody.server.url) as before:
        held.configure(before.url)
        held.start()
        chat = await held.room()
        before.failing = "/createRoom"
        (shop.home / "blog").mkdir()
        held.ann.says(chat, f"!project add blog {shop.home / 'blog'}")
        await held.until(lambda: sum("/createRoom" in call for call in before.calls) >= 2)
        assert held.ann.invited_to() == []
        before.failing, before.cut = None, "/createRoom"
        room = await invited(held)
        before.cut = None
        await held.answers(chat, "blog has a room of its own")
        held.ann.joins(room)
        await held.answers(room, HERE)
        assert held.ann.invited_to() == []


async def test_a_project_from_before_gets_one_when_it_is_asked_for(shop: Roost, everybody: People) -> None:
    refused = shop("project", "room", "shop")
    assert (refused.status, "No chat is configured that makes rooms" in refused.err) == (2, True)
    async with served(shop, everybody) as held:
        held.start()
        await held.settles(2.0)
        assert held.ann.invited_to() == []
        wants = partial(shop, "project", "room", "shop")
        at_once = await asyncio.gather(*(asyncio.to_thread(wants) for _ in range(3)))
        assert [ran.status for ran in at_once] == [0, 0, 0]
        room = await invited(held)
        held.ann.joins(room)
        await held.answers(room, HERE.replace("blog", "shop"))
        await held.settles(2.0)
        assert held.ann.invited_to() == []
        again = shop("project", "room", "shop")
        assert "It has a room of its own on Matrix already." in again.err + again.out


async def test_one_that_nobody_wants_is_left_and_may_be_followed_by_another(
    shop: Roost, everybody: People
) -> None:
    async with served(shop, everybody) as held:
        held.start()
        add(shop)
        declined = await invited(held)
        held.ann.leaves(declined)
        await held.settles(2.0)
        assert shop("project", "room", "blog").status == 0
        second = await invited(held, declined)
        held.ann.joins(second)
        await held.answers(second, HERE)
        held.ann.leaves(second)
        await held.settles(2.0)
        assert shop("project", "room", "blog").status == 0
        await invited(held, declined, second)


async def test_whoever_wants_none_gets_none(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.configure(more="rooms = false\n")
        held.start()
        chat = await held.room()
        add(shop)
        held.ann.says(chat, "!project blog")
        await held.answers(chat, "This room works in blog")
        await held.settles(3.0)
        assert held.ann.invited_to() == []


async def test_owners_among_themselves_are_told_the_rule(shop: Roost, everybody: People) -> None:
    """With two of them it is a room of several, which nobody took us into."""
    async with served(shop, everybody) as held:
        bob = everybody.person("bob")
        held.start()
        chat = await held.room()
        held.ann.says(chat, f"!allow {bob.id} owner")
        await held.until(lambda: len(held.ann.reads(chat)) >= 2)
        add(shop)
        room = await invited(held)
        bob.joins(room)
        held.ann.joins(room)
        await held.answers(room, "With several people here")
        asked = held.ann.says(room, f"{held.bot.id}: Why is it slow?")
        answer = await held.answers(room, "Hi.")
        assert answer.thread == asked
        assert not [said for said in held.ann.reads(chat) if "took me" in said]


async def test_one_that_an_owner_upgrades_goes_on_where_that_goes_on(shop: Roost, everybody: People) -> None:
    """With its project; once its owner has banned us from there it is a room of nobody's, and there may be
    another."""
    async with served(shop, everybody) as held:
        held.start()
        chat = await held.room()
        add(shop)
        room = await invited(held)
        held.ann.joins(room)
        await held.answers(room, HERE)
        new = held.ann.upgrades(room, "12")
        held.ann.invites(new, held.bot.id)
        await held.until(lambda: held.ann.members(new).get(held.bot.id) == "join")
        held.ann.says(new, "Why is it slow?")
        await held.answers(new, "Hi.")
        assert "already" in shop("project", "room", "blog").err
        held.ann.bans(new, held.bot.id)
        await held.answers(chat, "I was taken out of")
        assert shop("project", "room", "blog").status == 0
        another = await invited(held)
        held.ann.joins(another)
        await held.answers(another, HERE)
        await held.settles(1.0)
        assert sum("taken out" in said for said in held.ann.reads(chat)) == 1
