"""Updates, one by one, through any trouble of the network: asked for again and again."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

from telegram import Update
from telegram.error import Conflict

from bot.telegram.api import MOST_UPDATES, Api, Json, Patience
from bot.telegram.insisting import Insisting
from bot.telegram.translate import key_of, read
from core.dispatch.clock import Clock

logger = logging.getLogger(__name__)


class Poller:
    def __init__(self, api: Api, patience: Patience, clock: Clock, calls: Insisting) -> None:
        self._api = api
        self._patience = patience
        self._clock = clock
        self._calls = calls
        self._next: int | None = None
        self._unhooked = False
        self.since = 0.0
        """Whatever is yielded was said later than this (seconds since the epoch): when we last had heard
        everything; 0 before we ever did."""

    async def updates(self) -> AsyncIterator[Update]:
        """Asking for the next one says that the one before is stored; the server hears of it with the next
        poll. A key is compared with no other: a new bot's begin anywhere."""
        while True:
            batch, now = await self._calls.until_done(self._poll), self._clock.now()
            for raw in batch:
                update = read(raw, self._api)
                if update is not None:
                    yield update
                self._next = key_of(raw) + 1
            if len(batch) < MOST_UPDATES:
                self.since = now

    async def close(self) -> None:
        """Nothing of it is open between two polls."""

    async def _poll(self, failures: int) -> list[Json]:
        """After a failure the question is only whether the way is free again, and at first what has come
        already. A webhook that is left from before keeps us from asking, so it goes, once: what waits there
        stays. One that is set again is somebody else's."""
        at_once = failures or not self.since
        seconds = 0 if at_once else self._patience.poll
        try:
            return await self._api.updates(self._next, seconds=seconds)
        except Conflict as conflict:
            if self._unhooked or "webhook" not in str(conflict).lower():
                raise
        logger.warning("telegram: a webhook was set for this bot; it is taken away")
        await self._api.delete_webhook()
        self._unhooked = True
        return await self._api.updates(self._next, seconds=0)
