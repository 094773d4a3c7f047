"""Projects get rooms of their own in a chat that makes some: each once, through any trouble, and told."""

from __future__ import annotations

import logging
from functools import partial

from bot.bodies import sendable
from bot.chat import DeliveringChat, Flood, NotSent, Refused, RoomAddress, Text, Unknown, Why
from bot.handlers.desk import Desk
from bot.happenings import Happenings
from bot.outbox import Outbox
from bot.replies import own_rooms as reply
from bot.roster import Roster
from core.crash import crash_point
from core.model.ids import RoomId
from core.store import deliveries, own_rooms
from core.store.database import Db
from core.store.own_rooms import Wanted

LOOK_SECONDS = 1.0
FIRST_PAUSE, LONGEST_PAUSE = 2.0, 300.0
"""Until what could not be made is tried again: each pause is twice the one before."""
MOST_TRIES = 5
"""A room of ours may still be on its way to us; one that isn't there after so many looks never will be."""

logger = logging.getLogger(__name__)


class OwnRooms:
    """Looks whenever the store has changed, and again while a room could not be made."""

    def __init__(self, chat: DeliveringChat, desk: Desk, outbox: Outbox, roster: Roster) -> None:
        self._chat = chat
        self._desk = desk
        self._outbox = outbox
        self._roster = roster
        self._owners = Happenings(chat, desk, roster)
        self._pause = 0.0
        self._again = 0.0
        self._tries = 0
        self._asked: frozenset[str] = frozenset()

    async def run(self) -> None:
        """Until cancelled."""
        seen = -1
        while True:
            version = self._desk.store.version()
            if version != seen or self._pause:
                seen = version
                await self.look()
            await self._desk.clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Make what is wanted, as far as it can be now, and say what is new."""
        if self._chat.platform in self._desk.rooms_on and self._roster.owners:
            for wanted in await self._desk.store.glance(own_rooms.wanted, self._chat.platform):
                if self._desk.clock.monotonic() < self._again:
                    break
                await self._make(wanted)
            await self._ask_in(frozenset(self._roster.owners))
        if await self._desk.store.glance(self._news):
            await self._desk.store.insist(self._tell, now=self._desk.clock.now())
            self._outbox.wake()

    def reached(self) -> None:
        """What could not be made is tried now."""
        self._again = 0.0

    # -- making ----------------------------------------------------------------------------------------

    async def _make(self, wanted: Wanted) -> None:
        try:
            room = await self._chat.make_room(wanted.name, wanted.title, self._roster.owners)
        except (NotSent, Unknown) as trouble:
            self._later(trouble)
        except Refused as refusal:
            if refusal.why is Why.GONE:
                await self._not_ours(wanted, refusal)
            else:
                logger.warning("no room of its own for a project: %s", refusal)
                now = self._desk.clock.now()
                await self._desk.store.insist(self._refused, wanted, str(refusal), now=now)
                self._outbox.wake()
        else:
            crash_point("own_room")
            where = (room.platform, room.account, room.chat)
            await self._desk.store.insist(own_rooms.made, wanted.id, *where)
            self._pause, self._tries = 0.0, 0

    async def _ask_in(self, owners: frozenset[str]) -> None:
        """Whoever became an owner since the rooms were made."""
        if owners <= self._asked or self._desk.clock.monotonic() < self._again:
            return
        try:
            for chat in await self._desk.store.glance(own_rooms.at_work, *self._us):
                await self._ask_into(RoomAddress(*self._us, chat), owners)
        except (NotSent, Unknown) as trouble:
            self._later(trouble)
        else:
            self._asked, self._pause = owners, 0.0

    async def _ask_into(self, room: RoomAddress, owners: frozenset[str]) -> None:
        """A room that can't be asked into holds up no other."""
        try:
            await self._chat.ask_in(room, owners)
        except Refused as refusal:
            logger.warning("owners can't be asked into a project's own room: %s", refusal)

    def _later(self, trouble: Exception) -> None:
        flood = trouble.seconds if isinstance(trouble, Flood) else 0.0
        self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
        self._again = self._desk.clock.monotonic() + max(self._pause, flood)
        logger.info("a project's own room is made later: %s", trouble)

    async def _not_ours(self, wanted: Wanted, refusal: Refused) -> None:
        self._tries += 1
        if self._tries >= MOST_TRIES:
            self._tries = 0
            await self._desk.store.insist(own_rooms.rename, wanted.id)
        self._later(refusal)

    def _refused(self, db: Db, wanted: Wanted, why: str, *, now: float) -> None:
        if not own_rooms.refuse(db, wanted.id, why):
            said = reply.refused(wanted.title, self._chat.platform, why, self._desk.words(""))
            self._owners.tell(db, said, now=now)

    # -- telling ---------------------------------------------------------------------------------------

    @property
    def _us(self) -> tuple[str, str]:
        return self._chat.platform, self._chat.account

    def _news(self, db: Db) -> bool:
        return bool(own_rooms.to_tell(db, *self._us) or own_rooms.changed(db, *self._us))

    def _tell(self, db: Db, *, now: float) -> None:
        """Where a room was asked for, whatever platform it is on; and the rooms of this one."""
        add = partial(self._add, db, now=now)
        for one in own_rooms.to_tell(db, *self._us):
            add(one.room, reply.asked(one, self._desk.words(one.language)))
            own_rooms.told(db, one.id)
        for room in own_rooms.changed(db, *self._us):
            add(room.room, reply.stands(room, self._desk.words(room.language)))
            own_rooms.said(db, room.id, room.state)

    def _add(self, db: Db, room: RoomId, text: Text, *, now: float) -> None:
        deliveries.add(db, room, sendable(self._chat, [text]), now=now)
