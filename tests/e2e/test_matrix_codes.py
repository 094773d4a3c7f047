"""A code on Matrix: whoever it is for begins a direct chat with the bot, and says it there."""

from __future__ import annotations

import asyncio

import pytest

from bot.door import TRIES_EACH
from tests.e2e.test_pair import code_in
from tests.matrix.person import People, Person
from tests.matrix.service import Served, served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])


async def offered(held: Served) -> str:
    held.start()
    await held.room()
    return code_in((await asyncio.to_thread(lambda: held.roost("pair", "--role", "viewer"))).out)


async def visits(bob: Person, held: Served, *, encrypted: bool) -> str:
    """The room that Bob, whom nobody let in, has with the bot."""
    room = bob.writes_to(held.bot.id)
    await bob.until(lambda: bob.members(room)[held.bot.id] == "join")
    if encrypted:
        bob.encrypts(room)
    return room


@ENCRYPTED
async def test_it_lets_somebody_in(shop: Roost, everybody: People, *, encrypted: bool) -> None:
    async with served(shop, everybody) as held:
        code, bob = await offered(held), everybody.person("bob")
        room = await visits(bob, held, encrypted=encrypted)
        bob.says(room, f"!start {code}")
        await bob.until(lambda: any("look on" in said for said in bob.reads(room)))


@ENCRYPTED
async def test_a_wrong_one_is_answered_as_often_as_it_may_be_tried(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    """As on Telegram; whatever else a stranger says is not."""
    async with served(shop, everybody) as held:
        code, bob = await offered(held), everybody.person("bob")
        room = await visits(bob, held, encrypted=encrypted)
        bob.says(room, "Let me in.")
        for _ in range(TRIES_EACH + 2):
            bob.says(room, "!start wrong")
        await bob.until(lambda: len(bob.reads(room)) >= TRIES_EACH)
        bob.says(room, f"!start {code}")
        await held.settles(2.0)
        assert [said.startswith("That code is no longer good.") for said in bob.reads(room)] == [
            True
        ] * TRIES_EACH
        assert all(seen.secret == encrypted for seen in bob.seen(room))
        assert bob.timeline(room).unreadable == []
