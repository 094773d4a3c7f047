"""The Bot API as we call it: time limits, one context for TLS, updates as they came."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeGuard

import httpx
from telegram import Bot, Message
from telegram.error import EndPointNotFound, InvalidToken, NetworkError

from bot.telegram.request import Bounds, connecting

CONNECTIONS = 12
"""For all calls but polls, which have one of their own. Telegram takes some 30 messages a second: with more
connections they would only wait there instead, each after a handshake of its own."""

STOPPED = "stopped_message_generation"
"""Somebody lets a draft be written no further: newer than the library, which passes it on as it came."""
ALLOWED_UPDATES = (
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "message_reaction",
    STOPPED,
)
MOST_UPDATES = 100
"""Of one poll (Bot API: `limit`)."""
TOLD_TOO_MUCH = ("telegram", "httpx", "httpcore")
"""Loggers that write addresses, which hold the token, or whatever a gateway said."""
NO_WARNING = ("PTB_TIMEDELTA", "1")
"""Without it the library warns at every flood that the type of its seconds will change."""

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds: how long the server holds a *poll* open, after what *grace* a poll hangs, and how long other
    calls may wait for a connection in the *pool*, to *connect*, and to *read* a piece of the answer."""

    poll: int = 50
    grace: float = 10.0
    connect: float = 10.0
    read: float = 30.0
    pool: float = 5.0

    @property
    def call(self) -> float:
        """For a whole call without files."""
        return self.pool + self.connect + self.read

    @property
    def whole_poll(self) -> float:
        return self.connect + self.poll + self.grace


class Api(Bot):
    """*base_url* is where the server is, without a path for bots. Nothing is asked of it yet."""

    def __init__(self, token: str, base_url: str, patience: Patience) -> None:
        os.environ.setdefault(*NO_WARNING)
        for name in TOLD_TOO_MUCH:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        context = httpx.create_ssl_context() if base_url.startswith("https:") else None
        polls, calls = (
            connecting(Bounds(size, patience.pool, patience.connect, patience.read), context)
            for size in (1, CONNECTIONS)
        )
        self._grace = patience.grace
        root = base_url.rstrip("/")
        super().__init__(
            token,
            base_url=f"{root}/bot",
            base_file_url=f"{root}/file/bot",
            request=calls,
            get_updates_request=polls,
        )

    async def updates(self, offset: int | None, *, seconds: int) -> list[Json]:
        """Every update from *offset* on, each still as it came: one that the library can't read must not
        hide the others. Waits up to so many seconds for the first. What is before *offset* is confirmed."""
        asked = {
            "offset": offset,
            "limit": MOST_UPDATES,
            "timeout": seconds,
            "allowed_updates": ALLOWED_UPDATES,
        }
        found: object = await self._post("getUpdates", asked, read_timeout=seconds + self._grace)
        if not _are_updates(found):
            raise NetworkError("what came is no list of updates")
        return found

    async def newer(self, method: str, asked: Mapping[str, object]) -> object:
        """A call that the library has no word for. Errors: `EndPointNotFound` where the server has none
        either; it says the same of a token that is none, but this one has served for other calls."""
        try:
            found: object = await self._post(method, dict(asked))
            return found
        except InvalidToken as error:
            if "unauthorized" in str(error).lower():
                raise
            raise EndPointNotFound(method) from error

    async def send_rich_message(self, asked: Mapping[str, object]) -> Message:
        """Errors: as `newer`."""
        sent = await self.newer("sendRichMessage", asked)
        if not isinstance(sent, dict):
            raise NetworkError("what came is no message")
        return Message.de_json(sent, self)

    async def renew(self) -> None:
        """Poll over connections that know nothing of those before."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._grace):
                await self._request[0].shutdown()
        await self._request[0].initialize()

    async def close_connections(self) -> None:
        for request in self._request:
            await request.shutdown()


def _are_updates(found: object) -> TypeGuard[list[Json]]:
    """Each is one that can be confirmed, whatever else is in it."""
    return isinstance(found, list) and all(
        isinstance(one, dict) and type(one.get("update_id")) is int for one in found
    )
