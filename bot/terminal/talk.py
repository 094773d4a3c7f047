"""What is typed goes in, what is said about it comes out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from bot.chat import RoomAddress
from bot.handlers.act import answer
from bot.handlers.desk import Desk
from bot.intents.parse import TERMINAL_MARKS, Here
from bot.terminal.adapter import Screen, TerminalChat
from bot.terminal.scene import Scene, scene
from bot.terminal.show import Show
from bot.texts import Texts
from core.errors import CoreError

HERE = Here(marks=TERMINAL_MARKS)
LEAVE = frozenset({"/quit", "/exit"})
"""What leaves the chat, which only a terminal's can be left."""


def leaves(text: str) -> bool:
    return text.strip().casefold() in LEAVE


async def read_out(
    room: RoomAddress, desk: Desk, texts: Texts, screen: Screen, lines: AsyncIterable[str]
) -> None:
    """Act on *lines* as they come, and return when all is answered."""
    async with tasks() as group:
        talking = Talking(room, desk, texts, screen, group, live=False)
        talking.take_up(await talking.scene())
        acting = group.create_task(talking.act(), name="act on what is typed")
        async for line in lines:
            if leaves(line):
                break
            talking.chat.typed(line)
        talking.chat.close()
        await acting
        await talking.show.finished()


class Talking:
    """A chat, and what is shown of each prompt that is given in it."""

    def __init__(
        self,
        room: RoomAddress,
        desk: Desk,
        texts: Texts,
        screen: Screen,
        group: asyncio.TaskGroup,
        *,
        live: bool,
        changed: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.chat = TerminalChat(room.account, room, screen)
        self.show = Show(self.chat, desk, texts, group, live=live, changed=changed)
        self._live = live
        self._seen = Scene(None, None)
        self.desk = replace(desk, fetch=self.chat.fetch, took=self.show.took)

    async def scene(self) -> Scene:
        """What the room shows; while the store can't be used, what it showed before."""
        with suppress(CoreError):
            self._seen = await self.desk.store.write(scene, self.chat.room)
        return self._seen

    def take_up(self, found: Scene) -> None:
        """Show what is under way there, whoever asked for it."""
        for prompt in found.under_way:
            self.show.follow(prompt)

    async def act(self) -> None:
        """On everything that is typed, until the chat is closed."""
        async for incoming in self.chat.incoming():
            for reply in await answer(incoming, HERE, self.desk):
                await self.chat.send(self.chat.room, reply)
            await self.chat.settle()
            if self._live:
                self.take_up(await self.scene())
                self.show.here = self._seen.conversation.id if self._seen.conversation else None
            await self.show.changed()


@asynccontextmanager
async def tasks() -> AsyncIterator[asyncio.TaskGroup]:
    """Tasks that end with the conversation; if one fails, its error ends it."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
