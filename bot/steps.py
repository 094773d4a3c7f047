"""The step that a delivery stands for, taken in its room."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot import opening
from bot.bodies import at_the_door, name_of
from bot.chat import DeliveringChat, Divided, MessageRef, Refused, RoomAddress, Text, Why
from bot.gates import Gates
from bot.pacing import Room
from bot.rewriting import fold, rewrite
from core.dispatch.clock import Clock
from core.store import conversations, deliveries, preferences
from core.store.database import Database
from core.store.deliveries import Delivery

LATE_SECONDS = 60.0
"""An answer that waited longer for its chat says from when it is."""

Step = dict[str, str]
Marks = Callable[[str, bool, float, bool], str]
"""What stands above a message in a language: whether it may be a repeat, since when it waited (0: not
long), and whether it is for a topic that it can't go to."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Those of one account. *stand_in* is said in a language in place of what the chat will never take;
    *wake* tells that more is due. Errors of `take`: `ChatError`."""

    store: Database
    chat: DeliveringChat
    clock: Clock
    gates: Gates
    marks: Marks
    stand_in: Callable[[str], Text]
    wake: Callable[[], None]

    async def take(self, room: Room, there: RoomAddress, delivery: Delivery) -> MessageRef:
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
            with self.gates.to(there, door=door) as chat:
                replies = not delivery.moved
                return await chat.deliver(there, body, mark=mark, replies=replies, once=once, hush=hush)
        except Refused as refusal:
            if refusal.why is not Why.THREAD or not there.thread:
                raise
        main, mark = replace(there, thread=""), await self._mark(room, delivery, astray=delivery.part == 0)
        with self.gates.to(main, door=door) as chat:
            return await chat.deliver(main, body, mark=mark, replies=False, once=once, hush=hush)

    async def _hushed(self, there: RoomAddress, delivery: Delivery) -> bool:
        """Whether the one whom it is for is not to be called at this time of the day."""
        now = time.localtime(self.clock.now())
        minute, private = now.tm_hour * 60 + now.tm_min, self.chat.private_to(there)
        whom = (there.platform, delivery.prompt, private)
        return await self.store.glance(preferences.hushed, *whom, minute=minute)

    async def _mark(self, room: Room, delivery: Delivery, *, astray: bool = False) -> str:
        late = self.clock.now() - delivery.at > LATE_SECONDS and delivery.part == 0
        repeat = delivery.repeat and not self.chat.limits.once
        if not (late or repeat or astray):
            return ""
        return self.marks(await self._language(room), repeat, delivery.at if late else 0.0, astray)

    async def _folded(self, room: Room, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """Telegram gives no way to find a message whose name never came (it was on its way when the answer
        was lost, or when we were killed), and none to change one in a group that moved. So what such a
        message says last stays; there is no second one beside it meanwhile, since that would be two for
        sure where perhaps there is one; and at the end a silent message says that this has ended, whatever
        one above says. Its button still answers, at the end with that."""
        assert delivery.prompt is not None
        whose = (delivery.prompt, delivery.room)
        if shown := await self.store.glance(deliveries.progress_of, *whose):
            await fold(self.gates, there, MessageRef(shown), Text(step["fold"], silent=True))
        if "stray" in step and await self.store.glance(deliveries.strays, *whose):
            return await self._deliver(room, there, delivery, step["stray"])
        return MessageRef(shown or "")

    async def _open(self, room: Room, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        try:
            with self.gates.to(there) as chat:
                thread = await chat.open_thread(there, step[opening.STEP])
        except Refused as refusal:
            if refusal.why is not Why.THREAD:
                raise
            await self.store.insist(opening.refused, room.id, step)
            return await self._deliver(room, there, delivery, step["refused"])
        await self.store.insist(opening.opened, room.id, thread, step, now=self.clock.now())
        self.wake()
        return MessageRef("")

    async def _amend(self, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """What was told says something else now; where nobody knows its name, it stays as it is."""
        assert delivery.prompt is not None
        whose = (delivery.prompt, delivery.room, int(step["of"]))
        told = await self.store.glance(deliveries.message_of, *whose)
        if told:
            await rewrite(self.gates, there, told, step["amend"])
        return MessageRef("")

    async def _decide(self, there: RoomAddress, delivery: Delivery, step: Step) -> MessageRef:
        """What was pressed says what was decided, or that is said anew."""
        if delivery.moved or not await rewrite(self.gates, there, step["of"], step["decided"]):
            raise Divided(self.chat.cut(Text(step["decided"], silent=True)))
        return MessageRef("")

    async def instead(self, room: Room, delivery: Delivery) -> str:
        """What takes the place of what the chat will never take."""
        stray = json.loads(delivery.body).get("stray")
        return stray or self.chat.cut(self.stand_in(await self._language(room)))[0]

    async def _language(self, room: Room) -> str:
        return (await self.store.glance(conversations.address_of, room.id))[1]
