"""The composition root: the one module that knows every class."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bot.texts import Texts
from core.answers.secrets import Masker
from core.dispatch.answers import Media
from core.dispatch.clock import SystemClock
from core.dispatch.dispatcher import Dispatcher
from core.dispatch.duty import Duty
from core.dispatch.means import Instructions, Limits, Means
from core.dispatch.progress import Book
from core.engines.catalogue import Catalogue, EngineConfig
from core.hosts.harden import harden
from core.hosts.local import LocalHost
from core.model.ids import AgentId
from core.model.project import LOCAL
from core.model.slots import Caps
from core.settings import Settings
from core.store.database import Database


@dataclass(frozen=True, slots=True)
class App:
    """Everything that a command works with; nothing of it dispatches until `on_duty`."""

    settings: Settings
    store: Database
    host: LocalHost
    catalogue: Catalogue
    means: Means
    duty: Duty

    @property
    def data_dir(self) -> Path:
        return self.settings.data_dir

    def texts(self, language: str = "") -> Texts:
        """The words for a reader of *language*, or of the configured one."""
        return Texts(language or self.settings.language)


@asynccontextmanager
async def opened(
    settings: Settings, environ: Mapping[str, str], *, service: bool = False
) -> AsyncIterator[App]:
    """The whole program on its data directory, closed again at the end. Errors: `StoreError` kinds."""
    harden()
    store = await Database.open(settings.data_dir)
    try:
        yield _composed(settings, environ, store, service=service)
    finally:
        await store.close()


@asynccontextmanager
async def on_duty(app: App) -> AsyncIterator[None]:
    """While inside, this process dispatches whenever no other does."""
    task = asyncio.create_task(app.duty.run(), name="duty")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _composed(settings: Settings, environ: Mapping[str, str], store: Database, *, service: bool) -> App:
    catalogue = Catalogue(
        EngineConfig(
            name, engine.kind, engine.command, engine.transport, engine.model, engine.effort, engine.env,
            engine.pass_env,
        )
        for name, engine in settings.engines.items()
    )  # fmt: skip
    clock, mask = SystemClock(), Masker(settings.secrets()).mask
    host = LocalHost(settings.data_dir)
    caps = Caps(settings.max_concurrent_agents, settings.max_agents_total)
    means = Means(
        store=store,
        hosts={LOCAL: host},
        engine=catalogue.engine,
        environ=lambda engine: catalogue.environment(engine.name, environ),
        instructions=lambda language: _instructions(Texts(language or settings.language)),
        media=Media(settings.data_dir),
        book=Book(store, now=clock.now, mask=mask),
        clock=clock,
        mask=mask,
        new_agent=lambda: AgentId(str(uuid.uuid4())),
        limits=Limits(caps, silence=float(settings.silence_seconds)),
    )
    duty = Duty(settings.data_dir, Dispatcher(means), service=service)
    return App(settings, store, host, catalogue, means, duty)


def _instructions(texts: Texts) -> Instructions:
    return Instructions(
        images=texts.say("instruct.images"),
        title=texts.say("instruct.title"),
        carry_on=texts.say("instruct.carry_on"),
        interrupted=texts.say("instruct.interrupted"),
        files=texts.say("instruct.files", paths="{paths}"),
    )
