"""Who can read what is said in a room is looked at before anything that is said there is acted on."""

from __future__ import annotations

from bot.chat import DeliveringChat, Happened, Incoming, Joined, Message, RoomAddress, Standing
from bot.handlers import mirroring
from bot.handlers.desk import Desk
from bot.happenings import Happenings
from core.store import mirrors


class Audience:
    """What was told of a room once is told no more in this process."""

    def __init__(self, chat: DeliveringChat, desk: Desk, happenings: Happenings) -> None:
        self._chat = chat
        self._desk = desk
        self._happenings = happenings
        self._public: set[str] = set()
        self._sealed: set[RoomAddress] = set()

    async def look(self, incoming: Incoming) -> None:
        """Whether anybody at all reads along in its room, or it is encrypted by now."""
        if isinstance(incoming, Message) and incoming.public and incoming.room.chat not in self._public:
            await self._open_to_all(incoming.room)
        if incoming.room not in self._sealed and self._chat.sealed(incoming.room):
            await self._seal(incoming.room)

    async def count(self, happened: Happened) -> None:
        """Others may read along in its room from now on, where it shows the same as other rooms."""
        if not isinstance(happened, Joined | Standing):
            return
        store, there = self._desk.store, happened.room
        for room in await store.glance(mirrors.in_chat, there.platform, there.account, there.chat):
            if found := await store.glance(mirrors.of_room, room):
                seen = await mirroring.look(found.project, room, self._desk)
                await store.insist(mirrors.looked_at, seen)

    async def _open_to_all(self, room: RoomAddress) -> None:
        if await self._desk.store.insist(self._happenings.opened, room, now=self._desk.clock.now()):
            self._public.add(room.chat)
        self._desk.news.tell()

    async def _seal(self, room: RoomAddress) -> None:
        await self._desk.store.insist(self._happenings.sealed, room, now=self._desk.clock.now())
        self._sealed.add(room)
        self._desk.news.tell()
