"""A full disk, told once in each room that waits for it, by a message that needs no room on it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, TypeVar

from bot.chat import ChatError, RoomAddress
from bot.tasks import Tasks
from core.dispatch.clock import Clock
from core.errors import DiskFull, StoreBusy
from core.store.database import Database, Db

AGAIN_SECONDS = 600.0
"""A disk that is full again sooner is told of no second time."""

P = ParamSpec("P")
T = TypeVar("T")
logger = logging.getLogger(__name__)

Say = Callable[[RoomAddress], Awaitable[None]]
"""Says in a room that the disk is full, by a plain send; it may fail with a `ChatError`."""


class Outage:
    """Which rooms wait for a full disk, and when each was last told."""

    def __init__(self, store: Database, clock: Clock, say: Say) -> None:
        self._store = store
        self._clock = clock
        self._say = say
        self._tasks = Tasks(clock.sleep)
        self._waiting: set[RoomAddress] = set()
        self._told: dict[RoomAddress, float] = {}

    async def insist(
        self,
        room: RoomAddress,
        heard: Callable[[], Awaitable[bool]],
        verb: Callable[Concatenate[Db, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """As the store's own. While the disk is full *room* is told, where it is to be *heard* of at all."""
        try:
            done = await self._store.write(verb, *args, **kwargs)
        except DiskFull:
            if await heard():
                self.begins(room)
            done = await self._store.insist(verb, *args, **kwargs)
        except StoreBusy:
            done = await self._store.insist(verb, *args, **kwargs)
        self.ends(room)
        return done

    def begins(self, room: RoomAddress) -> None:
        """Something for *room* can't be kept; it is told once, however often it is tried."""
        if room in self._waiting:
            return
        self._waiting.add(room)
        now = self._clock.monotonic()
        self._told = {one: at for one, at in self._told.items() if now - at < AGAIN_SECONDS}
        if room not in self._told:
            self._told[room] = now
            self._tasks.start(room, lambda: self._tell(room))

    def ends(self, room: RoomAddress) -> None:
        """What was for *room* is kept."""
        self._waiting.discard(room)

    async def close(self) -> None:
        await self._tasks.close()

    async def _tell(self, room: RoomAddress) -> None:
        try:
            await self._say(room)
        except ChatError as trouble:
            logger.warning("nobody is told that the disk is full: %s", type(trouble).__name__)
