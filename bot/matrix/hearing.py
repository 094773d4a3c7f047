"""All that is said to us: stored before the homeserver hears that we have it, read once its key is there."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from bot.chat import (
    ChatError,
    Happened,
    Heard,
    How,
    Message,
    Missed,
    Person,
    Pointed,
    Redacted,
    Seal,
    Toward,
)
from bot.matrix.client import Client
from bot.matrix.errors import LoggedOut
from bot.matrix.following import Following
from bot.matrix.guests import Guests
from bot.matrix.happening import OUT, came, happened
from bot.matrix.recall import Recall
from bot.matrix.rooms import Rooms
from bot.matrix.syncing import Batch, Invite, Sealed, Syncing, unsealed
from bot.matrix.threads import Threads
from bot.matrix.translate import PLATFORM, Here, address, translate, unreadable
from bot.matrix.upgrades import TOMBSTONE, Upgrades
from bot.matrix.wire import Json, RoomEvent
from core.answers.markdown import clean
from core.crash import crash_point
from core.dispatch.clock import Clock
from core.model.prompt import Source
from core.store import heard, own_rooms
from core.store.database import Database, Db

KEY_SECONDS = 30.0
"""For so long a key may come after what it opens."""
SILENT_SECONDS = 3_600.0
"""Between two words in one room on what can't be read."""
STRANGE_SECONDS = 86_400.0
"""The same for one device that its owner has not verified."""

TRIES = 3
"""How often we knock at a room, or try what else may never come about."""
KNOWING_TRIES = 6
"""To learn whose device wrote: what it wrote counts as nobody's then, and whoever wrote it is told."""

logger = logging.getLogger(__name__)

Allowed = Callable[[], Awaitable[Collection[str]]]


@dataclass(slots=True)
class Taken:
    """A *batch* as it is made ours. *left*: rooms that somebody went out of, *upgraded*: those
    that were, and by what."""

    batch: Batch
    said: deque[Heard] = field(default_factory=deque)
    sealed: list[heard.Sealed] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    left: set[str] = field(default_factory=set)
    inviters: dict[str, str] = field(default_factory=dict)
    upgraded: dict[str, RoomEvent] = field(default_factory=dict)


