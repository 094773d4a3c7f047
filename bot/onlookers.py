"""Who reads along in rooms of whatever chat: asked of that chat, by whoever wants to know it in another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from bot.chat import ChatError, DeliveringChat, RoomAddress
from core.model.ids import ProjectId, RoomId
from core.store.rows import Address

Allowed = Callable[[ProjectId], Collection[str]]
"""Who is something in a project, on one platform."""


class Onlookers:
    """The chats that are at work in this process; of any other nobody knows who reads there."""

    def __init__(self) -> None:
        self._chats: dict[tuple[str, str], tuple[DeliveringChat, Allowed]] = {}

    def joins(self, chat: DeliveringChat, allowed: Allowed) -> None:
        self._chats[chat.platform, chat.account] = chat, allowed

    async def strangers(self, room: RoomAddress, project: ProjectId) -> int | None:
        """How many may read along there who are nothing in *project*; None where nobody knows."""
        chat, allowed = self._chats.get((room.platform, room.account), (None, None))
        if chat is None or allowed is None:
            return None
        try:
            readers = await chat.readers(room, allowed(project))
        except ChatError:
            return None
        return max(readers.count - len(readers.there), 0)

    async def without(self, person: str, rooms: Iterable[tuple[RoomId, Address]]) -> frozenset[RoomId]:
        """Those of *rooms*, all of their own platform, in which they surely are not."""
        return frozenset(
            [room for room, address in rooms if await self._lacks(RoomAddress(*address), person)]
        )

    async def _lacks(self, room: RoomAddress, person: str) -> bool:
        chat, _ = self._chats.get((room.platform, room.account), (None, None))
        if chat is None:
            return False
        try:
            readers = await chat.readers(room, (person,))
        except ChatError:
            return False
        return person not in readers.there | readers.unsure
