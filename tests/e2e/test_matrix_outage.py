"""A homeserver that is gone in mid-turn, or fails at one call: the answer is there once, none twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_matrix_trouble import answered
from tests.matrix.gateway import gateway
from tests.matrix.person import People, people
from tests.matrix.service import Served, served
from tests.matrix.synapse import Synapse
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

GONE_SECONDS = 30.0
FROZEN_SECONDS = 35.0
"""Longer than a call waits for its answer: what the homeserver has not answered yet is sent once more."""
AGAIN_SECONDS = 65.0
"""Until we look again, at the latest."""

Gone = tuple[Callable[[Synapse], None], Callable[[Synapse], None], float]


def closed(held: Served, room: str) -> bool:
    """Whether what showed the turn says that it is over, and can't be stopped any more."""
    (shown,) = [seen.body for seen in held.ann.seen(room) if seen.body.startswith(("⏳", "✓"))]
    return shown.startswith("✓") and "!cancel" not in shown


def told(held: Served, words: str) -> int:
    """How often the log says that."""
    return held.log.count(words)


async def asks(held: Served, room: str) -> str:
    """Until its turn is shown."""
    asked = held.ann.says(room, "Why is checkout slow?")
    await held.answers(room, "⏳")
    return asked


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "gone",
    [(Synapse.kill, Synapse.start, GONE_SECONDS), (Synapse.freeze, Synapse.thaw, FROZEN_SECONDS)],
    ids=["killed", "frozen"],
)
async def test_it_gets_the_answer_once(shop: Roost, homeserver: Synapse, tmp_path: Path, gone: Gone) -> None:
    """In the open and encrypted; the agents go on meanwhile, and end."""
    goes, comes, seconds = gone
    server = Synapse(homeserver.python, tmp_path / "synapse")
    server.start()
    try:
        with people(server, tmp_path / "people") as everybody:
            async with served(shop, everybody) as held:
                (shop.home / "blog").mkdir()
                assert shop("project", "add", "blog", str(shop.home / "blog")).status == 0
                held.start()
                rooms = [await held.room(), await held.room(encrypted=True, project="blog")]
                go = shop.holds()
                asked = [await asks(held, room) for room in rooms]
                before = [len(held.ann.seen(room)) for room in rooms]
                goes(server)
                go.touch()
                await held.settles(seconds)
                assert shop("status", "--json").json["running"] == []
                comes(server)
                for room, prompt, count in zip(rooms, asked, before, strict=True):
                    await held.until(lambda room=room: answered(held, room), seconds=AGAIN_SECONDS)
                    await held.until(lambda room=room: closed(held, room))
                    assert answered(held, room) == {prompt: 1}
                    assert len(held.ann.seen(room)) == count + 1, held.ann.reads(room)
                    assert held.ann.timeline(room).unreadable == []
                await held.until(lambda: told(held, "can be reached again") == told(held, "can’t be reached"))
                assert told(held, "can’t be reached") == (goes is Synapse.kill)
        assert len(shop.play.starts) == 2
    finally:
        server.stop()


@pytest.mark.parametrize("piece", ["/sync", "/send/", "/keys/query", "/keys/claim", "/sendToDevice/"])
async def test_pages_in_place_of_one_call_cost_nothing_but_time(
    shop: Roost, everybody: People, piece: str
) -> None:
    """Of all that an answer needs in an encrypted room where somebody has a new device."""
    async with served(shop, everybody) as held, gateway(everybody.server.url) as before:
        held.configure(before.url)
        held.start()
        room = await held.room(encrypted=True)
        before.failing = piece
        everybody.person(member=held.ann.member)
        asked, counted = held.ann.says(room, "Why is checkout slow?"), len(before.calls)
        await held.until(lambda: sum(piece in call for call in before.calls[counted:]) >= 3)
        assert len(before.calls) - counted < 60
        before.failing = None
        await held.until(lambda: answered(held, room))
        await held.settles(1.0)
        assert answered(held, room) == {asked: 1}
        assert held.ann.timeline(room).unreadable == []


async def test_pages_in_place_of_the_first_keys_are_borne(shop: Roost, everybody: People) -> None:
    async with served(shop, everybody) as held, gateway(everybody.server.url) as before:
        held.configure(before.url)
        before.failing = "/keys/upload"
        held.start()
        await held.until(lambda: sum("/keys/upload" in call for call in before.calls) >= 3)
        assert sum("/login" in call for call in before.calls) == 1
        before.failing = None
        room = await held.room(encrypted=True)
        asked = held.ann.says(room, "Why is checkout slow?")
        await held.until(lambda: answered(held, room))
        assert answered(held, room) == {asked: 1}
