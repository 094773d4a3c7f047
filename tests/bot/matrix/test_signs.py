"""Signs to press where a homeserver counts what we say: each comes when an edit has left room for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Button, Flood, MessageRef, Refused, RoomAddress
from bot.matrix.cut import Part
from bot.matrix.pressing import Pressing
from bot.texts import Texts
from bot.tokens import Tokens
from core.store.database import Database

EN = Texts("en", strict=True)
ROOM = RoomAddress("matrix", "@roost:x", "!room:x")
STOP = Part("0:12", buttons=(Button("Stop", "/cancel 7"),))
CHOICE = Part("Which?", buttons=(Button("shop", "/project #1"), Button("blog", "/project #2")))


class Homeserver:
    """Takes *room* events more, and keeps what came."""

    def __init__(self, room: int, *, gone: tuple[str, ...] = ()) -> None:
        self.room, self.gone = room, gone
        self.said: list[str] = []

    async def react(self, room: RoomAddress, message: MessageRef, sign: str) -> None:
        if message in self.gone:
            raise Refused
        self._take(f"{message} {sign}")

    async def send(self, part: Part) -> MessageRef:
        self._take(part.body.partition("\n")[0])
        return MessageRef(f"${len(self.said)}")

    def _take(self, said: str) -> None:
        if self.room < 1:
            raise Flood(5.0)
        self.room -= 1
        self.said.append(said)


async def edited(pressing: Pressing, server: Homeserver, message: MessageRef, part: Part) -> None:
    await server.send(await pressing.stays(ROOM, message, part, EN, sealed=False))
    if part.buttons:
        await pressing.make_good()


@pytest.fixture
async def tokens(tmp_path: Path) -> AsyncIterator[Tokens]:
    store = await Database.open(tmp_path)
    yield Tokens(store, "matrix", lambda: 1_000.0)
    await store.close()


async def test_a_sign_that_there_was_no_room_for_comes_after_an_edit_that_leaves_some(tokens: Tokens) -> None:
    server = Homeserver(1)
    pressing = Pressing(tokens, server.react)
    shown = await pressing.send(ROOM, STOP, server.send, EN, sealed=False)
    assert server.said == ["0:12"]
    server.room = 1
    await edited(pressing, server, shown, STOP)
    server.room = 3
    await edited(pressing, server, shown, STOP)
    await edited(pressing, server, shown, STOP)
    assert server.said == ["0:12", "0:12", "0:12", f"{shown} 🛑", "0:12"]


async def test_each_edit_is_followed_by_one_sign_wherever_it_is_missing(tokens: Tokens) -> None:
    server = Homeserver(3)
    pressing = Pressing(tokens, server.react)
    shown = await pressing.send(ROOM, STOP, server.send, EN, sealed=False)
    asked = await pressing.send(ROOM, CHOICE, server.send, EN, sealed=False)
    server.room = 9
    await edited(pressing, server, shown, STOP)
    await edited(pressing, server, shown, STOP)
    assert server.said[3:] == ["0:12", f"{asked} 1️⃣", "0:12", f"{asked} 2️⃣"]


async def test_what_can_be_pressed_no_more_or_is_gone_gets_no_sign(tokens: Tokens) -> None:
    server = Homeserver(1)
    pressing = Pressing(tokens, server.react)
    asked = await pressing.send(ROOM, CHOICE, server.send, EN, sealed=False)
    server.room = 1
    shown = await pressing.send(ROOM, STOP, server.send, EN, sealed=False)
    server.room, server.gone = 9, (shown,)
    await edited(pressing, server, asked, Part("shop it is"))
    await edited(pressing, server, shown, STOP)
    assert server.said == ["Which?", "0:12", "shop it is", "0:12"]
