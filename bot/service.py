"""A chat account at work: what it hears, what it shows, what it sends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from dataclasses import replace
from functools import partial

from bot.boards import Boards
from bot.bodies import End
from bot.chat import DeliveringChat, Text
from bot.dismissed import dismiss
from bot.door import Door
from bot.fellows import Fellows
from bot.handlers.desk import Desk
from bot.happenings import Happenings
from bot.intents.spelling import spelling
from bot.intents.wishing import lacking
from bot.masked import Mask, MaskedChat
from bot.outbox import Outbox
from bot.own_rooms import OwnRooms
from bot.receiving import Receiving
from bot.replies.marks import quiet
from bot.roster import Roster
from bot.showing import Showing
from bot.tasks import Tasks
from bot.texts import Texts
from core.model.ids import PromptId, RoomId
from core.store import accounts


class ChatService:
    """Listens, acts, shows and sends for one account, each as a task of its own, until `close`. Nothing is
    said there that *mask* has not seen."""

    def __init__(
        self, chat: DeliveringChat, desk: Desk, *, marks: tuple[str, ...], owners: Collection[str], mask: Mask
    ) -> None:
        chat = MaskedChat(chat, mask)
        door, desk = Door(), _fitted(desk, chat)
        self._roster = Roster(desk.store, chat.platform, owners=owners, private_to=chat.private_to, door=door)
        self._desk = replace(desk, people=self._roster, rights=self._roster.rights)
        self._chat, self._platform = chat, chat.platform
        self._outbox = Outbox(
            desk.store,
            chat,
            desk.clock,
            compose=self._compose,
            marks=self._marks,
            stand_in=lambda language: quiet(desk.words(language).say("answer.instead")),
            reads=self._roster.reads,
        )
        self._showing = Showing(chat, self._desk, self._outbox)
        self._fellows = Fellows(chat, desk.store, self._showing)
        self._boards = Boards(chat, self._desk, self._outbox)
        self._own_rooms = OwnRooms(chat, self._desk, self._outbox, self._roster)
        self._receiving = Receiving(
            chat,
            self._desk,
            marks=marks,
            outbox=self._outbox,
            showing=self._showing,
            roster=self._roster,
            door=door,
        )
        self._happenings = Happenings(chat, self._desk, self._roster)
        self._tasks = Tasks(desk.clock.sleep)

    async def run(self) -> None:
        """Take up what a restart left, then work until cancelled."""
        await self._roster.refresh()
        self._desk.onlookers.joins(self._chat, self._roster.allowed)
        await self._desk.store.insist(self._roster.shut, now=self._desk.clock.now())
        await dismiss(self._platform, self._desk, self._roster, self._happenings)
        await self._outbox.take_up()
        await self._showing.take_up()
        await self._own_rooms.look()  # before anything is heard in one that was made just before we died
        name = self._platform
        try:
            self._tasks.start(f"{name}: send", self._outbox.run)
            self._tasks.start(f"{name}: act", self._receiving.act)
            self._tasks.start(f"{name}: listen", self._receiving.listen)
            self._tasks.start(f"{name}: boards", self._boards.run)
            self._tasks.start(f"{name}: rooms", self._own_rooms.run)
            self._tasks.start(f"{name}: name", self._remember_name)
            self._tasks.start(f"{name}: fellows", self._fellows.run)
            with self._desk.news.heard_by(self._outbox.wake), self._desk.news.heard_by(self._fellows.wake):
                await asyncio.Event().wait()
        finally:
            await self._tasks.close()
            await self._showing.close()

    def reached(self) -> None:
        """The platform answers again: what waits since it didn't is tried now."""
        self._outbox.reached()
        self._own_rooms.reached()

    @property
    def owners(self) -> list[str]:
        """Everybody who owns this Roost here."""
        return self._roster.owners

    def tell_owners(self, text: Text, *, note: str = "") -> None:
        """Say *text* to everybody who owns this Roost here, each in private; a *note* of that name once a day
        at most."""
        told = partial(self._receiving.tell_owners, text, note=note)
        self._tasks.start(f"tell owners: {text.markdown}", told)

    async def _compose(self, prompt: PromptId, room: RoomId) -> End:
        return await self._showing.compose(prompt, room)

    def _marks(self, language: str, repeat: bool, since: float, astray: bool) -> str:
        texts: Texts = self._desk.words(language)
        at = time.strftime("%H:%M", time.localtime(since)) if since else ""
        said = (texts.say("answer.late", time=at) if at else "", texts.say("answer.repeat") if repeat else "")
        where = [texts.say("answer.astray")] if astray else []
        return "\n".join([*where, *filter(None, [" ".join(filter(None, said))])])

    async def _remember_name(self) -> None:
        """A link to this account can be made, whatever program makes it."""
        name, *_ = await self._chat.called()
        account = (self._platform, self._chat.account)
        await self._desk.store.insist(accounts.called, *account, name)


def _fitted(desk: Desk, chat: DeliveringChat) -> Desk:
    """*desk*, whose sentences write commands as people do in *chat*, and offer what it has."""
    spell, words = spelling(chat.platform), desk.words
    return replace(desk, words=lambda language: words(language).spelled(spell), lacks=lacking(chat.limits))
