"""Matrix as a chat: one account, in the rooms that its people invite it into."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from bot.chat import (
    FileRef,
    Flood,
    Heard,
    Limits,
    MessageRef,
    NotSent,
    OurDevice,
    Outgoing,
    Press,
    Readers,
    Refused,
    RoomAddress,
    Text,
    Why,
)
from bot.markup.matrix import LARGEST_MESSAGE
from bot.matrix import pins
from bot.matrix.api import PREFIX, in_room, quoted
from bot.matrix.cut import Part, cut, decode, encode
from bot.matrix.errors import LoggedOut
from bot.matrix.hearing import Allowed, Hearing
from bot.matrix.login import Device
from bot.matrix.making import Making
from bot.matrix.pressing import Pressing
from bot.matrix.recall import Recall
from bot.matrix.rooms import Rooms
from bot.matrix.sending import Sending
from bot.matrix.syncing import POLL_SECONDS, Chance, Syncing, Tell
from bot.matrix.threads import Threads
from bot.matrix.translate import PLATFORM
from bot.matrix.trouble import Trouble
from bot.matrix.upgrades import Upgrades
from bot.matrix.wire import Nothing, Profile
from bot.replies.marks import escaped
from bot.texts import Texts
from bot.tokens import Tokens
from core.dispatch.clock import Clock
from core.store import conversations, own_rooms
from core.store.database import Database

SEEN = "👀"
FIRST_PACE, SLOWEST_PACE = 2.0, 10.0
AFTER_FLOOD = 5.0
"""Seconds between two edits once a homeserver counts them: Synapse takes one event in so many."""
GROWTH = 0.5
"""Of a turn's time: each pause between edits is half as long again as the one before."""
HOLD = 0.08
"""A homeserver works as long on a reaction as on a message, counts it as one, and tells everybody who types;
with what comes before, a reaction is seen 0.1 s after what it stands on."""
TYPING_SECONDS = 8
"""It is said again every few seconds, and goes by itself soon after the last time."""

T = TypeVar("T")


