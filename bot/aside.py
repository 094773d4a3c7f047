"""What is for one person alone: their button rests, a word that only they see, a message in private."""

from __future__ import annotations

from functools import partial

from bot.bodies import AT_THE_DOOR, sendable
from bot.chat import DeliveringChat, Incoming, Outgoing, Press, Text
from bot.handlers.desk import Desk, Place, Say
from bot.tasks import Tasks
from core.store import buttons, conversations, deliveries
from core.store.database import Db


class Aside:
    def __init__(self, chat: DeliveringChat, desk: Desk, tasks: Tasks) -> None:
        self._chat = chat
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

    def tell(self, db: Db, person: str, say: Say) -> None:
        """In private, to somebody who may have been a stranger a moment ago."""
        room = conversations.room(db, self._chat.platform, self._chat.account, person)
        said = say(db, room, self._desk.words(room.language))
        bodies = sendable(self._chat, [said], step=AT_THE_DOOR)
        deliveries.add(db, room.id, bodies, now=self._desk.clock.now())
