"""What a chat says to us: stored first, then acted on in each room's order, and answered."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial

import msgspec

from bot.access import Role
from bot.chat import (
    ChatError,
    DeliveringChat,
    Incoming,
    Message,
    MessageRef,
    Outgoing,
    Person,
    Press,
    RoomAddress,
    Text,
)
from bot.handlers.act import answer
from bot.handlers.ask import fetch_files
from bot.handlers.desk import Desk, Place
from bot.intents.parse import Here
from bot.outbox import Outbox, sendable
from bot.replies import queue as queue_reply
from bot.replies import start as start_reply
from bot.roster import Roster
from bot.showing import Showing
from bot.tasks import Tasks
from core.model.ids import PromptId, RoomId
from core.model.prompt import ChatPlace, Prompt
from core.store import conversations, deliveries, inbox, people, prompts
from core.store.database import Db
from core.store.inbox import Received

BACKLOG_SECONDS = 600.0
"""Words that were said longer ago came in an outage: they run, with a word on how many there are."""
RETRY_SECONDS = 5.0

logger = logging.getLogger(__name__)


class Receiving:
    """One account's inbox. `listen` fills it, `act` empties it: a task for each room that has something."""

    def __init__(
        self,
        chat: DeliveringChat,
        desk: Desk,
        *,
        marks: tuple[str, ...],
        outbox: Outbox,
        showing: Showing,
        roster: Roster,
    ) -> None:
        self._chat = chat
        self._desk = replace(desk, took=self._took, fetch=chat.fetch, role=roster.role, delivers=True)
        self._marks = marks
        self._outbox = outbox
        self._showing = showing
        self._roster = roster
        self._tasks = Tasks()
        self._news = asyncio.Event()

    async def listen(self) -> None:
        """Store what comes, each before the next is asked for. Until cancelled."""
        async for incoming in self._chat.incoming():
            if await self._desk.store.insist(_receive, incoming, now=self._desk.clock.now()):
                self._news.set()

    async def act(self) -> None:
        """On everything that is stored and was not acted on, also before a restart. Until cancelled."""
        await self._take_up_files()
        self._news.set()
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                for room in await self._desk.store.read(inbox.rooms, self._chat.platform, self._chat.account):
                    self._tasks.start(f"act in room {room}", partial(self._act_in, room))
        finally:
            await self._tasks.close()

    # -- one room --------------------------------------------------------------------------------------

    async def _act_in(self, room: RoomId) -> None:
        waiting = await self._desk.store.read(inbox.waiting, room)
        await self._say_backlog(room, waiting)
        while waiting:
            for received in waiting:
                await self._act_on(received)
            waiting = await self._desk.store.read(inbox.waiting, room)

    async def _act_on(self, received: Received) -> None:
        incoming = decoded(received.body)
        said = await self._said(incoming)
        bodies = sendable(self._chat, said)
        now = self._desk.clock.now()
        await self._desk.store.insist(_acted, received, bodies, now=now)
        if bodies:
            self._outbox.wake()

    async def _said(self, incoming: Incoming) -> list[Text]:
        if self._roster.role(incoming.room, incoming.person) is Role.STRANGER:
            return await self._to_a_stranger(incoming)
        said = await self._answered(incoming)
        reply_to = incoming.id if isinstance(incoming, Message) else None
        return [replace(one, reply_to=reply_to) for one in said if isinstance(one, Text)]

    async def _answered(self, incoming: Incoming) -> list[Outgoing]:
        if isinstance(incoming, Press):
            self._tasks.start(f"press {incoming.source.update}", partial(self._chat.pressed, incoming))
        here = Here(names=await self._chat.called(), marks=self._marks)
        return await answer(incoming, here, self._desk)

    async def _say_backlog(self, room: RoomId, waiting: list[Received]) -> None:
        old = [one for one in waiting if self._desk.clock.now() - one.said_at > BACKLOG_SECONDS]
        if len(old) < 2:
            return
        _, language = await self._desk.store.read(conversations.address_of, room)
        said = queue_reply.backlog(len(old), self._desk.words(language))
        now = self._desk.clock.now()
        await self._desk.store.insist(deliveries.add, room, sendable(self._chat, [said]), now=now)
        self._outbox.wake()

    # -- strangers -------------------------------------------------------------------------------------

    async def _to_a_stranger(self, incoming: Incoming) -> list[Text]:
        """A code lets them in; while nobody owns this, they are told where to get one; else nothing."""
        said = await self._answered(incoming)
        if said:
            await self._roster.refresh()
            return [one for one in said if isinstance(one, Text)]
        if not self._roster.everybody:
            alone = isinstance(incoming, Message) and incoming.alone
            return [start_reply.no_owner(self._desk.machine, self._desk.words(""))] if alone else []
        await self._tell_of(incoming.person)
        return []

    async def _tell_of(self, person: Person) -> None:
        knock = (self._chat.platform, person.id, person.name)
        if await self._desk.store.insist(people.knocked, *knock, now=self._desk.clock.now()):
            await self.tell_owners(start_reply.stranger(person, self._desk.words("")))

    async def tell_owners(self, text: Text) -> None:
        """Say *text* to everybody who owns this Roost here, each in private."""
        bodies, now = sendable(self._chat, [text]), self._desk.clock.now()
        for owner in self._roster.owners:
            address = (self._chat.platform, self._chat.account, owner, "")
            await self._desk.store.insist(_say_in, address, bodies, now=now)
        self._outbox.wake()

    # -- prompts ---------------------------------------------------------------------------------------

    def _took(self, place: Place, prompt: Prompt) -> None:
        self._showing.follow(prompt.id)
        self._tasks.start(f"acknowledge prompt {prompt.id}", partial(self._acknowledge, prompt.id))
        self._tasks.start(f"fetch for prompt {prompt.id}", partial(self._fetch, prompt.id))

    async def _acknowledge(self, prompt: PromptId) -> None:
        """A sign that it is stored; one that is lost is no loss, for the answer comes."""
        place, address = await self._place(prompt)
        if place.message and not self._outbox.closed(place.room):
            with suppress(ChatError):
                await self._chat.acknowledge(address, MessageRef(place.message))

    async def _take_up_files(self) -> None:
        account = (self._chat.platform, self._chat.account)
        for prompt in await self._desk.store.read(prompts.fetching, *account):
            self._tasks.start(f"fetch for prompt {prompt}", partial(self._fetch, prompt))

    async def _fetch(self, number: PromptId) -> None:
        """Bring a prompt's files, for as long as that takes; whoever cancels it ends that."""
        place, _ = await self._place(number)
        while place.files:
            prompt = await self._desk.store.read(prompts.get, number)
            if prompt.status.ended:
                return
            texts = self._desk.words((await self._desk.store.read(conversations.address_of, place.room))[1])
            try:
                notes = await fetch_files(prompt, place, self._desk, texts)
            except ChatError as trouble:
                logger.warning("cannot fetch a file of prompt %d: %s", number, type(trouble).__name__)
                await self._desk.clock.sleep(RETRY_SECONDS)
                continue
            if notes:
                bodies, now = sendable(self._chat, notes), self._desk.clock.now()
                await self._desk.store.insist(deliveries.add, place.room, bodies, now=now)
                self._outbox.wake()
            return

    async def _place(self, prompt: PromptId) -> tuple[ChatPlace, RoomAddress]:
        place = await self._desk.store.read(prompts.place_of, prompt)
        assert place is not None
        address, _ = await self._desk.store.read(conversations.address_of, place.room)
        return place, RoomAddress(*address)


