"""The composition root of the chats: the one module that knows every class of theirs."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from bot.access import Rights, Role
from bot.app import App, chats_of, rooms_on
from bot.chat import DeliveringChat
from bot.handlers.desk import Desk
from bot.heralds import Heralds
from bot.intents.parse import MATRIX_MARKS, TELEGRAM_MARKS
from bot.matrix.library import installing
from bot.matrix.way import Way
from bot.replies.errors import About
from bot.roster import Roster
from bot.service import ChatService
from bot.tasks import Tasks, Work
from bot.transcription import Transcriber
from core.errors import Refused
from core.model.people import Known
from core.settings import Settings, TranscriptionSettings


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
