"""To a client of another library that knows no unsigned devices, ours is one like its own."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.matrix.strict import NO_SHIELD, UNSIGNED, strict_client
from tests.support.roost import Roost
from tests.telegram.client import picture

pytestmark = [pytest.mark.synapse, pytest.mark.matrix_js]


async def test_a_strict_client_reads_the_answer_and_its_picture(
    shop: Roost, everybody: People, matrix_js: Path
) -> None:
    output = shop.shop / "output"
    output.mkdir()
    (output / "chart.png").write_bytes(picture())
    shop.says("Here it is:\n\n![chart](output/chart.png)", {"sleep": 2.5})
    async with served(shop, everybody) as held:
        zoe = everybody.server.member("zoe")
        held.owners.append(zoe.id)
        held.configure()
        held.start()
        async with strict_client(matrix_js, everybody.server, zoe) as strict:
            room = await strict.room(held.bot.id)
            await strict.meets(room, held.bot.id)
            await strict.says(room, "!project shop")
            await strict.sees(room, lambda one: "This room works in shop" in one.body)
            await strict.says(room, "Draw the chart")
            shown = await strict.sees(room, lambda one: one.data is not None)
            turn = await strict.sees(room, lambda one: one.edited and "✓ 0:0" in one.body)
            seen = await strict.seen(room)
    assert "Here it is:" in [one.body for one in seen]
    assert base64.b64decode(shown.data or "") == picture()
    assert (shown.kind, turn.kind) == ("m.image", "m.notice")
    assert {(one.encrypted, one.shield, one.unreadable) for one in seen} == {(True, NO_SHIELD, None)}


async def test_that_client_is_strict(everybody: People, matrix_js: Path) -> None:
    """Bob's device has no signature: it neither gets keys nor is it read."""
    bob, zoe = everybody.person("bob"), everybody.server.member("zoe")
    async with strict_client(matrix_js, everybody.server, zoe) as strict:
        room = await strict.room(bob.id)
        bob.joins(room)
        await strict.meets(room, bob.id)
        bob.says(room, "from a device that nobody signed")
        read = await strict.sees(room, lambda one: one.unreadable is not None)
        assert read.unreadable == UNSIGNED
        await strict.says(room, "to signed devices only")
        await bob.until(lambda: bob.timeline(room).unreadable)
