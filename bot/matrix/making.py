"""Rooms that we make: each once, found again by its alias where nobody heard that it was made."""

from __future__ import annotations

import logging
from collections.abc import Collection

from bot.chat import Refused, Why
from bot.matrix.api import PREFIX, Api, in_room, quoted
from bot.matrix.rooms import ENCRYPTION, NO_PREVIEWS, Rooms
from bot.matrix.translate import PLATFORM
from bot.matrix.wire import Creation, Json, Made, Members, Nothing
from core.store import accounts
from core.store.database import Database

logger = logging.getLogger(__name__)


class Making:
    """*space* is what people see the space as in which they are; empty: in none. Errors: `ChatError`."""

    def __init__(self, api: Api, rooms: Rooms, store: Database, *, space: str) -> None:
        self._api = api
        self._rooms = rooms
        self._store = store
        self._space = space

    async def make(self, name: str, title: str, people: Collection[str]) -> str:
        """One in which *people* may do what we may. Errors also: `Why.GONE` where it is none of ours."""
        begun = [NO_PREVIEWS, *([ENCRYPTION] if self._rooms.encrypts else [])]
        asked: Json = {"name": title, "initial_state": begun}
        room = await self._made(f"roost-{name}", people, asked)
        if self._space:
            await self._put_into_space(room, people)
        return room

    async def _made(self, alias: str, people: Collection[str], asked: Json) -> str:
        """Whoever of *people* can't be asked in holds up nobody else. The homeserver gives an alias once, be
        it that it made the room while we were killed, or that it could not ask somebody in. Errors also:
        `Why.GONE` where that has it and it is none that we made and are in: whoever is with us in some room
        can give that any alias."""
        try:
            return await self._created({"room_alias_name": alias, "invite": [*people], **asked})
        except Refused as refusal:
            if not (room := await self._called(alias)):
                raise refusal from None
        if not (await self._inside(room) and await self._by_us(room)):
            raise Refused("somebody else's room is called so", Why.GONE)
        await self.ask_in(room, people)
        return room

    async def _created(self, asked: Json) -> str:
        whole = {"preset": "trusted_private_chat", **asked}
        return (await self._api.call("POST", f"{PREFIX}/createRoom", Made, whole)).room_id

    async def _called(self, alias: str) -> str:
        """The room of that alias; empty where there is none."""
        path = f"{PREFIX}/directory/room/{quoted(f'#{alias}:{self._server}')}"
        try:
            return (await self._api.call("GET", path, Made)).room_id
        except Refused:
            return ""

    async def _inside(self, room: str) -> bool:
        try:
            return self._rooms.user in await self._rooms.members(room)
        except Refused:
            return False

    async def _by_us(self, room: str) -> bool:
        path = f"{in_room(room, 'state', 'm.room.create', '')}?format=event"
        return (await self._api.call("GET", path, Creation)).sender in ("", self._rooms.user)

    async def ask_in(self, room: str, people: Collection[str]) -> None:
        """Who was not yet, and did not go out again."""
        try:
            members = await self._api.call("GET", in_room(room, "members"), Members)
        except Refused as refusal:
            raise Refused(str(refusal), Why.GONE) from None
        for person in {*people} - {one.state_key for one in members.chunk}:
            try:
                await self._api.call("POST", in_room(room, "invite"), Nothing, {"user_id": person})
            except Refused as refusal:
                logger.warning("matrix: somebody can't be asked into a room: %s", refusal)

    # -- the space -------------------------------------------------------------------------------------

    async def _put_into_space(self, room: str, people: Collection[str]) -> None:
        """There is one for our account; a room that can't be put there is a room all the same."""
        via: Json = {"via": [self._server]}
        try:
            space = await self._space_for(people)
            await self._ties(space, "m.space.child", room, via)
            await self._ties(room, "m.space.parent", space, {**via, "canonical": True})
        except Refused as refusal:
            logger.warning("matrix: a room is not in its space: %s", refusal)

    async def _space_for(self, people: Collection[str]) -> str:
        """The one that we made, for as long as we are in it."""
        us = (PLATFORM, self._rooms.user)
        kept = await self._store.read(accounts.space_of, *us)
        if kept and await self._inside(kept):
            await self.ask_in(kept, people)
            return kept
        space = await self._new_space(people)
        await self._store.insist(accounts.keep_space, *us, space)
        return space

    async def _new_space(self, people: Collection[str]) -> str:
        """By its alias it is found again if we are killed before it is kept; anybody may have that before us,
        and then it has none."""
        local, _, _ = self._rooms.user.removeprefix("@").partition(":")
        asked: Json = {
            "name": self._space,
            "creation_content": {"type": "m.space"},
            "power_level_content_override": {"events_default": 100},
        }
        try:
            return await self._made(f"roost-space-{local}", people, asked)
        except Refused as refusal:
            logger.info("matrix: the space has no alias: %s", refusal)
        space = await self._created(asked)
        await self.ask_in(space, people)
        return space

    async def _ties(self, room: str, kind: str, other: str, how: Json) -> None:
        await self._api.call("PUT", in_room(room, "state", kind, other), Nothing, how)

    @property
    def _server(self) -> str:
        return self._rooms.user.partition(":")[2]
