"""Case 85: a room takes the place of another; project, queue and answer go along, and nobody forges that."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])


@pytest.fixture
def shop(tmp_path: Path) -> Roost:
    roost = Roost(tmp_path / "home")
    roost.says("Hi.")
    return roost.with_shop()


@ENCRYPTED
@pytest.mark.parametrize("down", [False, True], ids=["heard", "missed"])
async def test_an_answer_on_its_way_comes_where_its_room_was_upgraded_to(
    shop: Roost, everybody: People, *, encrypted: bool, down: bool
) -> None:
    """Once we are asked in there, and the project with it; also where that was while nobody heard it."""
    go = shop.holds()
    async with served(shop, everybody) as held:
        held.start()
        old = await held.room(encrypted=encrypted, version="11")
        held.ann.says(old, "Go")
        await held.answers(old, "⏳")
        if down:
            held.end()
        new = held.ann.upgrades(old, "12")
        if not down:
            go.touch()
            await held.settles(1.0)
        held.ann.invites(new, held.bot.id)
        if down:
            held.start()
            go.touch()
        answer = await held.answers(new, "Hi.")
        assert (answer.secret, answer.content.get("m.relates_to")) == (encrypted, None)
        assert "Hi." not in held.ann.reads(old)
        held.ann.says(new, "!status")
        await held.answers(new, "shop")
    assert len(shop.play.starts) == 1


async def test_a_room_that_says_of_itself_alone_to_take_the_place_of_another_does_not(
    shop: Roost, everybody: People
) -> None:
    async with served(shop, everybody) as held:
        held.start()
        old = await held.room()
        forged = held.ann.takes_the_place_of(old, held.bot.id)
        await held.until(lambda: held.ann.members(forged).get(held.bot.id) == "join")
        held.ann.says(forged, "!status")
        await held.answers(forged, "Which project?")
        held.ann.says(old, "!status")
        await held.answers(old, "shop")
