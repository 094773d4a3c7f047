"""What is typed goes in, what is said about it comes out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from enum import Enum, auto

from bot.chat import Incoming, Message, Outgoing, RoomAddress
from bot.handlers.act import answer
from bot.handlers.desk import Desk, Place
from bot.intents.parse import TERMINAL_MARKS, Here, one_slip
from bot.intents.wishing import lacking
from bot.kept import as_of, decoded, keep
from bot.replies.help import yes
from bot.replies.marks import code, quiet
from bot.terminal.adapter import Screen, TerminalChat
from bot.terminal.scene import Scene, scene
from bot.terminal.show import Show
from bot.texts import Texts
from core.errors import CoreError
from core.model.ids import ConversationId
from core.store import conversations, inbox, unshown
from core.store.database import Db
from core.store.inbox import Received

HERE = Here(marks=TERMINAL_MARKS)
MIND_SECONDS = 0.2
LEAVE = frozenset({"/quit", "/exit"})
"""What leaves the chat, which only a terminal's can be left."""


class Outcome(Enum):
    """What became of what was typed; *WAITS*: some of it does for a project, *NOTHING*: there was none."""

    ANSWERED = auto()
    NOTHING = auto()
    WAITS = auto()
    FAILED = auto()


def leaves(text: str) -> bool:
    return text.strip().casefold() in LEAVE


def nearly_leaves(text: str) -> str:
    """The word that was meant, one slip away or with others behind it; empty where it was none, as without
    its `/`."""
    typed, *more = text.casefold().split() or [""]
    slips = (one for one in sorted(LEAVE) if typed[:1] == one[0] and not more and one_slip(typed, one))
    return typed if more and typed in LEAVE else next(slips, "")


async def read_out(
    room: RoomAddress, desk: Desk, texts: Texts, screen: Screen, lines: AsyncIterable[str]
) -> Outcome:
    """Act on *lines* as they come, and return when all is answered that can be."""
    async with tasks() as group:
        talking = Talking(room, desk, texts, screen, group, live=False)
        found = await talking.scene()
        talking.take_up(found)
        talking.acted = bool(found.under_way)
        acting = group.create_task(talking.act(), name="act on what is typed")
        async for line in lines:
            talking.acted = talking.acted or bool(line.strip())
            if leaves(line):
                break
            talking.chat.typed(line)
        talking.chat.close()
        await acting
        await talking.show.finished()
    if (await talking.scene()).parked:
        return Outcome.WAITS
    if talking.show.failed:
        return Outcome.FAILED
    return Outcome.ANSWERED if talking.acted else Outcome.NOTHING


class Talking:
    """A chat, and what is shown of each prompt that is given in it. *turned* is called where another
    conversation is seen, and told whether that was done *elsewhere*."""

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
        turned: Callable[[Scene, bool], Awaitable[None]] | None = None,
    ) -> None:
        self.chat = TerminalChat(room.account, room, screen)
        self.show = Show(self.chat, desk, texts, group, live=live, changed=changed)
        self._live = live
        self._seen = Scene(None, None)
        self._at_hand: Incoming | None = None
        self._acting = asyncio.Lock()
        self._on_turn = turned
        self.at: ConversationId | None = None
        """The conversation that was seen last."""
        self.acted = False
        """Whether there was anything to act on."""
        self.desk = replace(
            desk,
            fetch=self.chat.fetch,
            took=self.show.took,
            awaits=lambda db, place, prompt: unshown.add(db, prompt.id, place.room.id),
            park=self._park,
            lacks=lacking(self.chat.limits),
            replies=not live,
        )

    async def scene(self) -> Scene:
        """What the room shows; while the store can't be used, what it showed before."""
        with suppress(CoreError):
            self._seen = await self.desk.store.write(scene, self.chat.room)
            self.show.texts = self.desk.words(self._seen.language)
        return self._seen

    def take_up(self, found: Scene) -> None:
        """Show what is under way there, whoever asked for it."""
        for prompt in found.under_way:
            self.show.follow(prompt)

    async def act(self) -> None:
        """On everything that is typed, until the chat is closed."""
        await self._act_on_what_waited()
        async for incoming in self.chat.incoming():
            async with self._acting:
                await self._act_on(incoming)
                await self._act_on_what_waited()
                await self._look(elsewhere=False)

    async def mind(self) -> None:
        """What others do in this room: they may turn to another conversation. Until cancelled."""
        seen = -1
        while True:
            await self.desk.clock.sleep(MIND_SECONDS)
            async with self._acting:
                if (version := self.desk.store.version()) != seen and await self._is_turned():
                    await self._look(elsewhere=True)
                seen = version

    async def _is_turned(self) -> bool:
        here = self.chat.room
        with suppress(CoreError):
            room = await self.desk.store.glance(
                conversations.known_room, here.platform, here.account, here.chat, here.thread
            )
            return room is not None and room.conversation != self.at
        return False

    async def _look(self, *, elsewhere: bool) -> None:
        before, found = self.at, await self.scene()
        self.at = found.conversation.id if found.conversation else None
        if self._live:
            begun = before is None and found.last is not None and found.last.id in self.show.followed
            if self._on_turn and self.at != before and not begun:
                await self._on_turn(found, elsewhere and before is not None)
            self.take_up(found)
            self.show.here = self.at
        await self.show.changed()

    async def _act_on(self, incoming: Incoming) -> None:
        self._at_hand = incoming
        slip = self._slip(incoming.text) if isinstance(incoming, Message) else None
        for reply in [slip] if slip else await answer(incoming, HERE, self.desk):
            await self.chat.send(self.chat.room, reply)
        await self.chat.settle()

    def _slip(self, text: str) -> Outgoing | None:
        """What is said of what only a terminal can have mistyped."""
        if meant := nearly_leaves(text):
            asked = self.show.texts.say("command.did_you_mean", name=code(meant))
            return quiet(asked, buttons=(yes(meant, meant, self.show.texts),) if self._live else ())
        if self.chat.misses(text):
            return quiet(self.show.texts.say("chat.no_such_number", number=code(text)))
        return None

    def _park(self, db: Db, place: Place) -> None:
        """What is at hand is kept, and waits for the room's project."""
        assert self._at_hand
        keep(db, self._at_hand, now=self.desk.clock.now())
        inbox.park(db, place.source)

    async def _act_on_what_waited(self) -> None:
        """For a project, which the room has by now; what can't be acted on now is at the next time."""
        with suppress(CoreError):
            for received in await self.desk.store.read(_due, self.chat.room):
                self.acted = True
                heard = decoded(received.body)
                if isinstance(heard, Message):
                    await self._act_on(as_of(self.chat.room, heard))
                await self.desk.store.write(inbox.done, received.source)


def _due(db: Db, address: RoomAddress) -> list[Received]:
    room = conversations.known_room(db, address.platform, address.account, address.chat, address.thread)
    return inbox.waiting(db, room.id) if room else []


@asynccontextmanager
async def tasks() -> AsyncIterator[asyncio.TaskGroup]:
    """Tasks that end with the conversation; if one fails, its error ends it."""
    try:
        async with asyncio.TaskGroup() as group:
            yield group
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
