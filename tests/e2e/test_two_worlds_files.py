"""What comes with a prompt in one world is in the other, also where that is encrypted."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.matrix.person import People
from tests.support.both import Both, both
from tests.support.roost import Roost

pytestmark = pytest.mark.synapse

NOTES = b"queries: 12\n"


def picture() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(data, "PNG")
    return data.getvalue()


async def shared(held: Both, *, encrypted: bool) -> None:
    await held.begin(encrypted=encrypted)
    if not encrypted:
        await held.share()
        return
    await held.says("/settings mirror on", "This room shares shop")
    held.served.ann.says(held.room, "!settings mirror on")
    await held.agreed("not encrypted from end to end")


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_pictures_and_files_are_in_both(shop: Roost, everybody: People, *, encrypted: bool) -> None:
    async with both(shop, everybody) as held:
        await shared(held, encrypted=encrypted)
        held.phone.ann.writes("Why this?", held.group, photo=picture())
        await held.until(lambda: held.count("Hi.") == (1, 1))
        (shown,) = held.pictures()
        assert (shown.secret, Image.open(io.BytesIO(held.served.ann.opens(shown))).size) == (
            encrypted,
            (60, 40),
        )
        held.phone.ann.writes("And this?", held.group, document=("notes.txt", NOTES))
        file = await held.reads("notes.txt")
        await held.until(lambda: held.count("Hi.") == (2, 2))
        (file,) = [seen for seen in held.served.ann.seen(held.room) if seen.kind == "m.file"]
        assert held.served.ann.opens(file) == NOTES
        held.served.ann.attaches(held.room, "cart.png", picture())
        await held.phone.until("[cart", held.group)
        sent = held.phone.one("[cart", held.group)
        assert sent.photo
        await held.until(lambda: held.count("Hi.") == (3, 3))
        held.served.ann.attaches(held.room, "log.txt", NOTES)
        await held.phone.until("[log.txt]", held.group)
        document = held.phone.one("[log.txt]", held.group).document
        assert document
        assert document.data == NOTES
