"""An outbox at work between a real store and a chat in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.bodies import End, sendable
from bot.chat import RoomAddress, Text
from bot.outbox import Outbox
from core.model.ids import PromptId, RoomId
from core.model.prompt import ChatPlace, Prompt, Source
from core.store import conversations, deliveries, prompts
from core.store.database import Database, Db
from tests.support import store as shelf
from tests.support.fake_chat import ROOM, FakeChat
from tests.support.hand_clock import HandClock, in_turn

OTHER = RoomAddress("fake", "roost", "2002")
TOPIC = RoomAddress("fake", "roost", ROOM.chat, "7")
"""Another room of the same chat."""
REPEAT = "(may be a repeat)"
ASTRAY = "(of a topic)"
FOLDED = Text("✓ 0:04", silent=True)
STRAY = Text("✓ 0:04 Ended.", silent=True)


class Post:
    """An outbox at work. *answers* is what each prompt comes to; *worded*: the languages that marks and what
    stands in for others were asked for in."""

    def __init__(self, store: Database, chat: FakeChat, clock: HandClock) -> None:
        self.store, self.chat, self.clock = store, chat, clock
        self.rooms: dict[RoomAddress, RoomId] = {}
        self.answers: dict[PromptId, list[Text]] = {}
        self.worded: list[str] = []
        self.outbox = Outbox(
            store, chat, clock, compose=self._compose, marks=self._marks, stand_in=self._stand_in
        )

    async def room(self, address: RoomAddress = ROOM) -> RoomId:
        if address not in self.rooms:
            self.rooms[address] = (await self.store.write(conversations.room, *_where(address))).id
        return self.rooms[address]

    async def says(self, *words: str, room: RoomAddress = ROOM) -> None:
        said = sendable(self.chat, [Text(word) for word in words])
        await self.store.write(deliveries.add, await self.room(room), said, now=self.clock.now())
        self.outbox.wake()

    async def prompt(self, room: RoomAddress = ROOM) -> PromptId:
        return (await self.store.write(_prompt, await self.room(room))).id

    def shows(self, prompt: PromptId, words: str, room: RoomAddress = ROOM) -> None:
        self.outbox.show(self.rooms[room], room, prompt, Text(words, silent=True), elapsed=2.0)

    async def ends(self, prompt: PromptId, *words: str) -> None:
        self.answers[prompt] = [Text(word) for word in words]
        await self.store.write(deliveries.announce, prompt, now=self.clock.now())
        self.outbox.wake()

    async def passes(self, seconds: float, step: float = 0.5) -> None:
        await self.clock.passes(seconds, self.store, step=step)

    async def _compose(self, prompt: PromptId, room: RoomId) -> End:
        return End(self.answers[prompt], FOLDED, STRAY)

    def _marks(self, language: str, repeat: bool, since: float, astray: bool) -> str:
        self.worded.append(language)
        late = f"(waited {self.clock.now() - since:.0f} s)" if since else ""
        return " ".join(filter(None, (ASTRAY if astray else "", late, REPEAT if repeat else "")))

    def _stand_in(self, language: str) -> Text:
        self.worded.append(language)
        return Text("Not taken here.")


def _prompt(db: Db, room: RoomId) -> Prompt:
    conversation = shelf.a_conversation(db, shelf.a_project(db, f"shop{next(shelf.counter)}"))
    source = Source("fake", "roost", f"u{next(shelf.counter)}")
    place = ChatPlace(room, "in1")
    return prompts.accept(db, source, conversation.id, "Go", now=shelf.NOW, place=place).prompt


@asynccontextmanager
async def posting(folder: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    """Until the end of the block, where everything dies on the spot."""
    with in_turn():
        shelf.lay(folder)
        store = await Database.open(folder)
        post = Post(store, chat, clock)
        await post.room()
        await post.outbox.take_up()
        working = asyncio.create_task(post.outbox.run())
        try:
            yield post
        finally:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working
            await store.close()


def _where(address: RoomAddress) -> tuple[str, str, str, str]:
    return address.platform, address.account, address.chat, address.thread
