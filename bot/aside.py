"""What goes on beside a room: a button rests, a word for one person alone, what takes a while to be seen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from bot.bodies import AT_THE_DOOR, sendable
from bot.chat import DeliveringChat, Incoming, MessageRef, Outgoing, Press, Text
from bot.handlers.desk import Desk, Look, Place, Say
from bot.tasks import Tasks
from core.model.ids import RoomId
from core.store import buttons, conversations, deliveries
from core.store.database import Db


class Aside:
    """*say* says something in a room, whatever else is said there meanwhile."""

    def __init__(
        self,
        chat: DeliveringChat,
        desk: Desk,
        tasks: Tasks,
        say: Callable[[RoomId, Sequence[Outgoing]], Awaitable[None]],
    ) -> None:
        self._chat = chat
        self._say = say
        self._desk = desk
        self._tasks = tasks

    def begins(self, incoming: Incoming) -> None:
        """A button rests before the work, however long that takes."""
        if isinstance(incoming, Press):
            self._tasks.start(f"press {incoming.source.update}", partial(self._rest, incoming))

    async def _rest(self, press: Press) -> None:
        await self._chat.pressed(press)

    async def shown(self, incoming: Incoming, said: list[Outgoing]) -> list[Outgoing]:
        """What is left to say in the room, once who pressed has seen what is for them alone."""
        aside = [one for one in said if isinstance(one, Text) and one.aside]
        if isinstance(incoming, Press) and aside:
            return [] if await self._chat.pressed(incoming, aside[0].markdown) else said
        return said

    def used(self, db: Db, place: Place, *, whole: bool) -> None:
        """The button that was pressed did something; *whole*: nothing is left to be pressed beside it."""
        if place.token:
            used = buttons.use_all if whole else buttons.use
            used(db, place.token, place.person.name, now=self._desk.clock.now())

    async def later(self, place: Place, name: str, look: Look) -> list[Outgoing]:
        """The room's other words don't wait for it; asked twice meanwhile, it is said once."""
        self._tasks.start(f"{name} for room {place.room.id}", partial(self._look, place, look))
        return []

    async def _look(self, place: Place, look: Look) -> None:
        await self._say(place.room.id, replies(await look(), place.reply_to))

    def tell(self, db: Db, person: str, say: Say) -> None:
        """In private, to somebody who may have been a stranger a moment ago."""
        room = conversations.room(db, self._chat.platform, self._chat.account, person)
        said = say(db, room, self._desk.words(room.language))
        bodies = sendable(self._chat, [said], step=AT_THE_DOOR)
        deliveries.add(db, room.id, bodies, now=self._desk.clock.now())


def replies(said: Iterable[Outgoing], reply_to: MessageRef | None) -> list[Outgoing]:
    """*said*, in reply to that."""
    return [replace(one, reply_to=reply_to) for one in said]
