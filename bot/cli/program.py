"""A command's work on the whole program, opened for it and closed behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.app import App, opened
from bot.cli.call import Call
from bot.cli.interrupt import in_order
from bot.cli.logs import log_to_stderr
from bot.texts import Texts
from core.settings import Settings, load
from core.store.database import FILE_NAME

Work = Callable[[App], Awaitable[int]]


def settings_of(call: Call) -> Settings:
    """The configuration; from here on *call* has its language, and Ctrl-C is no sudden end. Errors:
    `ConfigError`."""
    settings = load(call.environ, call.config)
    call.texts = Texts(settings.language)
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
