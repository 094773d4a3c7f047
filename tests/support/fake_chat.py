"""A chat in memory: people write and press in it, and it tells what they would see."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from bot.chat import (
    Button,
    ChatError,
    Edited,
    FileRef,
    Flood,
    Happened,
    Heard,
    Incoming,
    Limits,
    Message,
    MessageRef,
    Moved,
    OurDevice,
    Outgoing,
    Person,
    Press,
    Readers,
    Redacted,
    Refused,
    RoomAddress,
    Text,
    Why,
)
from bot.markup.cutting import utf16_units
from core.dispatch.clock import Clock, SystemClock
from core.model.prompt import Source
from tests.support.beside import OUTGOING, aside, divided, marked
from tests.support.shown import Shown as Shown
from tests.support.shown import visible as visible
from tests.support.trouble import Line as Line
from tests.support.trouble import Trouble as Trouble

ROOM = RoomAddress("fake", "roost", "1001")
ANN = Person("1001", "Ann")
BOB = Person("1002", "Bob")


@dataclass(slots=True)
class FakeChat:
    """One account on a platform that forgets nothing. Each of *troubles* meets one call; a plain error of
    *faults* meets the next one, and that does nothing. *intruded*: what was tried in any room of a chat
    while a flood had closed it. *drafted* is what is being written."""

    limits: Limits = field(default=Limits(text=4096, buttons=24, edit_interval=1.0, drafts=True, rich=True))
    platform: str = "fake"
    account: str = "roost"
    clock: Clock = field(default_factory=SystemClock)
    most: int = 0
    faults: deque[ChatError] = field(default_factory=deque)
    troubles: list[Trouble] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    shown: dict[MessageRef, Shown] = field(default_factory=dict)
    threads: dict[RoomAddress, str] = field(default_factory=dict)
    made: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rung: list[str] = field(default_factory=list)
    acknowledged: list[MessageRef] = field(default_factory=list)
    pinned: list[MessageRef] = field(default_factory=list)
    rested: list[Press] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    intruded: list[Line] = field(default_factory=list)
    has_drafts: bool = True
    encrypted: set[RoomAddress] = field(default_factory=set)
    inside: dict[str, set[str]] = field(default_factory=dict)
    drafted: str = ""
    sealed_by: OurDevice | None = None
    _closed: dict[str, float] = field(default_factory=dict)
    _forbidden: set[RoomAddress] = field(default_factory=set)
    _moved: dict[str, str] = field(default_factory=dict)
    _inbox: deque[Heard] = field(default_factory=deque)
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _count: int = 0

    # --- what a person does ---------------------------------------------------------------------------------

    def writes(
        self,
        text: str,
        *,
        room: RoomAddress = ROOM,
        person: Person = ANN,
        files: dict[str, bytes] | None = None,
        update: str = "",
        **more: Any,
    ) -> MessageRef:
        """*update* is the platform's name for it, a new one unless it is told; *more* are further facts."""
        refs = tuple(self._upload(name, data) for name, data in (files or {}).items())
        message = MessageRef(f"in{self._next()}")
        self._say(f"{person.name} writes", text, *files or ())
        self._arrive(Message(self._source(update), room, person, message, text, refs, **more))
        return message

    def edits(
        self,
        ref: MessageRef,
        text: str,
        *,
        room: RoomAddress = ROOM,
        person: Person = ANN,
        media: bool = False,
    ) -> None:
        self._arrive(Edited(self._source(), room, person, ref, text, media))

    def redacts(self, ref: MessageRef, *, room: RoomAddress = ROOM, person: Person = ANN) -> None:
        self._arrive(Redacted(self._source(), room, person, ref))

    def presses(self, label: str, *, room: RoomAddress = ROOM, person: Person = ANN, **more: Any) -> None:
        carried = [
            (at, one) for at, told in self._in(room) for one in told.what.buttons if one.label == label
        ]
        ref, pressed = carried[-1]
        self._say(f"{person.name} presses", label)
        self._arrive(Press(self._source(), room, person, ref, pressed.intent, **more))

    def happens(self, happened: Happened) -> None:
        self._arrive(replace(happened, source=self._source()))

    def closes(self, room: RoomAddress) -> None:
        """Nothing of ours may come there any more, until it `opens`."""
        self._forbidden.add(room)

    def opens(self, room: RoomAddress) -> None:
        self._forbidden.discard(room)

    def moves(self, chat: str, to: str) -> None:
        """The chat has another name from now on; what is sent to the old one is refused."""
        self._moved[chat] = to
        self._arrive(Moved(chat, to))

    @property
    def waiting(self) -> list[Incoming]:
        """What nobody has taken yet."""
        return [heard for heard in self._inbox if isinstance(heard, Message | Press)]

    # --- what a person sees ---------------------------------------------------------------------------------

    def reads(self, room: RoomAddress = ROOM) -> list[str]:
        """Every message of ours that is there, oldest first."""
        return [shown.words for _, shown in self._in(room)]

    def buttons(self, room: RoomAddress = ROOM) -> list[str]:
        """The labels under our newest message."""
        return [button.label for button in self.carried(room)]

    def carried(self, room: RoomAddress = ROOM) -> list[Button]:
        """The buttons under our newest message."""
        return [button for _, shown in self._in(room)[-1:] for button in shown.what.buttons]

    def replies(self, room: RoomAddress = ROOM) -> list[tuple[str, MessageRef | None]]:
        """Every message of ours with the one that it replies to."""
        return [(shown.words, getattr(shown.what, "reply_to", None)) for _, shown in self._in(room)]

    def calls(self, *names: str) -> list[str]:
        """What went over the network in calls of these names, in order."""
        return [line.words for line in self.lines if line.call in names]

    def transcript(self) -> str:
        begin = self.lines[0].at if self.lines else 0.0
        return "\n".join(f"{line.at - begin:8.2f}  {line.call:14} {line.words}" for line in self.lines)

    # --- the adapter ----------------------------------------------------------------------------------------

    async def incoming(self) -> AsyncIterator[Heard]:
        while True:
            while not self._inbox:
                self._arrived.clear()
                await self._arrived.wait()
            yield self._inbox[0]
            self._inbox.popleft()

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        what = self._fitting(what) if isinstance(what, Text) else what
        async with self._call("send", room, what):
            return self._put(room, what)

    def cut(self, what: Outgoing) -> list[str]:
        return [
            msgspec.json.encode([type(one).__name__, one]).decode() for one in divided(what, self.limits.text)
        ]

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
        kind, kept = msgspec.json.decode(body, type=tuple[str, msgspec.Raw])
        what = msgspec.json.decode(kept, type=OUTGOING[kind])
        what = replace(what, silent=what.silent or hush, reply_to=what.reply_to if replies else None)
        if mark:
            what = marked(what, mark)
        async with self._call("deliver", room, what):
            return self._put(room, what)

    def private_to(self, room: RoomAddress) -> str:
        return "" if room.chat.startswith("-") else room.chat

    def sealed(self, room: RoomAddress) -> bool:
        return room in self.encrypted

    async def readers(self, room: RoomAddress, people: Collection[str]) -> Readers:
        """Whoever is asked for, where no test says who is *inside*."""
        async with self._call("readers"):
            inside = self.inside.get(room.chat, {*people})
            return Readers(len(inside), frozenset(inside & {*people}))

    def drafts(self, room: RoomAddress) -> bool:
        return self.has_drafts and bool(self.private_to(room))

    async def draft(self, room: RoomAddress, number: int, text: Text) -> None:
        said = self._fitting(text)
        async with self._call("draft", room, replace(said, markdown=said.markdown or "…", silent=True)):
            self.drafted = visible(said.markdown)

    async def typing(self, room: RoomAddress) -> None:
        async with self._call("typing", room):
            return

    async def open_thread(self, room: RoomAddress, title: str) -> RoomAddress:
        async with self._call("open_thread", room):
            opened = replace(room, thread=f"t{self._next()}")
            self.threads[opened] = title
            return opened

    async def rename_thread(self, room: RoomAddress, title: str) -> None:
        async with self._call("rename_thread", room):
            self.threads[room] = title

    async def make_room(self, name: str, title: str, people: Collection[str]) -> RoomAddress:
        async with self._call("make_room"):
            self.made.setdefault(name, (title, *people))
            return RoomAddress(self.platform, self.account, f"-{name}")

    async def ask_in(self, room: RoomAddress, people: Collection[str]) -> None:
        async with self._call("ask_in"):
            name = room.chat.removeprefix("-")
            asked = self.made[name]
            self.made[name] = (*asked, *(one for one in people if one not in asked))

    async def our_device(self) -> OurDevice | None:
        return self.sealed_by

    async def called(self) -> tuple[str, ...]:
        return ("roost_bot",)

    async def pressed(self, press: Press, words: str = "") -> bool:
        self.rested.append(press)
        self.alerts += [visible(words)] if words else []
        return True

    def most_a_minute(self, room: RoomAddress) -> int:
        return self.most

    def pace(self, room: RoomAddress, elapsed: float) -> float:
        return self.limits.edit_interval

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        text = self._fitting(text)
        async with self._call("edit", room, text):
            if message not in self.shown:
                raise Refused("no such message", Why.GONE)
            shown = self.shown[message]
            self.shown[message] = Shown(shown.room, text, shown.edits + 1)

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._call("delete", room):
            self.shown.pop(message, None)

    async def pin(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._call("pin", room):
            self.pinned.append(message)

    async def unpin(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._call("unpin", room):
            self.pinned = [one for one in self.pinned if one != message]

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        async with self._call("acknowledge", room):
            self.acknowledged.append(message)

    async def fetch(self, file: FileRef) -> bytes:
        async with self._call("fetch"):
            if file.ref not in self.files:
                raise Refused("no such file")
            return self.files[file.ref]

    @asynccontextmanager
    async def _call(
        self, call: str, room: RoomAddress | None = None, what: Outgoing | None = None
    ) -> AsyncIterator[None]:
        """One call over the network, with whatever trouble it meets."""
        words = f"{Shown(room, what).words}{aside(what)}" if room and what else ""
        if room and self.clock.monotonic() < self._closed.get(room.chat, 0.0):
            self.intruded.append(Line(self.clock.monotonic(), call, words))
        trouble = self._trouble(call, room)
        if trouble and not trouble.arrives:
            self._say(f"({call})", words)
            await self._fails(trouble, room)
        if room and (to := self._moved.get(room.chat)):
            raise Refused(why=Why.MOVED, to=to)
        if room in self._forbidden:
            raise Refused(why=Why.FORBIDDEN)
        self._check(what)
        yield
        self._say(call, words)
        if trouble:
            await self._fails(trouble, room)

    def _trouble(self, call: str, room: RoomAddress | None) -> Trouble | None:
        if self.faults:
            return Trouble(self.faults.popleft())
        found = next((one for one in self.troubles if one.meets(call, room)), None)
        if found:
            self.troubles.remove(found)
        return found

    async def _fails(self, trouble: Trouble, room: RoomAddress | None) -> None:
        if trouble.error is None:
            await asyncio.Event().wait()
        elif isinstance(trouble.error, Flood) and room:
            self._closed[room.chat] = self.clock.monotonic() + trouble.error.seconds
        if trouble.error:
            raise trouble.error

    def _put(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        ref = MessageRef(f"out{self._next()}")
        self.shown[ref] = Shown(room, what)
        if not what.silent:
            self.rung.append(self.shown[ref].words)
        return ref

    def _fitting(self, text: Text) -> Text:
        way = next((way for way in text.ways if self._holds(way)), text.markdown)
        return replace(text, markdown=way, shorter=())

    def _holds(self, markdown: str) -> bool:
        return utf16_units(visible(markdown)) <= self.limits.text

    def _check(self, what: Outgoing | None) -> None:
        if isinstance(what, Text) and not (visible(what.markdown) and self._holds(what.markdown)):
            raise Refused("empty or too long")
        if what is not None and len(what.buttons) > self.limits.buttons:
            raise Refused("too many buttons")

    def _say(self, call: str, *words: str) -> None:
        self.lines.append(Line(self.clock.monotonic(), call, " ".join(words)))

    def _in(self, room: RoomAddress) -> list[tuple[MessageRef, Shown]]:
        return [(ref, shown) for ref, shown in self.shown.items() if shown.room == room]

    def _arrive(self, incoming: Heard) -> None:
        self._inbox.append(incoming)
        self._arrived.set()

    def _upload(self, name: str, data: bytes) -> FileRef:
        ref = FileRef(f"file{self._next()}", name, len(data), spoken=name.endswith(".ogg"))
        self.files[ref.ref] = data
        return ref

    def _source(self, update: str = "") -> Source:
        return Source(self.platform, self.account, update or str(self._next()))

    def _next(self) -> int:
        self._count += 1
        return self._count


async def take(incoming: AsyncIterator[Heard]) -> Message | Press | Edited:
    """The next that somebody says, whatever happens to the room meanwhile."""
    async with asyncio.timeout(10):
        while isinstance(heard := await anext(incoming), Happened):
            pass
    assert isinstance(heard, Message | Press | Edited)
    return heard
