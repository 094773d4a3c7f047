"""Messages leave: one queue for each room, finals before progress, each step stored before the next."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from bot.chat import DeliveringChat, Flood, MessageRef, NotSent, Outgoing, Refused, RoomAddress, Text, Unknown
from bot.tasks import Tasks
from core.crash import crash_point
from core.dispatch.clock import Clock
from core.model.ids import PromptId, RoomId
from core.store import deliveries
from core.store.database import Database
from core.store.deliveries import Delivery

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
"""Seconds between two tries to reach a room that could not be reached."""
LATE_SECONDS = 60.0
"""An answer that waited longer for its chat says from when it is."""

logger = logging.getLogger(__name__)

Compose = Callable[[PromptId], Awaitable[tuple[list[Text], Text]]]
"""What tells the end of a prompt, and what its progress message says from then on."""
Marks = Callable[[bool, float], str]
"""What stands above a message: whether it may be a repeat, and since when it waited (0: not long)."""


@dataclass(slots=True)
class _Progress:
    """What the message that shows a turn is to say. *edited*: when it last did, monotonic. *slower*: the
    pace times this, once the room was closed to us. *lost*: nobody knows whether its message is there."""

    text: Text
    elapsed: float
    new: bool = True
    edited: float = float("-inf")
    slower: float = 1.0
    lost: bool = False


@dataclass(slots=True)
class _Room:
    """A room with something to send. Nothing leaves before *open_at* (monotonic), whatever it is."""

    id: RoomId
    address: RoomAddress
    open_at: float = 0.0
    failures: int = 0
    progress: dict[PromptId, _Progress] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)


def sendable(chat: DeliveringChat, said: Iterable[Outgoing]) -> list[str]:
    """The bodies of the deliveries that *said* comes to in this chat."""
    return [json.dumps({"send": body}) for what in said for body in chat.cut(what)]


class Outbox:
    """Everything that one chat account sends. Finals are tried for ever; progress gives way to newer.

    Each room has a task of its own while it has something to send: one's trouble delays no other.
    """

    def __init__(
        self, store: Database, chat: DeliveringChat, clock: Clock, *, compose: Compose, marks: Marks
    ) -> None:
        self._store = store
        self._chat = chat
        self._clock = clock
        self._compose = compose
        self._marks = marks
        self._rooms: dict[RoomId, _Room] = {}
        self._tasks = Tasks()
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
                    self._begin(self._room(number, RoomAddress(*address)))
        finally:
            await self._tasks.close()

    def show(self, room: RoomId, address: RoomAddress, prompt: PromptId, text: Text, elapsed: float) -> None:
        """Let the message that shows *prompt* say *text* as soon as the room allows; a newer text takes the
        place of one that still waits."""
        here = self._room(room, address)
        shown = here.progress.setdefault(prompt, _Progress(text, elapsed))
        shown.new = shown.new or shown.text != text
        shown.text, shown.elapsed = text, elapsed
        self._begin(here)

    def closed(self, room: RoomId) -> bool:
        """Whether nothing at all may be sent there now, not even a sign of typing."""
        return room in self._rooms and self._clock.monotonic() < self._rooms[room].open_at

    def _room(self, number: RoomId, address: RoomAddress) -> _Room:
        return self._rooms.setdefault(number, _Room(number, address))

    def _begin(self, room: _Room) -> None:
        room.news.set()
        self._tasks.start(f"send to room {room.id}", lambda: self._work(room))

    async def _work(self, room: _Room) -> None:
        """Send until nothing is left for this room."""
        while True:
            room.news.clear()
            await self._clock.sleep(max(0.0, room.open_at - self._clock.monotonic()))
            delivery = await self._store.read(deliveries.next_due, room.id)
            if delivery is not None:
                await self._send(room, delivery)
            elif room.progress:
                await self._show(room)
            elif not room.news.is_set():
                return

    # -- finals and replies ----------------------------------------------------------------------------

    async def _send(self, room: _Room, delivery: Delivery) -> None:
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
            logger.error("room %d refuses delivery %d: %s", room.id, delivery.id, refusal)
            await self._store.insist(deliveries.refused, delivery.id)
        else:
            room.failures = 0
            await self._store.insist(deliveries.sent, delivery.id, message)

    async def _cut(self, room: _Room, delivery: Delivery, prompt: PromptId) -> None:
        """The end of a prompt becomes messages: its own, then what is left of its progress."""
        room.progress.pop(prompt, None)
        said, left = await self._compose(prompt)
        parts = [*sendable(self._chat, said), json.dumps({"fold": left.markdown})]
        await self._store.insist(deliveries.cut, delivery, parts, now=self._clock.now())

    async def _leave(self, room: _Room, delivery: Delivery) -> MessageRef:
        step = json.loads(delivery.body)
        if "send" in step:
            waited = self._clock.now() - delivery.at > LATE_SECONDS and delivery.part == 0
            mark = self._marks(delivery.repeat, delivery.at if waited else 0.0)
            return await self._chat.deliver(room.address, step["send"], mark=mark)
        assert delivery.prompt is not None
        shown = MessageRef(await self._store.read(deliveries.progress_of, delivery.prompt, room.id))
        if shown:
            await self._chat.edit(room.address, shown, Text(step["fold"]))
        return shown

    def _close(self, room: _Room, trouble: NotSent | Unknown) -> None:
        """Nothing goes there for as long as the chat says, or for a while that grows."""
        room.failures += 1
        pause = min(FIRST_PAUSE * 2 ** (room.failures - 1), LONGEST_PAUSE)
        if isinstance(trouble, Flood):
            pause = trouble.seconds
        logger.info("room %d is closed for %.1f s", room.id, pause)
        room.open_at = self._clock.monotonic() + pause

    # -- progress --------------------------------------------------------------------------------------

    async def _show(self, room: _Room) -> None:
        """Bring the progress that has waited longest up to date, or wait until one may be."""
        due = {
            prompt: shown.edited + shown.slower * self._chat.pace(room.address, shown.elapsed)
            for prompt, shown in room.progress.items()
            if shown.new and not shown.lost
        }
        prompt = min(due, key=lambda one: due[one], default=None)
        wait = due[prompt] - self._clock.monotonic() if prompt is not None else None
        if prompt is None or (wait is not None and wait > 0):
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await room.news.wait()
            return
        await self._edit(room, prompt, room.progress[prompt])

    async def _edit(self, room: _Room, prompt: PromptId, shown: _Progress) -> None:
        message = await self._store.read(deliveries.progress_of, prompt, room.id)
        shown.new, shown.edited = False, self._clock.monotonic()
        try:
            if message:
                await self._chat.edit(room.address, MessageRef(message), shown.text)
            else:
                message = await self._chat.send(room.address, shown.text)
                await self._store.insist(
                    deliveries.shows_progress, prompt, room.id, message, now=self._clock.now()
                )
        except (NotSent, Unknown) as trouble:
            shown.new = True
            shown.slower *= 2
            shown.lost = not message and isinstance(trouble, Unknown)
            self._close(room, trouble)
        except Refused as refusal:
            logger.info("room %d refuses progress: %s", room.id, refusal)
            shown.lost = True
        else:
            room.failures = 0
