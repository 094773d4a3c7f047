"""Words from a device that its owner has not verified: they count for nothing, and that is told."""

from __future__ import annotations

import pytest

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

TOLD = "This came from a device that its owner has not verified"


async def test_it_is_told_once_for_each_device(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held:
        held.ann.signs_herself()
        held.start()
        room = await held.room(encrypted=True)
        held.ann.says(room, "Why is checkout slow?")
        await held.answers(room, "Hi.")
        second = everybody.person(member=held.ann.member)
        second.says(room, "one")
        await held.answers(room, TOLD)
        second.says(room, "two")
        held.ann.says(room, "!status")
        await held.answers(room, "Nothing runs here.")
        assert sum(TOLD in said for said in held.ann.reads(room)) == 1
        assert held.log.count(f"a device that {held.ann.id} has not verified counts for nothing") == 1