class Hearing:
    """*allowed* are the people who may invite us; *threads* says which requests have one of their own."""

    def __init__(
        self,
        client: Client,
        rooms: Rooms,
        syncing: Syncing,
        recall: Recall,
        upgrades: Upgrades,
        store: Database,
        clock: Clock,
        allowed: Allowed,
        threads: Threads,
    ) -> None:
        self._client = client
        self._rooms = rooms
        self._syncing = syncing
        self._recall = recall
        self._upgrades = upgrades
        self._store = store
        self._clock = clock
        self._allowed = allowed
        self._threads = threads
        self._guests = Guests(rooms, store, clock)
        self._following = Following(rooms, upgrades, clock)
        self._taken: Taken | None = None
        self._said_at: dict[str, float] = {}
        self._strange: dict[str, float] = {}

    @property
    def _us(self) -> tuple[str, str]:
        return PLATFORM, self._rooms.user

    async def begin(self) -> None:
        """Hear of every room that we are in. Errors: `LoggedOut`."""
        self._taken = await self._take(await self._syncing.batch())
        self._guests.found(await self._allowed())

    async def messages(self) -> AsyncIterator[Heard]:
        """Asking for the next one says that the one before is stored. Errors: `LoggedOut`.

        The token follows the last of its batch in a transaction of its own, for each message is in the inbox
        once by its name: whoever dies in between hears the whole batch again, and keeps what is new of it.
        """
        while True:
            taken = self._taken = self._taken or await self._take(await self._syncing.batch())
            while taken.said:
                yield taken.said[0]
                taken.said.popleft()
            await self._arrange(taken)
            crash_point("kept-all")
            await self._store.insist(_heard, *self._us, taken)
            self._syncing.confirm(taken.batch)
            self._taken = None

    def guest(self, room: str) -> str:
        """Who is there with us alone, and was let in by nobody; empty where that is not so."""
        return self._guests.of(room)

    # -- what was said ---------------------------------------------------------------------------------

    async def _take(self, batch: Batch) -> Taken:
        await self._keep_house()
        secret = {one.sender for _, one in batch.events if isinstance(one, RoomEvent) and one.sealed_by}
        await self._insist(partial(self._rooms.know, secret), tries=KNOWING_TRIES)
        taken, now = Taken(batch), self._clock.now()
        for kept in await self._store.glance(heard.sealed, *self._us):
            self._reconsider(taken, kept, batch.keys, now)
        for room, since in batch.missed:
            source = Source(*self._us, f"missed {room} {since}")
            taken.said.append(Missed(source, address(self._here(room, ""))))
        for room, event in batch.events:
            if isinstance(event, RoomEvent):
                self._hear(taken, room, event)
            elif event.sender != self._rooms.user:
                taken.sealed.append(_kept(event, now))
        taken.said = deque([await self._pointing(one) for one in taken.said])
        await self._lead(taken)
        await self._go_along(taken)
        return taken

    async def _lead(self, taken: Taken) -> None:
        """Before all else, which rooms that we came into took the place of others."""
        for room in {room for room, event in taken.batch.events if self._comes_in(event)}:
            await self._try(partial(self._goes_on, taken, room))

    async def _goes_on(self, taken: Taken, room: str) -> None:
        """Whoever is in the one and was not in the other has come without a word of it."""
        if moved := await self._upgrades.moved(room):
            new = sorted(self._rooms.there(room) - self._rooms.there(moved.chat))
            people = tuple(Person(one, clean(self._rooms.name(room, one) or one)) for one in new)
            here, title = self._here(room, ""), self._rooms.title(room)
            if people:
                taken.said.appendleft(came(Source(*self._us, f"moved {room}"), here, title, people))
            taken.said.appendleft(moved)

    async def _go_along(self, taken: Taken) -> None:
        """Where rooms go on that were upgraded."""
        allowed = await self._allowed() if taken.upgraded else ()
        for room, event in taken.upgraded.items():
            self._following.begin(room, event, allowed)
        taken.said += await self._following.go()

    def _comes_in(self, event: RoomEvent | Sealed) -> bool:
        """Whether it is that we are in the room now."""
        us = self._rooms.user
        return isinstance(event, RoomEvent) and event.membership == "join" and event.state_key == us

    def _hear(self, taken: Taken, room: str, event: RoomEvent) -> None:
        if event.state_key is not None:
            self._follow(taken, room, event)
            return
        here = self._here(room, event.sender)
        said = translate(event, here)
        if event.sealed_by and not self._rooms.vouched(event.sender, event.sealed_by):
            said = self._unsigned(event, here) if isinstance(said, Message) else None
        elif event.sealed_by or not here.encrypted:
            self._recall.keep(event)
        if isinstance(said, Message):
            since = self._syncing.since  # the clocks of the homeserver and of this machine may differ
            taken.said.append(replace(said, at=max(said.at, since)))
        elif said:
            thread = self._recall.thread_of(said.message)
            taken.said.append(replace(said, room=replace(said.room, thread=thread)))
        if isinstance(said, Redacted):
            self._recall.forget(said.message)

    def _unsigned(self, event: RoomEvent, here: Here) -> Message | None:
        """Told, and logged, once a day for each device; what it says counts for nothing. It can't read the
        word itself, for it gets no keys: those that its owner has verified can."""
        now = self._clock.monotonic()
        self._strange = {key: at for key, at in self._strange.items() if now - at < STRANGE_SECONDS}
        if event.sealed_by in self._strange:
            return None
        self._strange[event.sealed_by] = now
        logger.warning("matrix: a device that %s has not verified counts for nothing", event.sender)
        return unreadable(event, here, Seal.UNSIGNED)

    def _follow(self, taken: Taken, room: str, event: RoomEvent) -> None:
        """Who comes and goes, we among them, and where the room itself goes."""
        us = self._rooms.user
        if event.type == TOMBSTONE and not event.state_key:
            taken.upgraded[room] = event
        if event.membership in OUT and event.state_key != us:
            taken.left.add(room)
        if event.membership == "invite" and event.state_key == us:
            taken.inviters[room] = event.sender
        if told := self._happened(taken, room, event):
            taken.said.append(told)

    def _happened(self, taken: Taken, room: str, event: RoomEvent) -> Happened | None:
        """Nobody took us in where we made the room, or went where it did."""
        inviter = taken.inviters.get(room, "")
        if self._comes_in(event) and not (event.asked or inviter):
            return None
        return happened(event, self._here(room, event.state_key or ""), self._rooms.title(room), inviter)

    async def _pointing(self, message: Heard) -> Heard:
        """With what it replies to; to reply to us is to speak to us."""
        if not isinstance(message, Message) or message.reply_to is None:
            return message
        room = message.room.chat
        found = await self._recall.find(self._here(room, ""), message.reply_to)
        if found is None:
            return message
        ours = found.sender == self._rooms.user
        author = clean(self._rooms.name(room, found.sender) or found.sender)
        toward = Toward.US if ours and message.toward is Toward.NOBODY else message.toward
        text, files = found.words.text, found.words.files
        pointed = (Pointed(How.REPLY, text, author, ours, files),) if text or files else ()
        begins = message.begins and not ours  # else it goes on with what we said
        return replace(message, points_at=pointed, toward=toward, begins=begins)

    def _reconsider(
        self, taken: Taken, kept: heard.Sealed, keys: Sequence[tuple[str, str]], now: float
    ) -> None:
        """Something that waits for its key: it came, or by now it never will."""
        sealed = msgspec.json.decode(kept.body, type=_Body)
        late = now - kept.received_at > KEY_SECONDS
        if (kept.chat, kept.session) not in keys and not late:
            return
        event = unsealed(self._client, kept.chat, sealed.source)
        if event is not None:
            self._hear(taken, kept.chat, event)
        elif late:
            self._give_up(taken, kept, sealed)
        if event is not None or late:
            taken.opened.append(kept.update)

    def _give_up(self, taken: Taken, kept: heard.Sealed, sealed: _Body) -> None:
        now = self._clock.monotonic()
        if now - self._said_at.get(kept.chat, float("-inf")) >= SILENT_SECONDS:
            self._said_at[kept.chat] = now
            event = RoomEvent("m.room.encrypted", sealed.sender, kept.update)
            here = self._here(kept.chat, sealed.sender)
            taken.said.append(replace(unreadable(event, here, Seal.LOCKED), at=kept.received_at))

    def _here(self, room: str, sender: str) -> Here:
        rooms = self._rooms
        name = rooms.name(room, sender)
        people = rooms.people(room)
        threads = self._threads is Threads.ON or (self._threads is Threads.AUTO and people > 1)
        return Here(rooms.user, room, people, rooms.encrypted(room), name, threads, rooms.public(room))

    # -- where we are ----------------------------------------------------------------------------------

    async def _keep_house(self) -> None:
        await self._insist(self._rooms.keep_house, tries=1)

    async def _arrange(self, taken: Taken) -> None:
        """Into rooms that somebody asks us into who may, out of those where nobody is left who does."""
        if not (taken.batch.invites or taken.left or self._guests.any):
            return
        allowed = await self._allowed()
        for invite in taken.batch.invites:
            await self._try(partial(await self._way(invite, allowed), invite.room))
        for room in taken.left:
            await self._try(partial(self._leave_alone, room, allowed))
        await self._take_leave(allowed)

    async def _way(self, invite: Invite, allowed: Collection[str]) -> Callable[[str], Awaitable[None]]:
        comes = invite.inviter in allowed or await self._guests.may_ask(invite)
        return self._rooms.join if comes else self._rooms.leave

    async def _take_leave(self, allowed: Collection[str]) -> None:
        for room in await self._guests.over(allowed):
            await self._try(partial(self._rooms.leave, room))
            self._guests.forget(room)

    async def _leave_alone(self, room: str, allowed: Collection[str]) -> None:
        if not {*await self._rooms.members(room), *self._rooms.asked_into(room)} & {*allowed}:
            await self._rooms.leave(room)
            await self._store.insist(own_rooms.left, *self._us, room)

    async def _try(self, call: Callable[[], Awaitable[None]]) -> None:
        """A room that we came into, or are to leave, keeps nobody waiting for long: it may lie on a server
        that is gone, and whoever wants us there asks again."""
        try:
            await self._syncing.insist(call, tries=TRIES)
        except LoggedOut:
            raise
        except ChatError as error:
            logger.warning("matrix: a room that we come into or leave stays as it is: %s", error)

    async def _insist(self, call: Callable[[], Awaitable[None]], *, tries: int) -> None:
        """What the homeserver will never do stays undone; what it does not do now holds nobody up for long,
        and is owed again with the next batch."""
        try:
            await self._syncing.insist(call, tries=tries)
        except LoggedOut:
            raise
        except ChatError as error:
            logger.warning("matrix: what encryption owes is done later: %s", error)


class _Body(msgspec.Struct):
    """What is kept of a sealed event."""

    sender: str
    source: Json


def _kept(event: Sealed, now: float) -> heard.Sealed:
    body = msgspec.json.encode(_Body(event.sender, event.source)).decode()
    return heard.Sealed(event.event, event.room, event.session, body, now)


def _heard(db: Db, platform: str, account: str, taken: Taken) -> None:
    heard.hear(db, platform, account, taken.batch.token, taken.sealed)
    heard.unseal(db, platform, account, taken.opened)
