"""Case 84: a picture from an encrypted room comes to the agent as it was, or not at all."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse


def picture() -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (320, 200), "navy").save(held, "PNG")
    return held.getvalue()


async def test_the_agent_gets_what_was_sent_and_of_what_was_changed_its_sender_hears(
    tmp_path: Path, everybody: People
) -> None:
    roost = Roost(tmp_path / "home")
    roost.says("Blue.", {"read_stdin": "eof"})
    shop = roost.with_shop()
    async with served(shop, everybody) as held:
        held.start()
        room, data = await held.room(encrypted=True), picture()
        held.ann.attaches(room, "shot.png", data, mime="image/png", caption="What is on it?")
        await held.answers(room, "Blue.")
        (start,) = shop.play.starts
        assert start.stdin.startswith(b"What is on it?")
        shown = Path(start.argv[start.argv.index("--image") + 1])
        assert shown.read_bytes() == data
        held.ann.attaches(room, "forged.png", data, mime="image/png", caption="And on this?", wrong=True)
        await held.answers(room, "forged.png")
        await held.until(lambda: len(shop.play.starts) == 2)
    assert "--image" not in shop.play.starts[1].argv