# -- verbs -----------------------------------------------------------------------------------------------


def encoded(incoming: Incoming) -> str:
    """As it is kept in the inbox."""
    kind = "message" if isinstance(incoming, Message) else "press"
    return msgspec.json.encode({kind: incoming}).decode()


def decoded(body: str) -> Incoming:
    """What `encoded` made of it."""
    kept = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    if "message" in kept:
        return msgspec.json.decode(kept["message"], type=Message)
    return msgspec.json.decode(kept["press"], type=Press)


def _receive(db: Db, incoming: Incoming, *, now: float) -> bool:
    room = incoming.room
    number = conversations.room(db, room.platform, room.account, room.chat, room.thread).id
    said_at = incoming.at if isinstance(incoming, Message) and incoming.at else now
    return inbox.receive(db, incoming.source, number, encoded(incoming), said_at=said_at, now=now)


def _acted(db: Db, received: Received, bodies: list[str], *, now: float) -> None:
    """The reply is due and the update is dealt with, as one; what it parked stays parked."""
    deliveries.add(db, received.room, bodies, now=now)
    inbox.done(db, received.source)


def _say_in(db: Db, address: tuple[str, str, str, str], bodies: list[str], *, now: float) -> None:
    deliveries.add(db, conversations.room(db, *address).id, bodies, now=now)
