"""A chat account at work on a real store, with an agent that does what a test says: nothing else runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from bot.chat import RoomAddress
from bot.handlers.desk import Transcribe
from bot.intents.parse import TELEGRAM_MARKS
from bot.service import ChatService
from bot.texts import Texts
from bot.transcription import NotTranscribed, Why
from core.answers.secrets import Masker
from core.dispatch.queue import decide
from core.model.events import Event
from core.model.project import Project
from core.model.prompt import Prompt
from core.store import conversations, prompts, queue, turns
from core.store.database import Database
from core.store.queue import Work
from core.store.turns import Ending
from tests.support import store as shelf
from tests.support.fake_chat import ANN, ROOM, FakeChat
from tests.support.hand_clock import HandClock, in_turn
from tests.support.office import KeepingHost, desk_on

SECRET = "sk-secret_of-the-house/0123456789abcdef"
PATIENCE = 30.0
"""Seconds."""


class AtWork:
    """People are before *chat*; `starts`, `tells` and `ends` are the agents' side."""

    def __init__(
        self,
        store: Database,
        chat: FakeChat,
        clock: HandClock,
        owners: Collection[str],
        rooms_on: tuple[str, ...],
    ) -> None:
        self.store, self.chat, self.clock, self.host = store, chat, clock, KeepingHost()
        self.meanwhile: Callable[[], None] | None = None
        desk = desk_on(store, chat, self.host, clock)
        self.news, self.onlookers = desk.news, desk.onlookers
        self.hears: Transcribe | None = None
        desk = replace(desk, words=partial(self._words, desk.words), transcribe=self._transcribe)
        desk = replace(desk, rooms_on=rooms_on)
        self.service = ChatService(
            chat, desk, marks=TELEGRAM_MARKS, owners=owners, mask=Masker([SECRET]).mask
        )

    def _words(self, words: Callable[[str], Texts], language: str) -> Texts:
        """Whatever happens *meanwhile* does so when somebody looks for words: between what a handler reads
        and what it writes."""
        happens, self.meanwhile = self.meanwhile, None
        if happens:
            happens()
        return words(language)

    async def _transcribe(self, name: str, data: bytes) -> str:
        """What a test lets be heard; no words unless it does."""
        if self.hears is None:
            raise NotTranscribed(Why.SILENT)
        return await self.hears(name, data)

    async def passes(self, seconds: float = 0.1, step: float = 0.1) -> None:
        await self.clock.passes(seconds, self.store, step=step)

    async def until(self, true: Callable[[], bool]) -> None:
        """For what goes by a clock that no test moves, as a store does that is tried again. Errors:
        `TimeoutError`."""
        async with asyncio.timeout(PATIENCE):
            await self.passes(0.02)
            while not true():
                await self.passes(0.02)
        await self.passes()

    async def project(self, name: str = "shop", room: RoomAddress | None = ROOM) -> Project:
        """A project of that name, shown in *room*."""
        made = await self.store.write(shelf.a_project, name)
        if room:
            place = await self.store.write(conversations.room, room.platform, room.account, room.chat)
            await self.store.write(conversations.bind, place.id, made.id)
        return made

    async def asked(self) -> list[Prompt]:
        """Every prompt that there is, oldest first."""
        return await self.store.read(
            lambda db: [
                prompts.get(db, row["id"]) for row in db.execute("SELECT id FROM prompts ORDER BY id")
            ]
        )

    async def words(self) -> list[str]:
        return [prompt.text for prompt in await self.asked()]

    async def starts(self) -> list[Work]:
        """Everything that may start does."""
        now = self.clock.now()
        started = await self.store.write(queue.claim, decide, shelf.MANY, shelf.new_agent, now=now)
        await self.passes()
        return started

    async def tells(self, work: Work, *events: Event) -> None:
        offset = (await self.store.read(turns.latest, work.prompt.id)).offset + 1
        step = shelf.step(work, *events, offset=offset)
        await self.store.write(turns.progress, [step], now=self.clock.now())

    async def ends(self, work: Work, ending: Ending = shelf.DONE) -> None:
        await self.store.write(turns.end, [shelf.step(work)], ending, now=self.clock.now())
        self.news.tell()
        await self.store.write(queue.release, work.prompt.id)
        await self.passes(0.2)

    async def runs_all(self) -> list[str]:
        """The words of everything that runs, in the order in which it starts; each is answered by «Done.»"""
        ran = []
        while started := await self.starts():
            for work in started:
                ran.append(work.prompt.text)
                await self.ends(work)
        return ran


@asynccontextmanager
async def at_work(
    folder: Path,
    chat: FakeChat,
    clock: HandClock,
    *,
    owners: Collection[str] = (ANN.id,),
    rooms_on: tuple[str, ...] = (),
) -> AsyncIterator[AtWork]:
    """Until the end of the block, where everything dies on the spot."""
    with in_turn():
        shelf.lay(folder)
        store = await Database.open(folder)
        work = AtWork(store, chat, clock, owners, rooms_on)
        running = asyncio.create_task(work.service.run())
        try:
            await work.passes()
            yield work
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            await store.close()
