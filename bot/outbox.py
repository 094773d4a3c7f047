"""Messages leave: one queue for each room, finals before progress, each step stored before the next."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot import bodies
from bot.bodies import End, at_the_door
from bot.chat import (
    ChatError,
    DeliveringChat,
    Divided,
    Flood,
    NotSent,
    Refused,
    RoomAddress,
    Text,
    Unknown,
    Why,
)
from bot.gates import Gates
from bot.pacing import BOARD, Kept, Room, Shown
from bot.standing import Keeping
from bot.steps import Marks, Steps
from bot.tasks import Tasks, either, finished
from core.crash import crash_point
from core.dispatch.clock import Clock
from core.model.ids import PromptId, RoomId
from core.store import deliveries, moves
from core.store.database import Database
from core.store.deliveries import Delivery, DeliveryId

CLOSING_SECONDS = 2.0
"""For a message that is on its way when Roost is told to stop: else nobody would know whether it arrived."""

logger = logging.getLogger(__name__)

Compose = Callable[[PromptId, RoomId], Awaitable[End]]


class Outbox:
    """Everything that one chat account sends. Finals are tried for ever; progress gives way to newer.

    Each room has a task of its own while it has something to send: one's trouble delays no other, but that
    a flood closes all rooms of its chat, also across a restart. *compose* says how a prompt has ended. Where
    nobody *reads* who may, nothing goes but what is said at the door, however it came to be on its way.
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
        self._reads = reads
        self._rooms: dict[RoomId, Room] = {}
        self._leaving: dict[DeliveryId, asyncio.Event] = {}
        self._gates = Gates(store, chat, clock, reads)
        self._steps = Steps(store, chat, clock, self._gates, marks, stand_in, self.wake)
        self._keeping = Keeping(store, clock, self._gates.to)
        self._tasks = Tasks(clock.sleep)
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Something is due in the store."""
        self._news.set()

    def reached(self) -> None:
        """The platform answers again: what waits since it didn't goes now."""
        for room in self._rooms.values():
            room.reached()

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
                await either(room.news.wait(), self._clock.sleep(wait))
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

    # -- finals and replies ----------------------------------------------------------------------------

    async def _send(self, room: Room, there: RoomAddress, delivery: Delivery) -> None:
        if not (self._reads(there) or at_the_door(delivery)):
            room.progress.clear()
            await self._to_nobody(delivery)
            return
        if delivery.kind == "ended" and delivery.prompt is not None:
            await self._cut(delivery, delivery.prompt)
            return
        if body := bodies.cut_there(self._chat, delivery):
            await self._store.insist(deliveries.instead, delivery.id, body)
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
            message = await self._steps.take(room, there, delivery)
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

    async def _refused(self, room: Room, delivery: Delivery, refusal: Refused) -> None:
        """Where something of ours may be said at all, a sentence takes the place of what was to be sent."""
        logger.warning("room %d refuses delivery %d: %s", room.id, delivery.id, refusal)
        if refusal.why in (Why.FORBIDDEN, Why.THREAD):
            await self._store.insist(deliveries.refused, delivery.id)
            return
        await self._store.insist(bodies.refused, delivery, await self._steps.instead(room, delivery))

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
