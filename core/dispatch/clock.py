"""Time, passed in: the wall clock is for showing, the monotonic one for waiting."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since the epoch; may jump (behaviour: no wait and no order depends on it)."""

    def monotonic(self) -> float:
        """Seconds since some start; never jumps."""

    async def sleep(self, seconds: float) -> None: ...


def until_tick(now: float, seconds: float) -> float:
    """Seconds from *now* to the next tick, of which there is one every *seconds*: those who look again and
    again look together, and wake the machine once instead of each for itself. One that is due in no time
    is passed over."""
    left = seconds - now % seconds
    return left if left > seconds / 10 else left + seconds


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
