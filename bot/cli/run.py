"""`roost run`: the service, until it is told to stop; its agents go on."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import click

from bot.app import App, chats_of, on_duty, opened
from bot.cli.call import Call
from bot.cli.engine import usual_engine
from bot.cli.lazy import Command
from bot.cli.logs import log_to_stderr
from bot.cli.program import settings_of
from bot.cli.screen import say
from core.dispatch.duty import take_service_lock
from core.errors import StoreError
from core.settings import Settings
from core.store import queue
from core.store.folder import made_private

TAKEN = 75
"""`EX_TEMPFAIL` of sysexits.h: another service has this data directory."""

logger = logging.getLogger(__name__)


@click.command(cls=Command)
@click.pass_obj
def command(call: Call) -> int:
    """Exit status 0 when it was told to stop, 75 where another one runs."""
    settings = settings_of(call)
    log_to_stderr(settings, debug=call.debug, service=True)
    return asyncio.run(serve(call, settings))


async def serve(call: Call, settings: Settings) -> int:
    """The lock comes first: nothing is opened, or upgraded, under another service."""
    try:
        made_private(settings.data_dir)
        lock = await take_service_lock(settings.data_dir)
    except OSError as error:
        raise StoreError(why=error.strerror or "") from error
    if lock is None:
        say(call.texts.say("service.already_running", path=settings.data_dir))
        return TAKEN
    try:
        async with opened(settings, call.environ, service=True) as app:
            await _work(call, app)
    finally:
        lock.release()
    return 0


async def _work(call: Call, app: App) -> None:
    texts, told_to_stop = app.texts(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, told_to_stop.set)
    found = await app.store.read(queue.held)
    engine = await usual_engine(app, call.environ)
    async with _at_work(app, engine) as chats:
        # Only now: a chat that can't be would have ended it.
        logger.info("%s", texts.say("cli.run.started", path=app.data_dir, pid=os.getpid()))
        if found:
            logger.info("%s", texts.count("cli.run.found", len(found)))
        if not chats:
            logger.info("%s", texts.say("cli.run.no_chat"))
        await told_to_stop.wait()
        logger.info("%s", texts.say("cli.run.stopping"))


@asynccontextmanager
async def _at_work(app: App, engine: str) -> AsyncIterator[list[str]]:
    """On duty, and in every chat that is configured; their names. Without any, nothing of them is loaded."""
    if not chats_of(app.settings):
        async with on_duty(app):
            yield []
        return
    from bot.chatting import chatting, rights_hold

    await rights_hold(app)
    async with on_duty(app), chatting(app, engine) as chats:
        yield chats
