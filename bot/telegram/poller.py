"""Updates, one by one, through any trouble of the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import StrEnum
from typing import TypeVar

from telegram import Update
from telegram.error import Conflict, InvalidToken, RetryAfter

from bot.telegram.api import MOST_UPDATES, Api, Json, Patience
from bot.telegram.errors import FAILURES, retry_seconds, words
from bot.telegram.translate import KINDS, MISSHAPEN, misshapen
from core.dispatch.clock import Clock

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 20.0
AFTER_CONFLICT = 10.0
"""Beyond the length of a poll, so that the other's has ended before we ask again."""
REVOKED_PAUSE = 300.0
CALM_SECONDS = 600.0
"""So long after the last conflict the other poller is gone; until then the two take turns."""
LASTING = 3
"""Failures one after another, until nothing of the old connections is trusted any more, and it is told."""

T = TypeVar("T")


class Trouble(StrEnum):
    """Why nothing comes, told once when it begins."""

    UNREACHABLE = "unreachable"
    CONFLICT = "conflict"
    """Another program polls with our token."""
    REVOKED = "revoked"
    """The token is no longer one."""
    BACK = "back"
    """It is over."""


Tell = Callable[[Trouble, str], None]
"""What is wrong, and the words for a log that say why."""


class Poller:
    """*chance* gives numbers from 0 to 1; *tell* hears of each trouble once, and of its end."""

    def __init__(
        self, api: Api, patience: Patience, clock: Clock, chance: Callable[[], float], tell: Tell
    ) -> None:
        self._api = api
        self._patience = patience
        self._clock = clock
        self._chance = chance
        self._tell = tell
        self._next: int | None = None
        self._trouble: Trouble | None = None
        self._conflict_at = 0.0
        self.since = 0.0
        """Whatever is yielded was said later than this (seconds since the epoch): when we last had heard
        everything; 0 before we ever did."""
        self.polled_at: float | None = None
        """When the last call came through (monotonic): what health is measured by."""

    @property
    def trouble(self) -> Trouble | None:
        """What keeps us from hearing anything now."""
        return self._trouble

    async def updates(self) -> AsyncIterator[Update]:
        """Asking for the next one says that the one before is stored; the server hears of it with the next
        poll. A key is compared with no other: a new bot's begin anywhere."""
        while True:
            batch, now = await self.insist(self._poll), self._clock.now()
            for raw in batch:
                update = self._read(raw)
                if update is not None:
                    yield update
                self._next = _key(raw) + 1
            if len(batch) < MOST_UPDATES:
                self.since = now

    async def insist(self, call: Callable[[int], Awaitable[T]]) -> T:
        """What *call* gives in the end; it is told how often it failed before."""
        failures = 0
        while True:
            try:
                async with asyncio.timeout(self._patience.whole_poll):
                    result = await call(failures)
            except FAILURES as error:
                failures += 1
                await self._wait(error, failures)
            else:
                self._came_through()
                return result

    async def _poll(self, failures: int) -> list[Json]:
        """After a failure the question is only whether the way is free again, and at first what has come
        already."""
        at_once = failures or not self.since
        return await self._api.updates(self._next, seconds=0 if at_once else self._patience.poll)

    def _read(self, raw: Json) -> Update | None:
        try:
            return Update.de_json(raw, self._api)
        except MISSHAPEN as error:
            misshapen(_key(raw), next((kind for kind in KINDS if kind in raw), ""), error)
            return None

    async def _wait(self, error: BaseException, failures: int) -> None:
        trouble, pause = self._diagnosis(error, failures)
        if trouble is Trouble.CONFLICT:
            self._conflict_at = self._clock.monotonic()
        passing = trouble is Trouble.UNREACHABLE and failures < LASTING
        if trouble is not self._trouble and not passing:
            self._trouble = trouble
            self._tell(trouble, words(error))
        if failures % LASTING == 0:
            await self._api.renew()
        await self._clock.sleep(pause)

    def _diagnosis(self, error: BaseException, failures: int) -> tuple[Trouble, float]:
        """What is wrong, and the seconds until the next try."""
        match error:
            case Conflict():
                return Trouble.CONFLICT, self._patience.poll + AFTER_CONFLICT
            case InvalidToken():
                return Trouble.REVOKED, REVOKED_PAUSE
            case RetryAfter() if seconds := retry_seconds(error):
                return Trouble.UNREACHABLE, seconds
            case _:
                longest = min(FIRST_PAUSE * 2 ** min(failures - 1, 10), LONGEST_PAUSE)
                return Trouble.UNREACHABLE, longest * (0.5 + self._chance() / 2)

    def _came_through(self) -> None:
        now = self._clock.monotonic()
        self.polled_at = now
        contested = self._trouble is Trouble.CONFLICT and now - self._conflict_at < CALM_SECONDS
        if self._trouble and not contested:
            self._trouble = None
            self._tell(Trouble.BACK, "")


def _key(raw: Json) -> int:
    key = raw["update_id"]
    assert isinstance(key, int)
    return key
