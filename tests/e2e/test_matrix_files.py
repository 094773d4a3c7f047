"""What people send over Matrix besides words reaches the agent: voice, and pictures that others have sent."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from tests.matrix.person import People
from tests.matrix.service import served
from tests.support.roost import Roost
from tests.support.transcription_server import transcription

pytestmark = pytest.mark.synapse

ENCRYPTED = pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
OGG = b"OggS" + bytes(200)


@ENCRYPTED
async def test_a_voice_message_becomes_words_that_are_shown_and_run(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    async with transcription() as endpoint, served(shop, everybody) as held:
        held.configure(more=f"[transcription]\nbase_url = {json.dumps(endpoint.base_url)}\n")
        held.start()
        room = await held.room(encrypted=encrypted)
        held.ann.attaches(room, "voice.ogg", OGG, mime="audio/ogg")
        await held.answers(room, "Hi.")
        shown = await held.answers(room, "Fix the tests.")
        assert shown.kind == "m.notice"
        assert [call.data for call in endpoint.heard] == [OGG]


@ENCRYPTED
async def test_a_picture_that_somebody_replies_to_reaches_the_agent(
    shop: Roost, everybody: People, *, encrypted: bool
) -> None:
    """It was Bob's, who spoke to nobody."""
    drawn = io.BytesIO()
    Image.new("RGB", (30, 20), "red").save(drawn, "PNG")
    async with served(shop, everybody) as held:
        held.start()
        room, bob = await held.room(encrypted=encrypted), everybody.person("bob")
        held.ann.says(room, f"!allow {bob.id} member")
        held.ann.invites(room, bob.id)
        bob.joins(room)
        await held.answers(room, "With several people here")
        picture = bob.attaches(room, "look.png", drawn.getvalue(), mime="image/png")
        held.ann.replies(room, picture, f"{held.bot.id}: What is this?")
        await held.answers(room, "Hi.")
        (start,) = shop.play.starts
        (image,) = [Path(word) for word in start.argv if word.endswith(".png")]
        assert image.name.endswith("look.png")
        assert image.read_bytes() == drawn.getvalue()
