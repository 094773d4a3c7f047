"""Messages leave: one queue for each room, finals before progress, each step stored before the next."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot import bodies, opening
from bot.bodies import End, at_the_door, name_of
from bot.chat import (
    ChatError,
    DeliveringChat,
    Divided,
    Flood,
    MessageRef,
    NotSent,
    Refused,
    RoomAddress,
    Text,
    Unknown,
    Why,
)
from bot.gates import Gates
from bot.pacing import BOARD, Kept, Room, Shown
from bot.rewriting import fold, rewrite
from bot.standing import Keeping
from bot.tasks import Tasks, either, finished
from core.crash import crash_point
from core.dispatch.clock import Clock
from core.model.ids import PromptId, RoomId
from core.store import conversations, deliveries, moves, preferences
from core.store.database import Database
from core.store.deliveries import Delivery, DeliveryId

CLOSING_SECONDS = 2.0
"""For a message that is on its way when Roost is told to stop: else nobody would know whether it arrived."""
LATE_SECONDS = 60.0
"""An answer that waited longer for its chat says from when it is."""

logger = logging.getLogger(__name__)


Compose = Callable[[PromptId, RoomId], Awaitable[End]]
Step = dict[str, str]
Marks = Callable[[str, bool, float, bool], str]
"""What stands above a message in a language: whether it may be a repeat, since when it waited (0: not
long), and whether it is for a topic that it can't go to."""


