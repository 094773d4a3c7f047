"""What a chat says to us: stored first, then acted on in each room's order, and answered."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.access import Allowed, Role, may
from bot.aside import Aside, replies
from bot.audience import Audience
from bot.bodies import AT_THE_DOOR, deciding, sendable
from bot.chat import (
    DeliveringChat,
    Happened,
    Incoming,
    Message,
    MessageRef,
    Moved,
    Outgoing,
    Person,
    Press,
    RoomAddress,
    Text,
)
from bot.dealt import dealt_with
from bot.door import Door
from bot.fetching import Fetching
from bot.gathering import LONGEST_SECONDS, MOST, Together, gathered, may_come_to_us, orders, passing, together
from bot.handlers.act import answer
from bot.handlers.desk import Desk, Opening, Place, answerable, place_of
from bot.handlers.listening import hearing
from bot.handlers.rooting import may_sit_elsewhere
from bot.happenings import Happenings
from bot.intents.parse import Here, parse
from bot.intents.values import Amend, Ask, Listen, NotForUs, Start
from bot.kept import as_of, decoded, encoded, keep
from bot.opening import opening
from bot.outage import Outage
from bot.outbox import Outbox
from bot.replies import errors
from bot.replies import group as group_reply
from bot.replies import queue as queue_reply
from bot.replies import start as start_reply
from bot.roster import Roster
from bot.showing import Showing, seat_of
from bot.tasks import Tasks, either
from core.crash import crash_point
from core.errors import CoreError, DiskFull, StoreBusy
from core.model.ids import PromptId, RoomId
from core.model.prompt import Prompt, Source
from core.store import conversations, deliveries, inbox, people, prompts
from core.store.database import Db
from core.store.inbox import Received

BACKLOG_SECONDS = 600.0
"""Words that were said longer ago came in an outage: they run, with a word on how many there are."""
OUTAGE_SECONDS = 30.0
BATCH_SECONDS = 0.3
"""What comes after more than the one is followed by the rest of it within the other."""
LONGEST_BATCH_SECONDS = 10.0
"""People may go on writing all the while: what they say after so long is no part of it any more."""
RETRY_SECONDS = 5.0
LOOK_SECONDS = 0.05
"""How often it is looked whether more has come of what is being gathered."""
POLL_SECONDS = 2.0
"""What another process lets go on in a room (a project was brought back) rings nowhere."""
MOST_TRIES = 3
"""What still can't be acted on after so many holds up nothing that came after it."""

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
        door: Door,
    ) -> None:
        self._chat = chat
        self._tasks = Tasks(desk.clock.sleep)
        self._news = asyncio.Event()
        self._aside = Aside(chat, desk, self._tasks, wake=outbox.wake, anew=self._news.set)
        self._desk = replace(
            desk,
            took=self._took,
            fetch=chat.fetch,
            our_device=chat.our_device,
            own=lambda room, person: chat.private_to(room) == person.id != "",
            delivers=True,
            settle=self._settle,
            tell=self._aside.tell,
            begins=self._aside.begins,
            opens=self._opens,
            later=self._aside.later,
        )
        self._marks = marks
        self._outbox = outbox
        self._showing = showing
        self._roster = roster
        self._door = door
        self._happenings = Happenings(chat, self._desk, roster)
        self._audience = Audience(chat, self._desk, self._happenings)
        self._outage = Outage(desk.store, desk.clock, self._say_full)
        self._fetching = Fetching(chat, self._desk, outbox=outbox, roster=roster, outage=self._outage)
        self._seen: dict[Source, float] = {}
        self._signed: set[Source] = set()
        self._tries: Counter[Source] = Counter()

    async def listen(self) -> None:
        """Store what comes, each before the next is asked for. Until cancelled."""
        async for heard in self._chat.incoming():
            if isinstance(heard, Moved):
                await self._outbox.moved(heard.chat, heard.to)
                self._news.set()
            elif isinstance(heard, Happened):
                if await self._desk.store.insist(keep, heard, now=self._desk.clock.now()):
                    self._news.set()
            elif await self._keep(heard):
                self._news.set()
            crash_point("kept")

    async def _keep(self, incoming: Incoming) -> bool:
        meant, now = partial(self._meant, incoming), self._desk.clock.now()
        return await self._outage.insist(incoming.room, meant, keep, incoming, now=now)

    async def act(self) -> None:
        """On everything that is stored and was not acted on, also before a restart. Until cancelled."""
        await self._fetching.take_up()
        await self._desk.store.insist(inbox.look_again, self._chat.platform, self._chat.account)
        self._news.set()
        try:
            while True:
                await either(self._news.wait(), self._desk.clock.sleep(POLL_SECONDS))
                self._news.clear()
                for room in await self._desk.store.glance(
                    inbox.rooms, self._chat.platform, self._chat.account
                ):
                    self._tasks.start(f"act in room {room}", partial(self._act_in, room))
        finally:
            await self._tasks.close()
            await self._fetching.close()
            await self._outage.close()

    # -- one room --------------------------------------------------------------------------------------

    async def _act_in(self, room: RoomId) -> None:
        """On one after the other: each may let older ones come first (a project was chosen)."""
        await self._catch_up(room)
        while together := await self._next(room):
            await self._act_on(together)
        self._desk.ring()
        self._news.set()  # what was said here may let other rooms go on

    async def _next(self, room: RoomId) -> list[Received]:
        """What is to be acted on next: what was sent together, once nothing more of it is to be expected, or
        what need not wait for that."""
        clock, began = self._desk.clock, self._desk.clock.monotonic()
        while waiting := await self._desk.store.glance(inbox.waiting, room, most=MOST):
            heard = [decoded(one.body) for one in waiting]
            here = await self._here(heard[0].room)
            found = together(heard, partial(orders, here))
            ready = self._ready_at(heard, found, here)
            if clock.monotonic() >= min(ready, began + LONGEST_SECONDS):
                return [waiting[place] for place in found.places]
            await self._see(waiting[0], heard[0], here)
            if (place := passing(heard, found.places, partial(self._asks, here))) is not None:
                return [waiting[place]]
            await clock.sleep(min(ready - clock.monotonic(), LOOK_SECONDS))
        return []

    def _ready_at(self, heard: Sequence[Incoming | Happened], found: Together, here: Here) -> float:
        """When nothing more of what was *found* is to be expected (monotonic), since we came to hear it."""
        parts = [one for one in map(heard.__getitem__, found.places) if isinstance(one, Message)]
        if not found.hold or not (self._asks(here, gathered(parts)) or may_come_to_us(parts[0])):
            return 0.0
        return self._seen.setdefault(parts[-1].source, self._desk.clock.monotonic()) + found.hold

    async def _see(self, received: Received, first: Incoming | Happened, here: Here) -> None:
        """A sign that it is stored, to who may ask, though more may come of it."""
        if not isinstance(first, Message) or received.source in self._signed or not self._asks(here, first):
            return
        if not await self._runs(received):
            return
        self._signed.add(received.source)
        sign = partial(self._sign, received.room, first.room, first.id)
        self._tasks.start(f"acknowledge update {received.source.update}", sign)

    async def _act_on(self, together: Sequence[Received]) -> None:
        received = together[0]
        address, language = await self._desk.store.glance(conversations.address_of, received.room)
        heard = await self._as_one(together)
        if isinstance(heard, Happened):
            happened, now = replace(heard, room=RoomAddress(*address)), self._desk.clock.now()
            await self._audience.count(happened)
            await self._desk.store.insist(self._followed, happened, received, now=now)
            self._desk.news.tell()
            return
        incoming = as_of(RoomAddress(*address), heard)
        await self._audience.look(incoming)
        stranger = self._roster.is_stranger(incoming.person)
        said = await (self._to_a_stranger if stranger else self._said)(incoming, language)
        bodies = sendable(self._chat, said, step=AT_THE_DOOR if stranger else "send")
        crash_point("acted")
        acted = (received.source, received.room, bodies, incoming.room)
        meant, now = partial(self._meant, incoming), self._desk.clock.now()
        due = await self._outage.insist(incoming.room, meant, dealt_with, *acted, owed=not stranger, now=now)
        await self._showing.name(received.room, incoming.room)
        self._tries.pop(received.source, None)
        self._signed.discard(received.source)
        for one in together:
            self._seen.pop(one.source, None)
        if due or may_sit_elsewhere(incoming):
            self._outbox.wake()

    def _followed(self, db: Db, happened: Happened, received: Received, *, now: float) -> None:
        bodies = sendable(self._chat, self._happenings.follow(db, happened, now=now))
        dealt_with(db, received.source, received.room, bodies, happened.room, owed=bool(bodies), now=now)

    async def _as_one(self, together: Sequence[Received]) -> Incoming | Happened:
        """What was sent as one is one in the inbox too, from here on."""
        first, *others = heard = [decoded(one.body) for one in together]
        parts = [one for one in heard if isinstance(one, Message)]
        if not isinstance(first, Message):
            return first
        whole = gathered(parts)
        if others:
            names, meant = [one.source for one in others], partial(self._meant, first)
            body = encoded(whole)
            await self._outage.insist(first.room, meant, inbox.join, first.source, names, body)
        return whole

    def _settle(self, db: Db, place: Place, said: list[Outgoing]) -> list[Outgoing]:
        """What is said is due, and what it answers is dealt with, along with whatever was done about it."""
        known, now = place.role is not Role.STRANGER, self._desk.clock.now()
        decided = deciding(self._chat, place.message, said) if place.chooses else []
        answers = sendable(self._chat, replies(said, place.reply_to), step="send" if known else AT_THE_DOOR)
        self._aside.used(db, place, whole=bool(decided))
        dealt_with(db, place.source, place.room.id, decided or answers, place.address, owed=known, now=now)
        return []

    def _opens(self, db: Db, place: Place, wanted: Opening) -> None:
        deliveries.add(db, place.room.id, [opening(self._chat, wanted)], now=self._desk.clock.now())

    async def _said(self, incoming: Incoming, language: str) -> list[Outgoing]:
        return replies(await self._answered(incoming, language), answerable(incoming))

    async def _answered(self, incoming: Incoming, language: str) -> list[Outgoing]:
        self._tries[incoming.source] += 1
        if self._tries[incoming.source] > MOST_TRIES:
            about = self._desk.about(None, self._desk.engine)
            return [errors.refused(CoreError(), about, self._desk.words(language))]
        while True:
            try:
                here = await self._here(incoming.room)
                return await self._aside.shown(incoming, await answer(incoming, here, self._desk))
            except (StoreBusy, DiskFull) as trouble:
                logger.warning("what was said waits in the inbox: %s", trouble.key)
                if isinstance(trouble, DiskFull) and await self._meant(incoming):
                    self._outage.begins(incoming.room)
                await self._desk.clock.sleep(RETRY_SECONDS)

    async def _catch_up(self, room: RoomId) -> None:
        """After an outage everything is heard before anything is acted on, and counted; what still comes in
        holds that up for `LONGEST_BATCH_SECONDS` at most."""
        clock = self._desk.clock
        until = clock.monotonic() + LONGEST_BATCH_SECONDS
        waiting, heard = await self._desk.store.glance(inbox.waiting, room), 0
        while len(waiting) > heard and self._age(waiting[0]) > OUTAGE_SECONDS and clock.monotonic() < until:
            heard = len(waiting)
            await clock.sleep(BATCH_SECONDS)
            waiting = await self._desk.store.glance(inbox.waiting, room)
        runs = [one for one in waiting if self._age(one) > BACKLOG_SECONDS and await self._runs(one)]
        if len(runs) > 1:
            _, language = await self._desk.store.glance(conversations.address_of, room)
            await self._say(room, [queue_reply.backlog(len(runs), self._desk.words(language))])

    def _age(self, received: Received) -> float:
        return self._desk.clock.now() - received.said_at

    async def _runs(self, received: Received) -> bool:
        """Whether it will be a prompt."""
        incoming = decoded(received.body)
        if not isinstance(incoming, Message):
            return False
        intent = parse(incoming, await self._here(incoming.room))
        role = (await place_of(incoming, self._desk)).role
        return isinstance(intent, Ask) and isinstance(may(role, intent), Allowed)

    def _asks(self, here: Here, message: Message) -> bool:
        return isinstance(parse(message, here), Ask) and not self._roster.is_stranger(message.person)

    async def _meant(self, incoming: Incoming) -> bool:
        """Whether it was said to us by somebody who is to hear of trouble with it."""
        return not self._roster.is_stranger(incoming.person) and await self._addressed(incoming)

    async def _addressed(self, incoming: Incoming) -> bool:
        intent = parse(incoming, await self._here(incoming.room))
        return isinstance(incoming, Press) or not isinstance(intent, NotForUs | Amend)

    async def _say_full(self, room: RoomAddress) -> None:
        address = (room.platform, room.account, room.chat, room.thread)
        texts = self._desk.words(await self._desk.store.read(conversations.language_at, *address))
        await self._outbox.tell(room, queue_reply.disk_full(self._desk.machine, texts))

    async def _here(self, room: RoomAddress) -> Here:
        told = await hearing(self._desk.store, room)
        listen = Listen(told.listen or Listen.AUTO)
        names = await self._chat.called()
        return Here(names, self._marks, called=True, own_topic=told.own, listen=listen)

    async def _say(self, room: RoomId, said: Sequence[Outgoing]) -> None:
        bodies, now = sendable(self._chat, said), self._desk.clock.now()
        await self._desk.store.insist(deliveries.add, room, bodies, now=now)
        self._outbox.wake()

    # -- strangers -------------------------------------------------------------------------------------

    async def _to_a_stranger(self, incoming: Incoming, language: str) -> list[Outgoing]:
        """A code lets them in; while nobody owns this, they are told where to get one; else nothing."""
        if not incoming.person.id:
            return await self._to_nobody_known(incoming, language)
        code = await self._desk.store.read(people.offered, now=self._desk.clock.now())
        says_one = isinstance(parse(incoming, await self._here(incoming.room)), Start)
        if says_one and code is not None and self._door.may_try(code, incoming.person.id):
            return replies(await self._answered(incoming, language), None)
        if not self._roster.owners:
            return self._no_owner(incoming, language, code=code is not None)
        await self._tell_of(incoming.person)
        return []

    async def _to_nobody_known(self, incoming: Incoming, language: str) -> list[Outgoing]:
        """Whoever hides behind the name of a group that works with us, and speaks to us there, is told how to
        be heard, as often as the door tells."""
        place = await place_of(incoming, self._desk)
        spoken_to = place.project and await self._addressed(incoming)
        if spoken_to and self._door.tells(incoming.room.chat, now=self._desk.clock.monotonic()):
            return [group_reply.hidden(self._desk.words(language))]
        return []

    def _no_owner(self, incoming: Incoming, language: str, *, code: bool) -> list[Outgoing]:
        """To whoever writes in private, as often as the door tells."""
        alone = isinstance(incoming, Message) and incoming.alone
        if alone and self._door.tells(incoming.person.id, now=self._desk.clock.monotonic()):
            return [start_reply.no_owner(self._desk.machine, self._desk.words(language), code=code)]
        return []

    async def _tell_of(self, person: Person) -> None:
        knock = (self._chat.platform, person.id, person.name)
        if await self._desk.store.insist(people.knocked, *knock, now=self._desk.clock.now()):
            await self.tell_owners(start_reply.stranger(person, self._desk.words("")))

    async def tell_owners(self, text: Text, *, note: str = "") -> None:
        """Say *text* to everybody who owns this Roost here, each in private; a *note* of that name once a day
        at most."""
        now = self._desk.clock.now()
        await self._desk.store.insist(self._happenings.tell, text, note=note, now=now)
        self._outbox.wake()

    # -- prompts ---------------------------------------------------------------------------------------

    def _took(self, place: Place, prompt: Prompt) -> None:
        self._showing.follow(prompt, place.room.id)
        if place.source not in self._signed:
            self._tasks.start(f"acknowledge prompt {prompt.id}", partial(self._acknowledge, prompt.id))
        self._fetching.begin(prompt.id)

    async def _acknowledge(self, prompt: PromptId) -> None:
        store, hold = self._desk.store, self._chat.limits.hold
        if hold:
            await self._desk.clock.sleep(hold)
            if (await store.glance(prompts.get, prompt)).status.ended:
                return
        place, address, _ = await store.glance(seat_of, prompt)
        await self._sign(place.room, address, MessageRef(place.message))

    async def _sign(self, room: RoomId, address: RoomAddress, message: MessageRef) -> None:
        """That it is stored; one that is lost is no loss, for the answer comes."""
        if message:
            await self._outbox.sign(room, address, lambda _: self._chat.acknowledge(address, message))
