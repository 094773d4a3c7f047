"""A homeserver that is gone for half a minute in mid-turn: the answer is there once, nothing stays open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_matrix_trouble import answered
from tests.matrix.person import people
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
