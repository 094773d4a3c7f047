"""A chat in memory: people write and press in it, and it tells what they would see."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.chat import (
    ChatError,
    File,
    FileRef,
    Incoming,
    Limits,
    Message,
    MessageRef,
    Outgoing,
    Person,
    Picture,
    Press,
    Refused,
    RoomAddress,
    Text,
    Toward,
)
from bot.markup.telegram import TextPart, render
from core.model.prompt import Source

ROOM = RoomAddress("fake", "roost", "1001")
ANN = Person("1001", "Ann")
BOB = Person("1002", "Bob")


@dataclass(slots=True)
class Shown:
    """One message of ours, as it stands now."""

    room: RoomAddress
    what: Outgoing
    edits: int = 0

    @property
    def words(self) -> str:
        match self.what:
            case Text(markdown, placed=placed):
                return visible(markdown, tuple(one.src for one in placed))
            case Picture() | File():
                return " ".join(filter(None, (f"[{self.what.name}]", visible(self.what.caption))))


def visible(markdown: str, pictures: tuple[str, ...] = ()) -> str:
    """What a person reads of *markdown*: its words without marks, `[src]` for a picture in its place."""
    parts = render(markdown, pictures=pictures)
    return "\n".join(part.text if isinstance(part, TextPart) else f"[{part.src}]" for part in parts)


@dataclass(slots=True)
class FakeChat:
    """One account on a platform that forgets nothing. *faults* are raised by the next calls, one each;
    a call that raises does nothing."""

    limits: Limits = field(default=Limits(text=4096, buttons=8, edit_interval=1.0))
    platform: str = "fake"
    account: str = "roost"
    faults: deque[ChatError] = field(default_factory=deque)
    files: dict[str, bytes] = field(default_factory=dict)
    shown: dict[MessageRef, Shown] = field(default_factory=dict)
    rung: list[str] = field(default_factory=list)
    acknowledged: list[MessageRef] = field(default_factory=list)
    _inbox: deque[Incoming] = field(default_factory=deque)
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
        toward: Toward = Toward.NOBODY,
        alone: bool = True,
    ) -> MessageRef:
        refs = tuple(self._upload(name, data) for name, data in (files or {}).items())
        message = MessageRef(f"in{self._next()}")
        self._arrive(Message(self._source(), room, person, message, text, refs, toward=toward, alone=alone))
        return message

    def presses(self, label: str, *, room: RoomAddress = ROOM, person: Person = ANN) -> None:
        """Press the newest button of that label."""
        carried = [
            (ref, one) for ref, shown in self._in(room) for one in shown.what.buttons if one.label == label
        ]
        ref, pressed = carried[-1]
        self._arrive(Press(self._source(), room, person, ref, pressed.intent))

    # --- what a person sees ---------------------------------------------------------------------------------

    def reads(self, room: RoomAddress = ROOM) -> list[str]:
        """Every message of ours that is there, oldest first."""
        return [shown.words for _, shown in self._in(room)]

    def buttons(self, room: RoomAddress = ROOM) -> list[str]:
        """The labels under our newest message."""
        newest = self._in(room)[-1:]
        return [button.label for _, shown in newest for button in shown.what.buttons]

    # --- the adapter ----------------------------------------------------------------------------------------

    async def incoming(self) -> AsyncIterator[Incoming]:
        while True:
            while not self._inbox:
                self._arrived.clear()
                await self._arrived.wait()
            yield self._inbox[0]
            self._inbox.popleft()

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        self._fail(what)
        ref = MessageRef(f"out{self._next()}")
        self.shown[ref] = Shown(room, what)
        if not what.silent:
            self.rung.append(self.shown[ref].words)
        return ref

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        self._fail(text)
        if message not in self.shown:
            raise Refused("no such message")
        shown = self.shown[message]
        self.shown[message] = Shown(shown.room, text, shown.edits + 1)

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        self._fail()
        self.shown.pop(message, None)

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        self._fail()
        self.acknowledged.append(message)

    async def fetch(self, file: FileRef) -> bytes:
        self._fail()
        if file.ref not in self.files:
            raise Refused("no such file")
        return self.files[file.ref]

    def _fail(self, what: Outgoing | None = None) -> None:
        if self.faults:
            raise self.faults.popleft()
        if (
            isinstance(what, Text)
            and not 0 < len(visible(what.markdown).encode("utf-16-le")) / 2 <= self.limits.text
        ):
            raise Refused("empty or too long")
        if what is not None and len(what.buttons) > self.limits.buttons:
            raise Refused("too many buttons")

    def _in(self, room: RoomAddress) -> list[tuple[MessageRef, Shown]]:
        return [(ref, shown) for ref, shown in self.shown.items() if shown.room == room]

    def _arrive(self, incoming: Incoming) -> None:
        self._inbox.append(incoming)
        self._arrived.set()

    def _upload(self, name: str, data: bytes) -> FileRef:
        ref = FileRef(f"file{self._next()}", name, len(data))
        self.files[ref.ref] = data
        return ref

    def _source(self) -> Source:
        return Source(self.platform, self.account, str(self._next()))

    def _next(self) -> int:
        self._count += 1
        return self._count
