"""A terminal as a chat of one room and one person."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Protocol

from bot.chat import (
    FileRef,
    Incoming,
    Limits,
    Message,
    MessageRef,
    Outgoing,
    Person,
    Refused,
    RoomAddress,
    Text,
)
from bot.intents.parse import TERMINAL_MARKS
from bot.terminal.choosing import Choice, offered
from bot.terminal.draw import Paper, drawn
from core.model.prompt import Source

PLATFORM = "terminal"
FIRST = "1"


class Screen(Protocol):
    """Where it is shown: lines that stay, and a few beneath them that still change."""

    @property
    def paper(self) -> Paper: ...

    async def put(self, text: str, *, ring: bool) -> None:
        """Show *text* for good."""

    def live(self, lines: Sequence[str]) -> None:
        """Show *lines* beneath, in the place of those before."""


class TerminalChat:
    """What was said stays on the screen: an edit reaches the newest message, and those that are held. What a
    message offers to choose from is chosen by a word.

    `typed` and `close` are the person's side.
    """

    platform = PLATFORM
    limits = Limits(
        text=1_000_000, buttons=0, edit_interval=0.1, pins=False, company=False, drawn=False, workbench=False
    )

    def __init__(self, account: str, room: RoomAddress, screen: Screen) -> None:
        self.account = account
        self.room = room
        self._screen = screen
        self._person = Person(account, account)
        self._inbox: deque[Message] = deque()
        self._arrived = asyncio.Event()
        self._closed = False
        self._open: dict[MessageRef, Outgoing] = {}
        self._held: set[MessageRef] = set()
        self._offered: list[Choice] = []
        self._known: dict[str, list[Choice]] = {}

    def typed(self, text: str, files: Sequence[Path] = ()) -> None:
        """The person said *text*, which gets a name of its own for ever. What is no text is replaced."""
        name, text = str(uuid.uuid4()), text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        refs = tuple(FileRef(str(path), path.name) for path in files)
        source = Source(self.platform, self.account, name)
        self._inbox.append(Message(source, self.room, self._person, MessageRef(name), text, refs))
        self._arrived.set()

    def close(self) -> None:
        """Nothing more will be typed."""
        self._closed = True
        self._arrived.set()

    async def incoming(self) -> AsyncIterator[Incoming]:
        """Ends when the last thing that was typed before `close` has been taken."""
        while True:
            while self._inbox:
                self._inbox[0] = self._meant(self._inbox[0])
                yield self._inbox[0]
                self._inbox.popleft()
            if self._closed:
                return
            self._arrived.clear()
            await self._arrived.wait()

    def _meant(self, said: Message) -> Message:
        """What was offered last is taken by its number or name, until anything but a command is said."""
        taken, orders = self._taken(said.text), said.text.lstrip().startswith(TERMINAL_MARKS)
        if said.text.strip() and not orders and not self.misses(said.text):
            self._offered = []
        return replace(said, text=taken.button.intent) if taken else said

    def meaning(self, text: str) -> str:
        """What *text* says where it takes something of what is offered now."""
        return taken.button.intent if (taken := self._taken(text)) else text

    def _taken(self, text: str) -> Choice | None:
        """What is offered alone is the first one too; behind its command, what was offered at any time."""
        if text.lstrip().startswith(TERMINAL_MARKS):
            known = self._known.get(text.split()[0].casefold(), [])
            return next((one for one in known if one.ordered_by(text)), None)
        if len(self._offered) == 1 and text.strip() == FIRST:
            return self._offered[0]
        exact = (one for one in self._offered if one.taken_by(text, exactly=True))
        return next(chain(exact, (one for one in self._offered if one.taken_by(text))), None)

    def misses(self, text: str) -> bool:
        """Whether that is a number, where something is offered and it takes none of that."""
        return bool(self._offered) and text.strip().isdecimal() and self._taken(text) is None

    def withdraw(self) -> None:
        """A number is no choice any more: an answer stands beneath what was offered, and may ask for one."""
        self._offered = []

    def hold(self, message: MessageRef) -> None:
        """It goes on changing, whatever is said after it."""
        self._held.add(message)

    def lift(self, message: MessageRef) -> None:
        """It stands above all that still changes."""
        if message in self._open:
            self._open = {message: self._open.pop(message), **self._open}
            self._draw()

    def release(self, message: MessageRef) -> None:
        self._held.discard(message)

    async def send(self, room: RoomAddress, what: Outgoing) -> MessageRef:
        ref = MessageRef(str(uuid.uuid4()))
        await self._settle()
        if fresh := offered(what.buttons):
            self._offered = fresh
            self._known |= {one.command: fresh for one in fresh}
        if what.silent:
            self._open[ref] = what
        else:
            await self._screen.put(drawn(what, self._screen.paper), ring=True)
        self._draw()
        return ref

    async def edit(self, room: RoomAddress, message: MessageRef, text: Text) -> None:
        if message in self._open:
            self._open[message] = text
            self._draw()
        else:
            await self._screen.put(drawn(text, self._screen.paper), ring=False)

    async def delete(self, room: RoomAddress, message: MessageRef) -> None:
        self._open.pop(message, None)
        self._draw()

    async def acknowledge(self, room: RoomAddress, message: MessageRef) -> None:
        """What was typed stands there already."""

    async def fetch(self, file: FileRef) -> bytes:
        try:
            return await asyncio.to_thread(Path(file.ref).read_bytes)
        except OSError as error:
            raise Refused(error.strerror or "unreadable") from error

    async def settle(self) -> None:
        """Let everything stay as it is now, but what is held."""
        await self._settle()
        self._draw()

    async def _settle(self) -> None:
        for ref in [ref for ref in self._open if ref not in self._held]:
            await self._screen.put(drawn(self._open.pop(ref), self._screen.paper), ring=False)

    def _draw(self) -> None:
        self._screen.live([drawn(what, self._screen.paper) for what in self._open.values()])