class Outbox:
    """Everything that one chat account sends. Finals are tried for ever; progress gives way to newer.

    Each room has a task of its own while it has something to send: one's trouble delays no other, but that
    a flood closes all rooms of its chat, also across a restart. *stand_in* is said in a language in place
    of what the chat will never take. Where nobody *reads* who may, nothing goes but what is said at the
    door, however it came to be on its way.
    """

    def __init__(
        self,
        store: Database,
        chat: DeliveringChat,
        clock: Clock,
        *,
        compose: Compose,
        marks: Marks,
        stand_in: Callable[[str], Text],
        reads: Callable[[RoomAddress], bool] = lambda room: True,
    ) -> None:
        self._store = store
        self._chat = chat
        self._clock = clock
        self._compose = compose
        self._marks = marks
        self._stand_in = stand_in
        self._reads = reads
        self._rooms: dict[RoomId, Room] = {}
        self._leaving: dict[DeliveryId, asyncio.Event] = {}
        self._gates = Gates(store, chat, clock, reads)
        self._keeping = Keeping(store, clock, self._gates.to)
        self._tasks = Tasks(clock.sleep)
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Something is due in the store."""
        self._news.set()

    async def take_up(self) -> None:
        """Chats that a flood had closed before a restart are closed still. Before anything is sent."""
        await self._gates.take_up()

    async def run(self) -> None:
        """Until cancelled. What was on its way when Roost died is sent again, with its mark."""
        self._news.set()
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                for number, address in await self._store.glance(deliveries.rooms_due, *self._us):
                    room = self._room(number, RoomAddress(*address))
                    room.due = True
                    self._begin(room)
        finally:
            await self._tasks.close()

    def show(self, room: RoomId, address: RoomAddress, prompt: PromptId, text: Text, elapsed: float) -> None:
        """Let the message that shows *prompt* say *text* as soon as the room allows; a newer text takes the
        place of one that still waits."""
        here = self._room(room, address)
        here.show(prompt, text, elapsed)
        self._begin(here)

    def show_board(self, room: RoomId, address: RoomAddress, text: Text) -> None:
        """The same for the board of a chat: it shares the pace of what shows turns, and has a slow one."""
        here = self._room(room, address)
        here.show_board(text)
        self._begin(here)

    def drop_board(self, room: RoomId) -> None:
        """Nothing is done about it from here any more."""
        if room in self._rooms:
            self._rooms[room].progress.pop(BOARD, None)

    async def sign(
        self,
        room: RoomId,
        address: RoomAddress,
        sign: Callable[[RoomAddress], Awaitable[None]],
        *,
        counts: bool = False,
    ) -> None:
        """Give a *sign* that may as well be lost, unless nothing at all may go there now. *counts*: towards
        what the chat takes in a minute, as reactions and signs of typing don't."""
        here = self._room(room, address)
        if self._clock.monotonic() < here.open_at:
            return
        there = here.address
        try:
            with self._gates.to(there, counts=counts):
                await sign(there)
        except Flood as flood:
            await self._gates.close(here, there, flood)
        except ChatError as trouble:
            logger.debug("a sign in room %d is lost: %s", room, type(trouble).__name__)

    async def tell(self, there: RoomAddress, text: Text) -> None:
        """Say what may as well be lost, by one plain send that needs no store. Errors: `ChatError`."""
        with self._gates.to(there) as chat:
            await chat.send(there, text)

    async def moved(self, chat: str, to: str) -> None:
        """The platform calls *chat* by another name: what all of its rooms are to get goes there."""
        await self._store.insist(moves.move, *self._us, chat, to, now=self._clock.now())
        for room in self._rooms.values():
            if room.address.chat == chat:
                there = replace(room.address, chat=to)
                room.move(there, self._gates.of(there))
        self.wake()

    # -- one room --------------------------------------------------------------------------------------

    @property
    def _us(self) -> tuple[str, str]:
        return self._chat.platform, self._chat.account

    def _room(self, number: RoomId, address: RoomAddress) -> Room:
        return self._rooms.setdefault(number, Room(number, address, self._gates.of(address)))

    def _begin(self, room: Room) -> None:
        room.news.set()
        self._tasks.start(f"send to room {room.id}", lambda: self._work(room))

    async def _work(self, room: Room) -> None:
        """Send until nothing is left for this room."""
        room.due = True  # as far as is known here
        while True:
            room.news.clear()
            if (wait := max(room.open_at, room.gate.frees_at()) - self._clock.monotonic()) > 0:
                await self._clock.sleep(wait)
                continue
            there = room.address  # before anything is read: what the store says of messages is of this name
            due, room.due = room.due, False
            delivery = await self._store.glance(deliveries.next_due, room.id) if due else None
            if delivery is not None:
                room.due = True
                await finished(self._send(room, there, delivery), seconds=CLOSING_SECONDS)
            elif room.progress:
                await self._show(room)
            elif not room.news.is_set():
                return

    async def _language(self, room: Room) -> str:
        return (await self._store.glance(conversations.address_of, room.id))[1]

    # -- finals and replies ----------------------------------------------------------------------------

    async def _send(self, room: Room, there: RoomAddress, delivery: Delivery) -> None:
        if not (self._reads(there) or at_the_door(delivery)):
            room.progress.clear()
            await self._to_nobody(delivery)
            return
        if delivery.kind == "ended" and delivery.prompt is not None:
            await self._cut(delivery, delivery.prompt)
            return
        if words := bodies.said_there(delivery):
            await self._store.insist(bodies.divided, delivery, self._chat.cut(words))
            return
        if leaving := self._leaving.get(delivery.id):
            await leaving.wait()  # for the worker of a room that has become one with this one meanwhile
            return
        over = self._leaving[delivery.id] = asyncio.Event()
        try:
            await self._attempt(room, there, delivery)
        finally:
            del self._leaving[delivery.id]
            over.set()

    async def _attempt(self, room: Room, there: RoomAddress, delivery: Delivery) -> None:
        await self._store.insist(deliveries.sending, delivery.id)
        crash_point("delivering")
        try:
            message = await self._leave(room, there, delivery)
        except (NotSent, Unknown) as trouble:
            await self._store.insist(deliveries.set_back, delivery.id, unknown=isinstance(trouble, Unknown))
            await self._gates.close(room, there, trouble)
        except Divided as division:
            await self._store.insist(bodies.divided, delivery, division.bodies)
        except Refused as refusal:
            if refusal.moves(there.chat):  # surely not there, and known to be so before it may be sent again
                await self._store.insist(deliveries.set_back, delivery.id, unknown=False)
                await self.moved(there.chat, refusal.to)
            else:
                await self._refused(room, delivery, refusal)
        else:
            self._gates.came_through(room)
            await self._store.insist(bodies.sent, delivery, message)

    async def _to_nobody(self, delivery: Delivery) -> None:
        """All that is kept of it is what folds a message that shows a turn: for when the room is heard from
        and somebody reads it again, who would see that turn at work for ever."""
        if delivery.kind == "ended" and delivery.prompt is not None:
            await self._cut(delivery, delivery.prompt, told=False)
        elif delivery.kind == "part" and "fold" in json.loads(delivery.body):
            await self._store.insist(deliveries.refused, delivery.id)
        else:
            await self._store.insist(deliveries.forget, delivery.id)

    async def _cut(self, delivery: Delivery, prompt: PromptId, *, told: bool = True) -> None:
        """The end of a prompt becomes messages: its own, if it is *told*, then what is left of its
        progress."""
        end = await self._compose(prompt, delivery.room)
        for room in self._rooms.values():
            room.progress.pop(prompt, None)
        sent = await bodies.told(self._chat, end.said if told else [])
        fold = {"fold": end.left.markdown, "stray": self._chat.cut(end.stray)[0]}
        await self._store.insist(deliveries.cut, delivery, [*sent, json.dumps(fold)])

    async def _leave(self, room: Room, there: RoomAddress, delivery: Delivery) -> MessageRef:
        step = json.loads(delivery.body)
        if "fold" in step:
            return await self._folded(room, there, delivery, step)
        if "decided" in step:
            return await self._decide(there, delivery, step)
        if "amend" in step:
            return await self._amend(there, delivery, step)
        if opening.STEP in step:
            return await self._open(room, there, delivery, step)
        return await self._deliver(room, there, delivery, next(iter(step.values())))

    async def _deliver(self, room: Room, there: RoomAddress, delivery: Delivery, body: str) -> MessageRef:
        """Where its topic is gone or closed, it goes to the main part of the chat."""
        mark, door, once = await self._mark(room, delivery), at_the_door(delivery), name_of(delivery)
        hush = await self._hushed(there, delivery)
        try:
            with self._gates.to(there, door=door) as chat:
                replies = not delivery.moved
                return await chat.deliver(there, body, mark=mark, replies=replies, once=once, hush=hush)
        except Refused as refusal:
            if refusal.why is not Why.THREAD or not there.thread:
                raise
        main, mark = replace(there, thread=""), await self._mark(room, delivery, astray=delivery.part == 0)
        with self._gates.to(main, door=door) as chat:
            return await chat.deliver(main, body, mark=mark, replies=False, once=once, hush=hush)

    async def _hushed(self, there: RoomAddress, delivery: Delivery) -> bool:
        """Whether the one whom it is for is not to be called at this time of the day."""
        now = time.localtime(self._clock.now())
        minute, private = now.tm_hour * 60 + now.tm_min, self._chat.private_to(there)
        whom = (there.platform, delivery.prompt, private)
        return await self._store.glance(preferences.hushed, *whom, minute=minute)

    async def _mark(self, room: Room, delivery: Delivery, *, astray: bool = False) -> str:
        late = self._clock.now() - delivery.at > LATE_SECONDS and delivery.part == 0
        repeat = delivery.repeat and not self._chat.limits.once
        if not (late or repeat or astray):
            return ""
        return self._marks(await self._language(room), repeat, delivery.at if late else 0.0, astray)

    async def _folded(self, room: Room, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """Telegram gives no way to find a message whose name never came (it was on its way when the answer
        was lost, or when we were killed), and none to change one in a group that moved. So what such a
        message says last stays; there is no second one beside it meanwhile, since that would be two for
        sure where perhaps there is one; and at the end a silent message says that this has ended, whatever
        one above says. Its button still answers, at the end with that."""
        assert delivery.prompt is not None
        whose = (delivery.prompt, delivery.room)
        if shown := await self._store.glance(deliveries.progress_of, *whose):
            await fold(self._gates, there, MessageRef(shown), Text(step["fold"], silent=True))
        if "stray" in step and await self._store.glance(deliveries.strays, *whose):
            return await self._deliver(room, there, delivery, step["stray"])
        return MessageRef(shown or "")

    async def _open(self, room: Room, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        try:
            with self._gates.to(there) as chat:
                thread = await chat.open_thread(there, step[opening.STEP])
        except Refused as refusal:
            if refusal.why is not Why.THREAD:
                raise
            await self._store.insist(opening.refused, room.id, step)
            return await self._deliver(room, there, delivery, step["refused"])
        await self._store.insist(opening.opened, room.id, thread, step, now=self._clock.now())
        self.wake()
        return MessageRef("")

    async def _amend(self, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """What was told says something else now; where nobody knows its name, it stays as it is."""
        assert delivery.prompt is not None
        whose = (delivery.prompt, delivery.room, int(step["of"]))
        told = await self._store.glance(deliveries.message_of, *whose)
        if told:
            await rewrite(self._gates, there, told, step["amend"])
        return MessageRef("")

    async def _decide(self, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """What was pressed says what was decided, or that is said anew."""
        if delivery.moved or not await rewrite(self._gates, there, step["of"], step["decided"]):
            raise Divided(self._chat.cut(Text(step["decided"], silent=True)))
        return MessageRef("")

    async def _refused(self, room: Room, delivery: Delivery, refusal: Refused) -> None:
        """Where something of ours may be said at all, a sentence takes the place of what was to be sent."""
        logger.warning("room %d refuses delivery %d: %s", room.id, delivery.id, refusal)
        if refusal.why in (Why.FORBIDDEN, Why.THREAD):
            await self._store.insist(deliveries.refused, delivery.id)
            return
        stray = json.loads(delivery.body).get("stray")
        body = stray or self._chat.cut(self._stand_in(await self._language(room)))[0]
        await self._store.insist(bodies.refused, delivery, body)

    # -- progress --------------------------------------------------------------------------------------

    async def _show(self, room: Room) -> None:
        """Bring one message up to date, or wait until one may be, or there is news."""
        elapsed = max(shown.elapsed for shown in room.progress.values())
        shown_here = (one.progress for one in self._rooms.values() if one.gate is room.gate)
        turns = sum(len(progress) - (BOARD in progress) for progress in shown_here)
        kept, at = room.next(self._chat.pace(room.address, elapsed), turns)
        wait = at - self._clock.monotonic()
        if kept is None:
            await room.news.wait()
        elif wait > 0:
            await either(room.news.wait(), self._clock.sleep(wait))
        else:
            shown = room.progress[kept]
            shown.edited = self._clock.monotonic()
            room.gate.shows(room.id, shown.edited)  # before another room looks
            await finished(self._say(room, kept, shown), seconds=CLOSING_SECONDS)

    async def _say(self, room: Room, kept: Kept, shown: Shown) -> None:
        text, there = shown.text, room.address
        try:
            await self._keeping.say(room, there, kept, text)
        except (NotSent, Unknown) as trouble:
            shown.slower *= 2 if isinstance(trouble, Flood) else 1
            if isinstance(trouble, Unknown):
                shown.unsure()
            await self._gates.close(room, there, trouble)
        except Refused as refusal:
            logger.info("room %d refuses progress: %s", room.id, refusal)
            if refusal.moves(there.chat):
                await self.moved(there.chat, refusal.to)
            else:
                shown.refused()
        else:
            self._gates.came_through(room)
            shown.said = text
