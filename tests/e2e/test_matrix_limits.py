"""A homeserver that counts what we say: lived with, and its owner shown once how to lift that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.matrix.gateway import Gateway, gateway
from tests.matrix.person import People, people
from tests.matrix.service import Served, served
from tests.matrix.synapse import Synapse, synapse
from tests.matrix.timeline import Seen
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

CALL = "POST /_synapse/admin/v1/users/{}/override_ratelimit"
MANY = 13
"""Synapse takes ten, and then one in five seconds."""

FEW = 4
"""Each with three signs, of which none fits any more."""
REFILL_SECONDS = 5.0
SLACK_SECONDS = 2.5
SIGNS = ["1\ufe0f\u20e3", "2\ufe0f\u20e3", "3\ufe0f\u20e3"]


@pytest.fixture
def counted(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    """People on a homeserver with Synapse's own limits."""
    with (
        synapse(homeserver.python, tmp_path / "synapse", limits=True) as server,
        people(server, tmp_path / "people") as everybody,
    ):
        yield everybody


def sendings(before: Gateway) -> list[str]:
    """What the bot tried to say so far."""
    return [path for path in before.calls if "/send/" in path]


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


def edits(held: Served, room: str) -> list[float]:
    """When the bot changed what it had said there (seconds since the epoch)."""
    every = [one for one in held.ann.events(room) if one["sender"] == held.bot.id]
    return [one["origin_server_ts"] / 1000 for one in every if "m.new_content" in one["content"]]


async def asks(held: Served, words: str) -> tuple[str, Seen]:
    """A room that is about nothing yet, and the question which of the projects that is for."""
    room = await held.room(project="")
    held.ann.says(room, words)
    return room, await held.answers(room, "Which project is this for?")


async def comes(held: Served, room: str, words: str) -> float:
    """After how many seconds."""
    began = time.monotonic()
    await held.answers(room, words)
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_question_and_a_turn_get_on_with_what_is_left(shop: Roost, counted: People) -> None:
    """A choice by a sign while there is room for signs, by a word when there is none any more."""
    for name in ("blog", "wiki"):
        (shop.home / name).mkdir()
        assert shop("project", "add", name, str(shop.home / name)).status == 0
    go = shop.holds()
    async with served(shop, counted) as held, gateway(counted.server.url) as before:
        held.configure(before.url, "rooms = false\n")
        counted.server.lift_limits(held.ann.member)
        held.start()
        room, asked = await asks(held, "Go")
        await held.until(lambda: held.ann.timeline(room).reactions.get(asked.id) == SIGNS)
        held.ann.reacts(room, asked.id, SIGNS[1])
        await held.answers(room, "This room works in shop")
        await held.answers(room, "⏳")
        for _ in range(FEW):
            held.ann.says(room, "!project")
        await held.until(lambda: len(held.ann.reads(room)) == FEW + 2, seconds=60)
        sent, full = len(sendings(before)), time.time()
        await held.settles(6 * REFILL_SECONDS)
        assert len(sendings(before)) - sent <= 12
        assert [at for at in edits(held, room) if at > full]
        go.touch()
        assert await comes(held, room, "Hi.") < REFILL_SECONDS + SLACK_SECONDS
        shown = [at for at in edits(held, room) if at > full]
        assert all(after - one > REFILL_SECONDS - 0.1 for one, after in pairwise(shown))
        other, asked = await asks(held, "Go on")
        held.ann.says(other, "1")
        assert await comes(held, other, "This room works in blog") < REFILL_SECONDS + SLACK_SECONDS
        assert await comes(held, other, "Hi.") < REFILL_SECONDS + SLACK_SECONDS
        assert held.ann.reads(room).count("Hi.") == held.ann.reads(other).count("Hi.") == 1
