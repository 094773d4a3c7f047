"""What goes on beside a room: a button rests, a word for one person alone, what takes a while to be seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from bot.bodies import AT_THE_DOOR, sendable
from bot.chat import DeliveringChat, Incoming, MessageRef, Outgoing, Press, Text
from bot.dealt import dealt_with
from bot.handlers.desk import Desk, Look, Place, Say
from bot.replies import errors
from bot.tasks import Tasks
from core.errors import CoreError
from core.store import buttons, conversations, deliveries, inbox
from core.store.database import Db

MOST_TRIES = 3
"""What can't be seen after so many is not looked at any more."""


class Aside:
    """*wake* is called once something is to be said in a room, *anew* once something is to be acted on
    again."""

    def __init__(
        self,
        chat: DeliveringChat,
        desk: Desk,
        tasks: Tasks,
        *,
        wake: Callable[[], None],
        anew: Callable[[], None],
    ) -> None:
        self._chat = chat
        self._wake = wake
        self._anew = anew
        self._desk = desk
        self._tasks = tasks
        self._looks: dict[str, list[Place]] = defaultdict(list)
        self._tries: Counter[str] = Counter()

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
        """The room's other words don't wait for it; asked twice meanwhile, it is said once. Where we die
        before it is said, it is looked at anew."""
        await self._desk.store.write(inbox.looking, place.source)
        what = f"{name} for room {place.room.id}"
        self._looks[what].append(place)
        self._tasks.start(what, partial(self._look, what, look))
        return []

    async def _look(self, what: str, look: Look) -> None:
        while what in self._looks:
            bodies = await self._found(what, look)
            await self._desk.store.insist(self._seen, self._looks.pop(what), bodies)
            self._wake()
            self._anew()

    async def _found(self, what: str, look: Look) -> list[str]:
        """What can't be seen, whatever the reason, is told as trouble: nobody waits for a word for ever."""
        self._tries[what] += 1
        first, *_ = self._looks[what]
        about, texts = self._desk.about(first.project, ""), self._desk.texts(first)
        gives_up = self._tries[what] > MOST_TRIES
        said = [errors.refused(CoreError(), about, texts)] if gives_up else await look()
        bodies = sendable(self._chat, replies(said, first.reply_to))
        del self._tries[what]
        return bodies

    def _seen(self, db: Db, asked: Sequence[Place], bodies: Sequence[str]) -> None:
        """The reply is due, and whoever *asked* has it, as one. What somebody asked whose rights are others
        by now is acted on anew."""
        now = self._desk.clock.now()
        same = [place for place in asked if self._desk.rights(place.person) == place.rights]
        for first in same[:1]:
            dealt_with(db, first.source, first.room.id, bodies, first.address, owed=False, now=now)
        for place in asked:
            (inbox.seen if place in same else inbox.anew)(db, place.source)

    def tell(self, db: Db, person: str, say: Say) -> None:
        """In private, to somebody who may have been a stranger a moment ago."""
        room = conversations.room(db, self._chat.platform, self._chat.account, person)
        said = say(db, room, self._desk.words(room.language))
        bodies = sendable(self._chat, [said], step=AT_THE_DOOR)
        deliveries.add(db, room.id, bodies, now=self._desk.clock.now())


def replies(said: Iterable[Outgoing], reply_to: MessageRef | None) -> list[Outgoing]:
    """*said*, in reply to that."""
    return [replace(one, reply_to=reply_to) for one in said]
