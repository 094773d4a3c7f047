"""Which chats may be sent to now: a gate for each, which all of its rooms share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.chat import DeliveringChat, Flood, NotSent, Refused, RoomAddress, Unknown, Why
from bot.pacing import Gate, Room
from core.dispatch.clock import Clock
from core.store import floods
from core.store.database import Database

logger = logging.getLogger(__name__)


class Full(NotSent):
    """The chat has had as much as it takes for now: it waits behind its gate, and nothing is wrong."""


class Gates:
    """Those of one account. Where nobody *reads* who may, nothing goes but what is said at the door."""

    def __init__(
        self, store: Database, chat: DeliveringChat, clock: Clock, reads: Callable[[RoomAddress], bool]
    ) -> None:
        self._store = store
        self._chat = chat
        self._clock = clock
        self._reads = reads
        self._gates: dict[str, Gate] = {}

    async def take_up(self) -> None:
        """Chats that a flood had closed before a restart are closed still. Before anything is sent."""
        now, ticks = self._clock.now(), self._clock.monotonic()
        us = (self._chat.platform, self._chat.account)
        for chat, seconds in await self._store.read(floods.closed, *us, now=now):
            self.of(RoomAddress(*us, chat)).open_at = ticks + seconds

    def of(self, room: RoomAddress) -> Gate:
        if room.chat not in self._gates:
            self._gates[room.chat] = Gate(most=self._chat.most_a_minute(room), burst=self._chat.limits.burst)
        return self._gates[room.chat]

    @contextmanager
    def to(self, there: RoomAddress, *, door: bool = False, counts: bool = True) -> Iterator[DeliveringChat]:
        """The chat, for one call, which *counts* towards what it takes in a minute; a flood closes it at
        once. Errors: `Flood` where another room of it got one while this call was made ready, `Full` where it
        has had enough, `Refused` where nobody reads who may and this is not said at the *door*."""
        gate, now = self.of(there), self._clock.monotonic()
        if now < gate.open_at:
            raise Flood(0.0)
        if not (door or self._reads(there)):
            raise Refused(why=Why.FORBIDDEN)
        if counts:
            if now < gate.frees_at():
                raise Full
            gate.leaves(now)
        try:
            yield self._chat
        except Flood as flood:
            gate.close(flood, self._clock.monotonic())
            raise
        except Refused:
            if counts:
                gate.comes_back()
            raise

    async def close(self, room: Room, there: RoomAddress, trouble: NotSent | Unknown) -> None:
        """Nothing goes to *room* for a while, and after a flood to no other of its chat."""
        if isinstance(trouble, Full):
            return
        ticks = self._clock.monotonic()
        level = logging.INFO if room.holds_back(ticks) else logging.DEBUG
        why = str(trouble) or type(trouble).__name__
        logger.log(level, "%s: room %s is held back: %s", there.platform, there.chat, why)
        if isinstance(trouble, Flood):
            chat, seconds = (there.platform, there.account, there.chat), self.of(there).open_at - ticks
            await self._store.insist(floods.close, *chat, seconds=seconds, now=self._clock.now())
        else:
            room.pause(ticks)

    def came_through(self, room: Room) -> None:
        """Something of ours is there."""
        room.came_through()
        if room.goes_on(self._clock.monotonic()):
            logger.info("%s: room %s goes on", room.address.platform, room.address.chat)
