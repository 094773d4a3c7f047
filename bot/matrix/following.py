"""Rooms that another takes the place of: we go there, or say that somebody has to let us in."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from bot.chat import ChatError, Refused, RoomAddress, Stranded, Why
from bot.matrix.errors import LoggedOut
from bot.matrix.happening import LONGEST_TITLE
from bot.matrix.rooms import Rooms
from bot.matrix.translate import PLATFORM
from bot.matrix.upgrades import Upgrades
from bot.matrix.wire import RoomEvent
from core.answers.markdown import clean
from core.dispatch.clock import Clock
from core.model.prompt import Source

PATIENCE_SECONDS = 60.0
"""So long a room may still be in the making, and its people on their way to asking us in."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Closed:
    """By *event*, at a time (monotonic). *via*: the server of whoever did it. *ours*: they may lead us, so
    that we go there by ourselves. *knocked*: we have asked to be let in."""

    event: str
    at: float
    via: str
    ours: bool
    knocked: bool = False


class Following:
    """Kept in memory alone: where a restart comes in between, somebody asks us in, or an answer waits."""

    def __init__(self, rooms: Rooms, upgrades: Upgrades, clock: Clock) -> None:
        self._rooms = rooms
        self._upgrades = upgrades
        self._clock = clock
        self._closed: dict[str, Closed] = {}

    def begin(self, room: str, event: RoomEvent, allowed: Collection[str]) -> None:
        """Another takes the place of *room*."""
        via, now = event.sender.partition(":")[2], self._clock.monotonic()
        self._closed[room] = Closed(event.event_id, now, via, event.sender in allowed)

    async def go(self) -> list[Stranded]:
        """As far as it can be done by now. Errors: `LoggedOut`."""
        stranded: list[Stranded] = []
        for room, closed in [*self._closed.items()]:
            there = await self._moved_to(room, closed)
            if there and self._rooms.known(there):
                del self._closed[room]
            elif self._clock.monotonic() - closed.at >= PATIENCE_SECONDS:
                del self._closed[room]
                stranded += [self._stranded(room, closed)] if there else []
        return stranded

    async def _moved_to(self, room: str, closed: Closed) -> str:
        """The other, into which we go if we may; empty where there is none, for all we know."""
        there = ""
        try:
            there = await self._upgrades.successor(room)
            if there and closed.ours and not (self._rooms.known(there) or closed.knocked):
                await self._enter(there, closed)
        except LoggedOut:
            raise
        except ChatError as trouble:
            logger.info("matrix: a room that takes the place of another is not entered yet: %s", trouble)
        return there

    async def _enter(self, there: str, closed: Closed) -> None:
        """Where its people let in whom they like, we knock."""
        try:
            await self._rooms.join(there, via=closed.via)
        except Refused as refusal:
            if refusal.why is not Why.FORBIDDEN:
                raise
            await self._rooms.knock(there, via=closed.via)
            closed.knocked = True

    def _stranded(self, room: str, closed: Closed) -> Stranded:
        us = (PLATFORM, self._rooms.user)
        title = clean(self._rooms.title(room))[:LONGEST_TITLE]
        return Stranded(Source(*us, f"stranded {closed.event}"), RoomAddress(*us, room), title)
