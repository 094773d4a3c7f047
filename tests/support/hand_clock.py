"""Time that a test moves by hand, for everything that runs beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from core.store.database import Database, Db
from tests.support.store import NOW

SETTLED = 12
STEP = 0.1


class HandClock:
    """Stands still until `passes`; then whoever has slept long enough wakes."""

    def __init__(self) -> None:
        self.ticks = 1_000.0
        self.wall = NOW
        self._sleepers: dict[asyncio.Event, float] = {}

    def now(self) -> float:
        return self.wall

    def monotonic(self) -> float:
        return self.ticks

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken = asyncio.Event()
        self._sleepers[woken] = self.ticks + seconds
        try:
            await woken.wait()
        finally:
            del self._sleepers[woken]

    async def passes(self, seconds: float, store: Database, *, step: float = STEP) -> None:
        """*seconds* go by, *step* by *step*; after each, everything is done that can be."""
        until = self.ticks + seconds
        await settled(store)
        while self.ticks < until - 1e-9:
            self.move(min(step, until - self.ticks))
            await settled(store)

    def move(self, seconds: float) -> None:
        self.ticks += seconds
        self.wall += seconds
        for woken, at in self._sleepers.items():
            if at <= self.ticks + 1e-9:
                woken.set()


@contextmanager
def in_turn() -> Iterator[None]:
    """What the running loop leaves to threads is done by one, so that `settled` waits behind it."""
    with ThreadPoolExecutor(1) as thread:
        asyncio.get_running_loop().set_default_executor(thread)
        yield


async def settled(store: Database) -> None:
    """Whoever works with *store*, or in a thread, and waits for nothing else has done it: each round waits
    its turn behind what they read, write and do there. Only where threads work `in_turn`."""
    for _ in range(SETTLED):
        await store.settled()
        await store.read(_nothing)
        await asyncio.to_thread(int)


def _nothing(db: Db) -> None:
    pass
