"""A command's work on the whole program, opened for it and closed behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.app import App, opened
from bot.cli.call import Call
from bot.cli.interrupt import in_order
from bot.cli.logs import log_to_stderr
from bot.cli.screen import say
from bot.texts import Texts, spoken
from core.settings import Settings, load
from core.store.database import FILE_NAME

Work = Callable[[App], Awaitable[int]]


def settings_of(call: Call) -> Settings:
    """The configuration; from here on *call* has its language, and Ctrl-C is no sudden end. That it has no
    words in that is said once. Errors: `ConfigError`."""
    settings, first = load(call.environ, call.config), not call.database
    call.texts = Texts(settings.language)
    if first and not spoken(settings.language):
        say(call.texts.say("check.language.unspoken", language=settings.language))
    call.database = str(settings.data_dir / FILE_NAME)
    in_order()
    return settings


def run(call: Call, work: Work) -> int:
    """The exit status of *work*. Errors: `ConfigError`, and those of the store and of *work*."""
    settings = settings_of(call)
    log_to_stderr(settings, debug=call.debug)

    async def whole() -> int:
        async with opened(settings, call.environ) as app:
            return await work(app)

    return asyncio.run(whole())
