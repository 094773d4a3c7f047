"""Messages that are kept up to date: the one that shows a turn, and the board of a chat."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from bot.chat import DeliveringChat, MessageRef, NotSent, Refused, RoomAddress, Text, Why
from bot.pacing import BOARD, Kept, Room
from core.dispatch.clock import Clock
from core.store import boards, deliveries
from core.store.database import Database


@dataclass(frozen=True, slots=True)
class Keeping:
    """*to* gives the chat for one call. Errors of every call: `ChatError`."""

    store: Database
    clock: Clock
    to: Callable[[RoomAddress], AbstractContextManager[DeliveringChat]]

    async def say(self, room: Room, there: RoomAddress, what: Kept, text: Text) -> None:
        """Let the message of *what* say *text*; the first time it is sent."""
        if what == BOARD:
            await self._board(room, there, text)
            return
        message = await self.store.glance(deliveries.progress_of, what, room.id)
        if message:
            await self._edit(there, message, text)
        elif message is None:
            await self._first(room, there, what, text)
        else:  # one message shows a turn: where nobody knows whether it is there, there is no second one
            raise Refused(why=Why.GONE)

    async def _board(self, room: Room, there: RoomAddress, text: Text) -> None:
        """One that was deleted is sent again; so is one of which nobody knows whether it is there: only the
        last is pinned, and only that goes on."""
        message, said = await self.store.glance(boards.shown, room.id)
        if message and said == text.markdown:
            return
        if said:  # until the chat has told that it says something else
            await self.store.insist(boards.says, room.id, "")
        try:
            await (self._edit(there, message, text) if message else self._first(room, there, BOARD, text))
        except Refused as refusal:
            if not message or refusal.why is not Why.GONE:
                raise
            await self._first(room, there, BOARD, text)
        await self.store.insist(boards.says, room.id, text.markdown)

    async def _edit(self, there: RoomAddress, message: str, text: Text) -> None:
        with self.to(there) as chat:
            await chat.edit(there, MessageRef(message), text)

    async def _first(self, room: Room, there: RoomAddress, what: Kept, text: Text) -> None:
        await self._named(room, what, "")
        try:
            with self.to(there) as chat:
                message = await chat.send(there, text)
        except (NotSent, Refused):
            await self._nameless(room, what)
            raise
        if room.address == there:  # else its number says nothing where the room is now
            await self._named(room, what, message)

    async def _named(self, room: Room, what: Kept, message: str) -> None:
        """Empty while it is on its way."""
        if what == BOARD:
            await self.store.insist(boards.shows, room.id, message)
        else:
            now = self.clock.now()
            await self.store.insist(deliveries.shows_progress, what, room.id, message, now=now)

    async def _nameless(self, room: Room, what: Kept) -> None:
        """It surely isn't there."""
        if what == BOARD:
            await self.store.insist(boards.shows_none, room.id)
        else:
            await self.store.insist(deliveries.shows_no_progress, what, room.id)
