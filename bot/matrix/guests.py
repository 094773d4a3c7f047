"""Rooms of one person whom nobody let in yet: we stay a while, as long as a code is out that may do so."""

from __future__ import annotations

from collections.abc import Collection

from bot.matrix.rooms import Rooms
from bot.matrix.syncing import Invite
from core.dispatch.clock import Clock
from core.store import people
from core.store.database import Database

MOST_ROOMS = 5
STAY_SECONDS = 600.0


class Guests:
    """Kept in memory alone: after a restart those of before are `found` again."""

    def __init__(self, rooms: Rooms, store: Database, clock: Clock) -> None:
        self._rooms = rooms
        self._store = store
        self._clock = clock
        self._until: dict[str, float] = {}

    @property
    def any(self) -> bool:
        return bool(self._until)

    def found(self, allowed: Collection[str]) -> None:
        """Of the rooms that we are in, those whose one person nobody let in. Where nobody is let in at all,
        something is amiss that is no reason to leave anybody."""
        if allowed:
            for room, person in self._rooms.private():
                if person not in allowed:
                    self._until[room] = self._clock.monotonic() + STAY_SECONDS

    def of(self, room: str) -> str:
        """Whose room it is, as long as they are one; empty where it is none."""
        return self._rooms.partner(room) if room in self._until else ""

    async def may_ask(self, invite: Invite) -> bool:
        """Whether we come where a stranger asks us to; then they have a while to say their code."""
        if not invite.direct or len(self._until) >= MOST_ROOMS or not await self._code_is_out():
            return False
        self._until[invite.room] = self._clock.monotonic() + STAY_SECONDS
        return True

    async def over(self, allowed: Collection[str]) -> list[str]:
        """The rooms to leave: nothing came of it in time, no code is out any more, or others are there."""
        for room in [*self._until]:
            if self._is_theirs(room, allowed) or (self._late(room) and not self._rooms.known(room)):
                self.forget(room)
        code, there = await self._code_is_out(), filter(self._rooms.known, self._until)
        return [room for room in there if not code or self._late(room) or not self._rooms.partner(room)]

    def _is_theirs(self, room: str, allowed: Collection[str]) -> bool:
        return any(self._rooms.has(room, [person]) for person in allowed)

    def _late(self, room: str) -> bool:
        return self._clock.monotonic() >= self._until[room]

    def forget(self, room: str) -> None:
        """We have left it, or it is like any other."""
        self._until.pop(room, None)

    async def _code_is_out(self) -> bool:
        return await self._store.glance(people.offered, now=self._clock.now()) is not None
