"""A homeserver that counts what we say: lived with, and its owner shown once how to lift that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.matrix.person import People, people
from tests.matrix.service import Served, served
from tests.matrix.synapse import Synapse, synapse
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

CALL = "POST /_synapse/admin/v1/users/{}/override_ratelimit"
MANY = 13
"""Synapse takes ten, and then one in five seconds."""


@pytest.fixture
def counted(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    """People on a homeserver with Synapse's own limits."""
    with (
        synapse(homeserver.python, tmp_path / "synapse", limits=True) as server,
        people(server, tmp_path / "people") as everybody,
    ):
        yield everybody


def notes(held: Served, room: str) -> list[str]:
    return [said for said in held.ann.reads(room) if "override_ratelimit" in said]


@pytest.mark.timeout(180)
async def test_an_owner_is_shown_the_call_that_lifts_the_limits_once(shop: Roost, counted: People) -> None:
    async with served(shop, counted) as held:
        counted.server.lift_limits(held.ann.member)
        held.start()
        room = await held.room(project="")
        for _ in range(MANY):
            held.ann.says(room, "!project")
        await held.until(lambda: notes(held, room), seconds=90)
        (note,) = notes(held, room)
        assert CALL.format(held.bot.id) in note
        assert '{"messages_per_second": 0, "burst_count": 0}' in note
        lines = {line["name"]: line for line in shop("check", "--json").json}
        assert lines["matrix"]["state"] == "warning"
        assert CALL.format(held.bot.id) in lines["matrix"]["remedy"]
        held.restart()
        for _ in range(MANY):
            held.ann.says(room, "!project")
        await held.settles(6.0)
        counted.server.lift_limits(held.bot)
        await held.until(lambda: len(held.ann.reads(room)) > 2 * MANY, seconds=60)
        assert len(notes(held, room)) == 1
