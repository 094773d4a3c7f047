"""Calls that are made until they come through, and trouble that lasts, told once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import TypeVar

from telegram.error import Conflict, InvalidToken, RetryAfter

from bot.telegram.api import Api, Patience
from bot.telegram.errors import FAILURES, retry_seconds, words
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
    """Another program listens with our token."""
    REVOKED = "revoked"
    """The token is no longer one."""
    UNDELIVERED = "undelivered"
    """The platform can't bring us what it has."""
    BACK = "back"
    """It is over."""


Tell = Callable[[Trouble, str], None]
"""What is wrong, and the words for a log that say why."""


class Insisting:
    """*chance* gives numbers from 0 to 1; *tell* hears of each trouble once, and of its end."""

    def __init__(
        self, api: Api, patience: Patience, clock: Clock, chance: Callable[[], float], tell: Tell
    ) -> None:
        self._api = api
        self._patience = patience
        self._clock = clock
        self._chance = chance
        self._tell = tell
        self._conflict_at = 0.0
        self.trouble: Trouble | None = None
        """What keeps us from hearing anything now."""
        self.heard_at: float | None = None
        """When the last call came through (monotonic): what health is measured by."""

    async def until_done(self, call: Callable[[int], Awaitable[T]]) -> T:
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
                self.came_through()
                return result

    def came_through(self, *, brought: bool = False) -> None:
        """Somebody is there; *brought*: and nothing waits there in vain."""
        now = self._clock.monotonic()
        self.heard_at = now
        contested = self.trouble is Trouble.CONFLICT and now - self._conflict_at < CALM_SECONDS
        in_vain = self.trouble is Trouble.UNDELIVERED and not brought
        if self.trouble and not (contested or in_vain):
            self.trouble = None
            self._tell(Trouble.BACK, "")

    def meets(self, trouble: Trouble, why: str) -> None:
        """That lasts until something comes through."""
        if trouble is Trouble.CONFLICT:
            self._conflict_at = self._clock.monotonic()
        if trouble is not self.trouble:
            self.trouble = trouble
            self._tell(trouble, why)

    async def _wait(self, error: BaseException, failures: int) -> None:
        trouble, pause = self._diagnosis(error, failures)
        if trouble is not Trouble.UNREACHABLE or failures >= LASTING:
            self.meets(trouble, words(error))
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
