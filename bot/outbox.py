"""Messages leave: one queue for each room, finals before progress, each step stored before the next."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from bot.chat import (
    ChatError,
    DeliveringChat,
    Flood,
    MessageRef,
    NotSent,
    Outgoing,
    Refused,
    RoomAddress,
    Text,
    Unknown,
    Why,
)
from bot.pacing import Room, Shown
from bot.tasks import Tasks, either, finished
from core.crash import crash_point
from core.dispatch.clock import Clock
from core.model.ids import PromptId, RoomId
from core.store import conversations, deliveries
from core.store.database import Database
from core.store.deliveries import Delivery

CLOSING_SECONDS = 2.0
"""For a message that is on its way when Roost is told to stop: else nobody would know whether it arrived."""
LATE_SECONDS = 60.0
"""An answer that waited longer for its chat says from when it is."""

logger = logging.getLogger(__name__)

Compose = Callable[[PromptId], Awaitable[tuple[list[Text], Text]]]
"""What tells the end of a prompt, and what its progress message says from then on."""
Marks = Callable[[bool, float], str]
"""What stands above a message: whether it may be a repeat, and since when it waited (0: not long)."""


def sendable(chat: DeliveringChat, said: Iterable[Outgoing]) -> list[str]:
    """The bodies of the deliveries that *said* comes to in this chat."""
    return [json.dumps({"send": body}) for what in said for body in chat.cut(what)]


class Outbox:
    """Everything that one chat account sends. Finals are tried for ever; progress gives way to newer.

    Each room has a task of its own while it has something to send: one's trouble delays no other.
    *stand_in* is said in place of what the chat will never take.
    """

    def __init__(
        self,
        store: Database,
        chat: DeliveringChat,
        clock: Clock,
        *,
        compose: Compose,
        marks: Marks,
        stand_in: Callable[[], Text],
    ) -> None:
        self._store = store
        self._chat = chat
        self._clock = clock
        self._compose = compose
        self._marks = marks
        self._stand_in = stand_in
        self._rooms: dict[RoomId, Room] = {}
        self._tasks = Tasks(clock.sleep)
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Something is due in the store."""
        self._news.set()

    async def run(self) -> None:
        """Until cancelled. What was on its way when Roost died is sent again, with its mark."""
        self._news.set()
        try:
            while True:
                await self._news.wait()
                self._news.clear()
                for number, address in await self._store.read(
                    deliveries.rooms_due, self._chat.platform, self._chat.account
                ):
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

    async def sign(self, room: RoomId, address: RoomAddress, sign: Callable[[], Awaitable[None]]) -> None:
        """Give a *sign* that may as well be lost, unless nothing at all may go there now."""
        here = self._room(room, address)
        if self._clock.monotonic() < here.open_at:
            return
        try:
            await sign()
        except Flood as flood:
            self._close(here, flood)
        except ChatError as trouble:
            logger.debug("a sign in room %d is lost: %s", room, type(trouble).__name__)

    def _room(self, number: RoomId, address: RoomAddress) -> Room:
        return self._rooms.setdefault(number, Room(number, address))

    def _begin(self, room: Room) -> None:
        room.news.set()
        self._tasks.start(f"send to room {room.id}", lambda: self._work(room))

    async def _work(self, room: Room) -> None:
        """Send until nothing is left for this room."""
        room.due = True  # as far as is known here
        while True:
            room.news.clear()
            if (wait := room.open_at - self._clock.monotonic()) > 0:
                await self._clock.sleep(wait)
                continue
            due, room.due = room.due, False
            delivery = await self._store.read(deliveries.next_due, room.id) if due else None
            if delivery is not None:
                room.due = True
                await finished(self._send(room, delivery), seconds=CLOSING_SECONDS)
            elif room.progress:
                await self._show(room)
            elif not room.news.is_set():
                return

    def _close(self, room: Room, trouble: NotSent | Unknown) -> None:
        room.close(trouble, self._clock.monotonic())
        logger.info("room %d is closed: %r", room.id, trouble)

    async def _moved(self, room: Room, refusal: Refused) -> bool:
        """Whether the platform has only given the room another name, by which it is called from now on."""
        if refusal.why is not Why.MOVED or refusal.to in ("", room.address.chat):
            return False
        await self._store.insist(conversations.move, room.id, refusal.to)
        room.address = replace(room.address, chat=refusal.to)
        return True

    # -- finals and replies ----------------------------------------------------------------------------

    async def _send(self, room: Room, delivery: Delivery) -> None:
        if delivery.kind == "ended" and delivery.prompt is not None:
            await self._cut(room, delivery, delivery.prompt)
            return
        await self._store.insist(deliveries.sending, delivery.id)
        crash_point("delivering")
        try:
            message = await self._leave(room, delivery)
        except (NotSent, Unknown) as trouble:
            known = isinstance(trouble, NotSent) and not delivery.repeat
            await self._store.insist(deliveries.set_back, delivery.id, unknown=not known)
            self._close(room, trouble)
        except Refused as refusal:
            if await self._moved(room, refusal):
                await self._store.insist(deliveries.set_back, delivery.id, unknown=delivery.repeat)
            else:
                await self._refused(room, delivery, refusal)
        else:
            room.failures = 0
            await self._store.insist(deliveries.sent, delivery.id, message)

    async def _cut(self, room: Room, delivery: Delivery, prompt: PromptId) -> None:
        """The end of a prompt becomes messages: its own, then what is left of its progress."""
        said, left = await self._compose(prompt)
        room.progress.pop(prompt, None)
        sent = await asyncio.to_thread(sendable, self._chat, said)  # a long answer takes a while to cut
        parts = [*sent, json.dumps({"fold": left.markdown})]
        await self._store.insist(deliveries.cut, delivery, parts)

    async def _leave(self, room: Room, delivery: Delivery) -> MessageRef:
        step = json.loads(delivery.body)
        if "fold" not in step:
            waited = self._clock.now() - delivery.at > LATE_SECONDS and delivery.part == 0
            mark = self._marks(delivery.repeat, delivery.at if waited else 0.0)
            (body,) = step.values()
            return await self._chat.deliver(room.address, body, mark=mark)
        assert delivery.prompt is not None
        shown = await self._store.read(deliveries.progress_of, delivery.prompt, room.id)
        if shown:
            await self._fold(room, MessageRef(shown), Text(step["fold"], silent=True))
        return MessageRef(shown or "")

    async def _fold(self, room: Room, shown: MessageRef, left: Text) -> None:
        """A message that can't be edited goes: none may say for ever that a turn is at work."""
        try:
            await self._chat.edit(room.address, shown, left)
        except Refused as refusal:
            if refusal.why in (Why.MOVED, Why.FORBIDDEN):
                raise
            await self._chat.delete(room.address, shown)

    async def _refused(self, room: Room, delivery: Delivery, refusal: Refused) -> None:
        """Where something of ours may be said at all, a sentence takes the place of what was to be sent."""
        logger.warning("room %d refuses delivery %d: %s", room.id, delivery.id, refusal)
        if refusal.why is Why.FORBIDDEN or "send" not in json.loads(delivery.body):
            await self._store.insist(deliveries.refused, delivery.id)
        else:
            body = json.dumps({"instead": self._chat.cut(self._stand_in())[0]})
            await self._store.insist(deliveries.instead, delivery.id, body)

    # -- progress --------------------------------------------------------------------------------------

    async def _show(self, room: Room) -> None:
        """Bring one turn up to date, or wait until one may be, or there is news."""
        elapsed = max(shown.elapsed for shown in room.progress.values())
        prompt, at = room.next(self._chat.pace(room.address, elapsed))
        wait = at - self._clock.monotonic()
        if prompt is None:
            await room.news.wait()
        elif wait > 0:
            await either(room.news.wait(), self._clock.sleep(wait))
        else:
            await finished(self._say(room, prompt, room.progress[prompt]), seconds=CLOSING_SECONDS)

    async def _say(self, room: Room, prompt: PromptId, shown: Shown) -> None:
        text = shown.text
        shown.edited = room.edited = self._clock.monotonic()
        try:
            await self._edit(room, prompt, text)
        except (NotSent, Unknown) as trouble:
            shown.slower *= 2 if isinstance(trouble, Flood) else 1
            self._close(room, trouble)
        except Refused as refusal:
            logger.info("room %d refuses progress: %s", room.id, refusal)
            shown.lost = not await self._moved(room, refusal)
        else:
            room.failures, shown.said = 0, text

    async def _edit(self, room: Room, prompt: PromptId, text: Text) -> None:
        """One message shows a turn: where nobody knows whether it is there, there is no second one."""
        message = await self._store.read(deliveries.progress_of, prompt, room.id)
        if message is None:
            await self._store.insist(deliveries.shows_progress, prompt, room.id, "", now=self._clock.now())
            try:
                message = await self._chat.send(room.address, text)
            except NotSent:
                await self._store.insist(deliveries.shows_no_progress, prompt, room.id)
                raise
            await self._store.insist(
                deliveries.shows_progress, prompt, room.id, message, now=self._clock.now()
            )
        elif message:
            await self._chat.edit(room.address, MessageRef(message), text)
        else:
            raise Refused(why=Why.GONE)
