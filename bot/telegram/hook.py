"""Updates, one by one, as Telegram brings them: each is stored before it hears that we have it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

from telegram import Update, WebhookInfo
from telegram.error import NetworkError

from bot.tasks import Tasks
from bot.telegram.api import ALLOWED_UPDATES, Api, Json
from bot.telegram.insisting import Insisting, Trouble
from bot.telegram.post import Post
from bot.telegram.translate import read
from core.dispatch.clock import Clock

CHECK_SECONDS = 60.0
"""Between two looks at whether the webhook is still ours, and whether anything waits in vain."""
STORE_SECONDS = 20.0
"""What is not stored by then comes again."""
AT_ONCE = 8
"""Updates that Telegram brings at a time: those of one chat in order all the same (its server's source)."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """*url* is what Telegram calls; what it says there comes to *host* and *port*, through a proxy that knows
    about certificates. *secret* is what only the two of us know."""

    url: str
    host: str
    port: int
    secret: str = field(repr=False)


@dataclass(slots=True)
class _Parcel:
    """An update as it came, for somebody who waits to hear that it is *stored*."""

    raw: Json
    stored: asyncio.Future[None]


class Hook:
    def __init__(self, api: Api, webhook: Webhook, clock: Clock, calls: Insisting) -> None:
        self._api = api
        self._webhook = webhook
        self._clock = clock
        self._calls = calls
        self._post = Post(webhook.url, webhook.secret, self._take)
        self._parcels: asyncio.Queue[_Parcel] = asyncio.Queue()
        self._tasks = Tasks(clock.sleep)
        self.since = 0.0
        """As a poller's: when nothing waited any more."""

    async def updates(self) -> AsyncIterator[Update]:
        """Asking for the next one says that the one before is stored: only then Telegram hears so."""
        await self._calls.until_done(self._open)
        self._tasks.start("telegram: webhook", self._watch)
        while True:
            parcel = await self._parcels.get()
            if parcel.stored.done():  # nobody waits for it any more: it comes again
                continue
            update = read(parcel.raw, self._api)
            if update is not None:
                yield update
            if not parcel.stored.done():
                parcel.stored.set_result(None)

    async def close(self) -> None:
        await self._tasks.close()
        await self._post.close()

    async def _take(self, raw: Json) -> bool:
        parcel = _Parcel(raw, asyncio.get_running_loop().create_future())
        self._parcels.put_nowait(parcel)
        self._calls.came_through(brought=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(STORE_SECONDS):
                await parcel.stored
        return not parcel.stored.cancelled()

    async def _open(self, failures: int) -> None:
        """Errors: `NetworkError` where nobody could hear us."""
        try:
            await self._post.open(self._webhook.host, self._webhook.port)
        except OSError as error:
            place = f"{self._webhook.host}:{self._webhook.port}"
            raise NetworkError(f"cannot listen on {place}: {error.strerror}") from None
        await self._set()

    async def _set(self) -> None:
        await self._api.set_webhook(
            self._webhook.url,
            max_connections=AT_ONCE,
            allowed_updates=ALLOWED_UPDATES,
            secret_token=self._webhook.secret,
        )

    async def _watch(self) -> None:
        """Until cancelled."""
        known = 0.0
        while True:
            asked_at = self._clock.now()
            found = await self._calls.until_done(self._info)
            if found.url != self._webhook.url:
                self._calls.meets(Trouble.CONFLICT, "the webhook is another's")
                await self._calls.until_done(lambda failures: self._set())
            elif not found.pending_update_count:
                self.since = asked_at
                self._calls.came_through(brought=True)
            elif (failed := _failed_at(found)) > known:
                known = failed
                self._calls.meets(Trouble.UNDELIVERED, found.last_error_message or "")
            await self._clock.sleep(CHECK_SECONDS)

    async def _info(self, failures: int) -> WebhookInfo:
        return await self._api.get_webhook_info()


def _failed_at(found: WebhookInfo) -> float:
    """When Telegram last failed to bring something (seconds since the epoch); 0 where it never did."""
    return found.last_error_date.timestamp() if found.last_error_date else 0.0
