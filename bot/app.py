"""The composition root of what every command works with: the store, the host, the engines, the dispatcher.

`bot.chatting` adds the chats, which take as much again to load.
"""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from bot.live import View, watch
from bot.onlookers import Onlookers
from bot.replies.errors import About
from bot.texts import Texts
from core.answers.secrets import Masker
from core.dispatch.answers import Media
from core.dispatch.clock import SystemClock
from core.dispatch.dispatcher import Dispatcher
from core.dispatch.duty import Duty
from core.dispatch.means import Instructions, Limits, Means
from core.dispatch.offers import Offers
from core.dispatch.progress import Book
from core.dispatch.queries import Asker
from core.engines.catalogue import Catalogue, EngineConfig
from core.engines.logins import LOGINS
from core.hosts.harden import harden
from core.hosts.local import LocalHost
from core.model.ids import AgentId, PromptId
from core.model.project import LOCAL, Project
from core.model.slots import Caps
from core.settings import Settings, is_secret
from core.store.database import Database


@dataclass(frozen=True, slots=True)
class App:
    """Everything that a command works with; nothing of it dispatches until `on_duty`."""

    settings: Settings
    store: Database
    host: LocalHost
    catalogue: Catalogue
    offers: Offers
    means: Means
    duty: Duty
    onlookers: Onlookers = field(default_factory=Onlookers)

    @property
    def data_dir(self) -> Path:
        return self.settings.data_dir

    def texts(self, language: str = "") -> Texts:
        """The words for a reader of *language*, or of the configured one."""
        return Texts(language or self.settings.language)

    def about(self, project: Project, engine: str) -> About:
        """What the sentences of trouble name."""
        login = self._login(engine)
        return About(os.uname().nodename, self.catalogue.label(engine), project.path, login, project.name)

    def _login(self, engine: str) -> str:
        """What logs the engine in; of one that is not known, the likeliest."""
        command = self.catalogue.engine(engine).command if engine in self.catalogue.names else (engine,)
        words = LOGINS[engine].words if engine in LOGINS else ("login",)
        return " ".join((*command, *words))

    def watch(self, prompt: PromptId) -> AsyncIterator[View]:
        """What becomes of *prompt*, whoever dispatches it."""
        means = self.means
        return watch(
            self.store, prompt, clock=means.clock, caps=means.limits.caps, label=self.catalogue.label
        )


@asynccontextmanager
async def opened(
    settings: Settings, environ: Mapping[str, str], *, service: bool = False
) -> AsyncIterator[App]:
    """The whole program on its data directory, closed again at the end. Errors: `StoreError` kinds."""
    umask = harden()
    store = await Database.open(settings.data_dir)
    app = _composed(settings, environ, store, LocalHost(settings.data_dir, umask=umask), service=service)
    try:
        yield app
    finally:
        await app.offers.close()
        await store.close()


@asynccontextmanager
async def on_duty(app: App) -> AsyncIterator[None]:
    """While inside, this process dispatches whenever no other does; if it can't, that error ends it all."""
    try:
        async with asyncio.TaskGroup() as group:
            duty = group.create_task(app.duty.run(), name="duty")
            yield
            duty.cancel()
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None


def only_stopping(app: App) -> App:
    """*app*, but on duty it begins nothing new: it only ends what somebody asked to end."""
    means = replace(app.means, limits=replace(app.means.limits, caps=Caps(per_engine=0)))
    return replace(app, means=means, duty=Duty(app.data_dir, Dispatcher(means)))


def catalogue_of(settings: Settings) -> Catalogue:
    """The engines that there are with these settings."""
    return Catalogue(EngineConfig(name, **engine.model_dump()) for name, engine in settings.engines.items())


def chats_of(settings: Settings) -> list[str]:
    """The chats that are configured."""
    chats = {"telegram": settings.telegram.configured, "matrix": settings.matrix.configured}
    return [name for name, configured in chats.items() if configured]


def rooms_on(settings: Settings) -> tuple[str, ...]:
    """The chats in which a project that is added gets a room of its own."""
    return ("matrix",) if settings.matrix.configured and settings.matrix.rooms else ()


def _composed(
    settings: Settings, environ: Mapping[str, str], store: Database, host: LocalHost, *, service: bool
) -> App:
    catalogue = catalogue_of(settings)
    clock, mask = SystemClock(), Masker(_secrets(settings, environ)).mask
    # What each turn asks for anew, and what stays as it is while we run.
    environment = cache(lambda name: catalogue.environment(name, environ))
    caps = Caps(settings.max_concurrent_agents, settings.max_agents_total)
    means = Means(
        store=store,
        hosts={LOCAL: host},
        engine=cache(catalogue.engine),
        environ=lambda engine: environment(engine.name),
        instructions=cache(lambda language: _instructions(Texts(language or settings.language))),
        media=Media(settings.data_dir),
        book=Book(store, now=clock.now, mask=mask),
        clock=clock,
        mask=mask,
        new_agent=lambda: AgentId(str(uuid.uuid4())),
        limits=Limits(
            caps,
            silence=float(settings.silence_seconds),
            warm=float(settings.warm_seconds),
            renewal=settings.wait_for_limits,
        ),
    )
    duty = Duty(settings.data_dir, Dispatcher(means), service=service)
    asker = Asker(means.engine, means.host, means.environ, mask, means.new_agent)
    return App(settings, store, host, catalogue, Offers(asker, clock), means, duty)


def _secrets(settings: Settings, environ: Mapping[str, str]) -> Iterator[str]:
    """Our own, and what agents may be given: they may say it."""
    yield from settings.secrets()
    yield from (value for name, value in environ.items() if is_secret(name, value))


def _instructions(texts: Texts) -> Instructions:
    return Instructions(
        images=texts.say("instruct.images"),
        title=texts.say("instruct.title"),
        carry_on=texts.say("instruct.carry_on"),
        interrupted=texts.say("instruct.interrupted"),
        files=texts.say("instruct.files", paths="{paths}"),
        handed=texts.say("instruct.handed", said="{said}"),
    )
