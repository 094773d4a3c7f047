"""A room that takes the place of another: each has to name the other, or anybody could lead us away."""

from __future__ import annotations

from typing import TypeVar

from bot.chat import ChatError, Moved, NotSent, Refused, Why
from bot.matrix.api import Api, in_room
from bot.matrix.rooms import Rooms
from bot.matrix.wire import Created, Tombstone

TOMBSTONE = "m.room.tombstone"

State = TypeVar("State", Created, Tombstone)


class Upgrades:
    """Errors of every call: `ChatError`."""

    def __init__(self, api: Api, rooms: Rooms) -> None:
        self._api = api
        self._rooms = rooms

    async def successor(self, room: str) -> str:
        """What *room* names; empty where it was not upgraded."""
        return (await self._state(room, TOMBSTONE, Tombstone)).replacement_room

    async def moved(self, room: str) -> Moved | None:
        """The room whose place *room* takes, if it does."""
        before = (await self._state(room, "m.room.create", Created)).predecessor
        if before is None or before.room_id == room or await self.successor(before.room_id) != room:
            return None
        return Moved(before.room_id, room)

    async def closed(self, room: str) -> ChatError | None:
        """Why *room* takes nothing any more, if that is since another takes its place: it goes there once we
        are let in."""
        there = await self.successor(room)
        if not there:
            return None
        if self._rooms.known(there) and await self.moved(there):
            return Refused(why=Why.MOVED, to=there)
        return NotSent("the room that takes its place has not asked us in")

    async def _state(self, room: str, kind: str, shape: type[State]) -> State:
        """Nothing of it where the room has none, or doesn't tell us."""
        try:
            return await self._api.call("GET", in_room(room, "state", kind, ""), shape)
        except Refused:
            return shape()
