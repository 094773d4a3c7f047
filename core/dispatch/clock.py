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


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
