"""A code on Matrix: whoever it is for begins a direct chat with the bot, and says it there."""

from __future__ import annotations

import asyncio

import pytest

from tests.e2e.test_pair import code_in
from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_it_lets_somebody_in(shop: Roost, everybody: People, *, encrypted: bool) -> None:
    async with served(shop, everybody) as held:
        held.start()
        await held.room()
        code = code_in((await asyncio.to_thread(lambda: shop("pair", "--role", "viewer"))).out)
        bob = everybody.person("bob")
        room = bob.writes_to(held.bot.id)
        await bob.until(lambda: bob.members(room)[held.bot.id] == "join")
        if encrypted:
            bob.encrypts(room)
        bob.says(room, f"!start {code}")
        await bob.until(lambda: any("look on" in said for said in bob.reads(room)))
