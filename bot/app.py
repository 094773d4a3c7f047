"""The composition root: the one module that knows every class."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path

from bot.access import Rights, Role
from bot.chat import DeliveringChat
from bot.handlers.desk import Desk
from bot.heralds import Heralds
from bot.intents.parse import MATRIX_MARKS, TELEGRAM_MARKS
from bot.live import View, watch
from bot.matrix.library import installing
from bot.matrix.way import Way
from bot.onlookers import Onlookers
from bot.replies.errors import About
from bot.roster import Roster
from bot.service import ChatService
from bot.tasks import Tasks, Work
from bot.texts import Texts
from bot.transcription import Transcriber
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
from core.errors import Refused
from core.hosts.harden import harden
from core.hosts.local import LocalHost
from core.model.ids import AgentId, PromptId
from core.model.people import Known
from core.model.project import LOCAL, Project
from core.model.slots import Caps
from core.settings import Settings, TranscriptionSettings, is_secret
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


async def rights_hold(app: App) -> None:
    """Before anything begins: what waits and may not be asked any more, by these settings, is set aside."""
    for roster in _rosters(app).values():
        await app.store.insist(roster.set_aside, now=app.means.clock.now())


def _rosters(app: App) -> dict[str, Roster]:
    """Of every chat that is configured."""
    owners = {
        "telegram": [str(person) for person in app.settings.telegram.allowed_users],
        "matrix": app.settings.matrix.allowed_users,
    }
    return {name: Roster(app.store, name, owners=owners[name]) for name in chats_of(app.settings)}


async def _let_in(app: App) -> dict[str, list[Known]]:
    """Who was let in in each of them."""
    rosters = _rosters(app)
    for roster in rosters.values():
        await roster.refresh()
    return {name: roster.everybody for name, roster in rosters.items()}


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


def desk_of(app: App, engine: str) -> Desk:
    """What handlers work with; *engine* is that of projects that are added in a chat."""
    machine = os.uname().nodename
    return Desk(
        store=app.store,
        data_dir=app.data_dir,
        host=app.means.host,
        environ=app.means.environ,
        mask=app.means.mask,
        catalogue=app.catalogue,
        offers=app.offers,
        caps=app.means.limits.caps,
        clock=app.means.clock,
        words=app.texts,
        machine=machine,
        rights=lambda person: Rights(Role.OWNER),
        watch=app.watch,
        about=lambda project, name: app.about(project, name) if project else About(machine),
        news=app.means.news,
        onlookers=app.onlookers,
        engine=engine,
        transcribe=transcriber_of(app.settings.transcription),
        rooms_on=rooms_on(app.settings),
        chats=partial(_let_in, app),
    )


def transcriber_of(settings: TranscriptionSettings) -> Transcriber | None:
    """None where no endpoint is configured."""
    key = settings.api_key.get_secret_value() if settings.api_key else ""
    if not settings.configured:
        return None
    return Transcriber(settings.base_url, settings.model, key, settings.language)


@asynccontextmanager
async def chatting(app: App, engine: str) -> AsyncIterator[list[str]]:
    """While inside, every chat that is configured is at work; their names. Errors: `Refused` for one that
    can't be."""
    tasks, heralds = Tasks(), Heralds()
    ways = {"telegram": _telegram, "matrix": _matrix}
    names = chats_of(app.settings)
    try:
        for name in names:
            tasks.start(name, ways[name](app, engine, heralds))
        yield names
    finally:
        await tasks.close()


def _telegram(app: App, engine: str, heralds: Heralds) -> Work:
    # Its library is large: nothing of it is loaded where nobody uses Telegram.
    from bot.telegram.account import Account, Server, webhook
    from bot.telegram.link import pairing_link

    settings = app.settings.telegram
    owners = [str(person) for person in settings.allowed_users]

    def service(chat: DeliveringChat) -> ChatService:
        desk, mask = replace(desk_of(app, engine), link=pairing_link), app.means.mask
        made = ChatService(chat, desk, marks=TELEGRAM_MARKS, owners=owners, mask=mask)
        heralds.joins("telegram", made)
        return made

    token = settings.token.get_secret_value() if settings.token else ""
    secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else ""
    hook = webhook(settings.webhook_url, settings.webhook_listen, secret, token)
    server = Server(settings.base_url, hook, local=settings.local_mode)
    elsewhere = partial(heralds.tell, "telegram")
    return Account(token, server, app.means, app.texts(), service, elsewhere).run


def _matrix(app: App, engine: str, heralds: Heralds) -> Work:
    """Errors: `Refused` where its library is not installed."""
    try:
        from bot.matrix.account import Account
    except ImportError:
        raise Refused("matrix.no_library", command=installing()) from None

    owners = app.settings.matrix.allowed_users

    def service(chat: DeliveringChat) -> ChatService:
        desk, mask = desk_of(app, engine), app.means.mask
        made = ChatService(chat, desk, marks=MATRIX_MARKS, owners=owners, mask=mask)
        heralds.joins("matrix", made)
        return made

    known = (matrix_way(app.settings), owners, app.data_dir, app.means, app.texts(), service)
    elsewhere, terms = partial(heralds.tell, "matrix"), app.settings.matrix
    return Account(*known, threads=terms.threads, space=terms.space, elsewhere=elsewhere).run


def matrix_way(settings: Settings) -> Way:
    """How the settings let us into a Matrix account."""
    matrix = settings.matrix
    secrets = (matrix.password, matrix.access_token, matrix.recovery_key)
    password, token, recovery = (secret.get_secret_value() if secret else "" for secret in secrets)
    return Way(matrix.homeserver.rstrip("/"), matrix.user, password, token, matrix.device_id, recovery)