class MatrixChat:
    """A *device* at work. *media* gives the path of a kept file, *allowed* may invite us and read us; *tell*
    hears of trouble that lasts. *words* are those of a language, which may be empty."""

    platform = PLATFORM
    limits = Limits(
        text=LARGEST_MESSAGE, buttons=0, edit_interval=FIRST_PACE, once=True, hold=HOLD, rooted=True
    )

    def __init__(
        self,
        device: Device,
        *,
        store: Database,
        media: Callable[[str], Path],
        clock: Clock,
        chance: Chance,
        tell: Tell,
        allowed: Allowed,
        since: str,
        poll: int = POLL_SECONDS,
        threads: Threads = Threads.AUTO,
        space: str = "",
        words: Callable[[str], Texts] = Texts,
    ) -> None:
        self.account = device.session.user
        self.device = device
        self.over: asyncio.Future[LoggedOut] = asyncio.get_running_loop().create_future()
        """Why nothing comes any more, or goes, once that is so."""
        self._api = device.api
        self._rooms = Rooms(device.client, device.api)
        syncing = Syncing(device.client, device.api, clock, chance, tell, since=since, poll=poll)
        self._syncing = syncing
        recall = Recall(device.client, device.api)
        upgrades = Upgrades(device.api, self._rooms)
        self._hearing = Hearing(
            device.client, self._rooms, syncing, recall, upgrades, store, clock, allowed, threads
        )
        self._sending = Sending(device.api, self._rooms, upgrades, media, self._readers)
        self._making = Making(device.api, self._rooms, store, space=space)
        self._pressing = Pressing(Tokens(store, PLATFORM, clock.now), self._sign)
        self._flooded = False
        self._tell = tell
        self._opening = asyncio.Lock()
        self._opened: dict[str, str] = {}
        self._made: dict[str, tuple[frozenset[str], float]] = {}
        self._clock = clock
        self._allowed = allowed
        self._store = store
        self._name = ""
        self._words = words

    async def open(self) -> None:
        """Hear of every room. Errors: `LoggedOut`."""
        profile = await self._syncing.insist(self._profile)
        self._name = profile.displayname or ""
        await self._hearing.begin()

    async def close(self) -> None:
        await self.device.client.close()

    @property
    def trouble(self) -> Trouble | None:
        return self._syncing.trouble

    # --- what people say ------------------------------------------------------------------------------

    async def incoming(self) -> AsyncIterator[Heard]:
        try:
            async for said in self._hearing.messages():
                if understood := await self._pressing.understood(said, await self.called()):
                    yield understood
        except LoggedOut as error:
            if not self.over.done():
                self.over.set_result(error)
            await asyncio.Event().wait()

    async def called(self) -> tuple[str, ...]:
        local = self.account.partition(":")[0].removeprefix("@")
        return tuple(dict.fromkeys(name for name in (self.account, self._name, local) if name))

    async def pressed(self, press: Press, words: str = "") -> bool:
        """Nothing spins here, and nobody can be shown anything alone."""
        return False

    async def fetch(self, file: FileRef) -> bytes:
        return await self._sending.fetch(file)

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        await self._counted(self._sending.react(room, message, SEEN))

    # --- what we say ----------------------------------------------------------------------------------

    def cut(self, what: Outgoing) -> list[str]:
        return [encode(part) for part in cut(what)]

    async def deliver(
        self,
        room: RoomAddress,
        body: str,
        *,
        mark: str = "",
        replies: bool = True,
        once: str = "",
        hush: bool = False,
    ) -> MessageRef:
        part = decode(body).marked(mark)
        part = replace(part, silent=part.silent or hush, reply_to=part.reply_to if replies else None)
        return await self._send(room, part, once)

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        return await self._send(room, _single(what), "")

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        there = await self._there(room)
        said, texts = _single(text), await self._texts(there)
        part = await self._pressing.stays(there, message, said, texts, sealed=self.sealed(there))
        await self._counted(self._sending.edit(there, message, part))
        if said.buttons:  # what its pace leaves free is for signs
            await self._pressing.make_good()

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        try:
            await self._sending.redact(await self._there(room), message)
        except Refused as refusal:
            if refusal.why is not Why.GONE:
                raise

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        """It begins with a message of ours, its title."""
        root = await self.send(replace(room, thread=""), Text(escaped(title), silent=True))
        return replace(await self._there(room), thread=str(root))

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        """Threads have no names here."""

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        made = await self._making.make(name, title, people)
        self._made[made] = frozenset(people), self._clock.now()
        return RoomAddress(PLATFORM, self.account, made)

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        await self._making.ask_in(room.chat, people)

    async def our_device(self) -> OurDevice | None:
        return await self._rooms.ours(self.device.session.device)

    def most_a_minute(self, room: RoomAddress) -> int:
        return 0

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        await self._counted(pins.pin(self._api, (await self._there(room)).chat, message))

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        try:
            await self._counted(pins.unpin(self._api, (await self._there(room)).chat, message))
        except Refused as refusal:
            if refusal.why is not Why.FORBIDDEN:
                raise

    def private_to(self, room: RoomAddress) -> str:
        """An address that is a person's own stands for the room that we have with them."""
        return room.chat if room.chat.startswith("@") else self._rooms.partner(room.chat)

    def sealed(self, room: RoomAddress) -> bool:
        return self._rooms.encrypted(room.chat)

    async def readers(self, room: RoomAddress, people: Collection[str]) -> Readers:
        """As we have heard; of a room that we are not in, or not yet, we know nothing."""
        if self._rooms.known(room.chat) is None:
            raise NotSent("who is in the room is not known")
        there, asked = self._rooms.there(room.chat), self._rooms.asked_into(room.chat)
        return Readers(len(there), frozenset(there & {*people}), frozenset(asked & {*people}))

    def drafts(self, room: RoomAddress) -> bool:
        """Matrix has none."""
        return False

    async def draft(self, room: RoomAddress, number: int, text: Text) -> None:
        raise Refused(why=Why.UNKNOWN)

    async def typing(self, room: RoomAddress) -> None:
        path = in_room((await self._there(room)).chat, "typing", self.account)
        await self._api.call("PUT", path, Nothing, {"typing": True, "timeout": TYPING_SECONDS * 1000})

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        pace = min(FIRST_PACE + GROWTH * elapsed, SLOWEST_PACE)
        return max(pace, AFTER_FLOOD) if self._flooded else pace

    # --- inside ---------------------------------------------------------------------------------------

    async def _send(self, room: RoomAddress, part: Part, once: str) -> MessageRef:
        once, there = once or uuid.uuid4().hex, await self._there(room)

        async def send(part: Part) -> MessageRef:
            return await self._counted(self._sending.send(there, part, once))

        if not part.buttons:
            return await send(part)
        texts = await self._texts(there)
        return await self._pressing.send(there, part, send, texts, sealed=self.sealed(there))

    async def _readers(self, room: str) -> Collection[str]:
        """Whoever tries a code reads what is said of it: nothing else is said in their room."""
        return {*await self._allowed(), self._hearing.guest(room)}

    async def _texts(self, room: RoomAddress) -> Texts:
        """For the line that says what can be pressed."""
        where = (room.platform, room.account, room.chat, room.thread)
        return self._words(await self._store.glance(conversations.language_at, *where))

    async def _sign(self, room: RoomAddress, message: MessageRef, sign: str) -> None:
        await self._counted(self._sending.react(room, message, sign))

    async def _counted(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except Flood:
            if not self._flooded:
                self._flooded = True
                self._tell(Trouble.LIMITED, "")
            raise

    async def _there(self, room: RoomAddress) -> RoomAddress:
        """The room itself; with a person whom we have none with, a new one. Errors also: `NotSent` until we
        have heard who is in one that we made, for until then our keys would go to nobody."""
        if not room.chat.startswith("@"):
            if not self._peopled(room.chat):
                raise NotSent("who is in the room is not known yet")
            return room
        async with self._opening:
            own = await self._store.read(own_rooms.chats, PLATFORM, self.account)
            found = self._rooms.alone_with(room.chat, besides=own | self._made.keys())
            if not found and room.chat not in self._opened:
                self._opened[room.chat] = await self._rooms.open_with(room.chat)
        if not found:
            raise NotSent("the room with them is not known yet")
        return replace(room, chat=found)

    def _peopled(self, room: str) -> bool:
        """A homeserver may tell us of a room that it makes before it has asked its people in."""
        people, at = self._made.get(room, (frozenset(), 0.0))
        return self._rooms.has(room, people) or self._syncing.since > at

    async def _profile(self) -> Profile:
        return await self._api.call("GET", f"{PREFIX}/profile/{quoted(self.account)}", Profile)


def _single(what: Outgoing) -> Part:
    """Errors: `Refused` where it is no one message, however short."""
    ways = [replace(what, markdown=way) for way in what.ways] if isinstance(what, Text) else [what]
    for parts in map(cut, ways):
        if len(parts) == 1:
            return parts[0]
    raise Refused(f"{len(parts)} messages", Why.TEXT)
