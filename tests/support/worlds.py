"""Two chats at work on one store: a group here, and a room on another platform, about one project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from bot.chat import Joined, Person, RoomAddress
from bot.intents.parse import MATRIX_MARKS
from bot.service import ChatService
from core.answers.secrets import Masker
from core.model.prompt import Source
from core.store import conversations
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, FakeChat
from tests.support.hand_clock import HandClock
from tests.support.office import desk_on

HERE = RoomAddress("telegram", "7", "-100")
THERE = RoomAddress("matrix", "@roost:here", "-200")
ZOE = Person("@zoe:here", "Zoe")
"""She owns this Roost there, as Ann does here."""
STRANGER = Person("3003", "Sam")
AGREE, REFUSE = "I agree", "No"


class Worlds:
    """*here* and *there* are the two chats, of which either may be away."""

    def __init__(self, work: AtWork, there: FakeChat) -> None:
        self.work, self.here, self.there = work, work.chat, there

    async def says(self, words: str, *, there: bool = False, person: Person | None = None) -> None:
        chat, room, who = (self.there, THERE, ZOE) if there else (self.here, HERE, ANN)
        chat.writes(words, room=room, person=person or who)
        await self.work.passes(0.3)

    async def presses(self, label: str, *, there: bool = False, person: Person | None = None) -> None:
        chat, room, who = (self.there, THERE, ZOE) if there else (self.here, HERE, ANN)
        chat.presses(label, room=room, person=person or who)
        await self.work.passes(0.3)

    def reads(self, *, there: bool = False) -> list[str]:
        return self.there.reads(THERE) if there else self.here.reads(HERE)

    async def joins(self, *people: Person) -> None:
        source = Source(HERE.platform, HERE.account, "")
        self.here.happens(Joined(source, HERE, "Shop", people))
        await self.work.passes(0.3)

    async def shares(self) -> None:
        """Both show the same, as owners had it so."""
        await self.says("/settings mirror on")
        await self.says("/settings mirror on", there=True)
        if self.there.encrypted:
            await self.presses(AGREE, there=True)

    async def answered(self, words: str, *, there: bool = False) -> None:
        """*words* were said, and «Done.» was answered."""
        await self.says(words, there=there)
        assert await self.work.runs_all() == [words]

    async def of_mirrors(self) -> list[tuple[str, str, str]]:
        """What is kept of each agreement: how it stands, and who made it."""
        return await self.work.store.read(
            lambda db: [
                (row["state"], row["person"], row["name"])
                for row in db.execute("SELECT * FROM mirrors ORDER BY id")
            ]
        )


@asynccontextmanager
async def two_worlds(
    folder: Path, here: FakeChat, there: FakeChat, clock: HandClock, *, owners: Collection[str] = (ANN.id,)
) -> AsyncIterator[Worlds]:
    """Until the end of the block, where everything dies on the spot. Both rooms are about `shop`; *owners*
    are those here."""
    async with at_work(folder, here, clock, owners=owners) as work:
        desk = desk_on(work.store, there, work.host, clock)
        desk = replace(desk, news=work.news, onlookers=work.onlookers)
        mask = Masker([]).mask
        service = ChatService(there, desk, marks=MATRIX_MARKS, owners=(ZOE.id,), mask=mask)
        running = asyncio.create_task(service.run())
        try:
            yield Worlds(work, there)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def about_shop(worlds: Worlds) -> None:
    """The project, shown in both rooms."""
    made, store = await worlds.work.project(room=None), worlds.work.store
    for room in (HERE, THERE):
        place = await store.write(conversations.room, room.platform, room.account, room.chat, room.thread)
        await store.write(conversations.bind, place.id, made.id)


def chats(clock: HandClock, *, encrypted: bool = False) -> tuple[FakeChat, FakeChat]:
    here = FakeChat(platform=HERE.platform, account=HERE.account, clock=clock)
    there = FakeChat(platform=THERE.platform, account=THERE.account, clock=clock)
    there.encrypted |= {THERE} if encrypted else set()
    return here, there
