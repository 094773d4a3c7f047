"""python-telegram-bot's own `Bot`, against our server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from telegram import Bot
from telegram.request import HTTPXRequest

from tests.telegram.server import TOKEN, BotApi

PLAIN = {"verify": False}


@asynccontextmanager
async def real_bot(api: BotApi, token: str = TOKEN, *, timeout: float = 20.0) -> AsyncIterator[Bot]:
    """*timeout* is for an answer, in seconds. Certificates, which nobody needs here, are not read."""
    requests = [
        HTTPXRequest(read_timeout=timeout, media_write_timeout=60.0, httpx_kwargs=PLAIN) for _ in range(2)
    ]
    bot = Bot(token, base_url=api.base_url, base_file_url=api.base_file_url, request=requests[0],
              get_updates_request=requests[1])  # fmt: skip
    async with bot:
        yield bot
