"""Tasks with an owner: one that fails says so and begins again, and takes no other with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import asynccontextmanager

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
"""Seconds before work that failed begins again."""

logger = logging.getLogger(__name__)

Work = Callable[[], Awaitable[None]]


class Tasks:
    """The running work of one owner, at most one task for each name; *sleep* is how it pauses."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def start(self, name: Hashable, work: Work) -> None:
        """Begin *work* unless it goes on already; its end forgets it."""
        running = self._tasks.get(name)
        if running is None or running.done():
            task = self._tasks[name] = asyncio.create_task(self._kept(name, work), name=str(name))
            task.add_done_callback(lambda ended: self._forget(name, ended))

    def _forget(self, name: Hashable, ended: asyncio.Task[None]) -> None:
        if self._tasks.get(name) is ended:
            del self._tasks[name]

    async def _kept(self, name: Hashable, work: Work) -> None:
        pause = FIRST_PAUSE
        while True:
            began = asyncio.get_running_loop().time()
            try:
                return await work()
            except Exception:
                logger.exception("%s failed", name)
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE  # it had gone well for a while
            await self._sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def stop(self, name: Hashable) -> None:
        """End the work of this name, if it goes on, and wait until it has."""
        if name in self._tasks:
            await _ended([self._tasks[name]])

    async def close(self) -> None:
        """End everything, and wait until it has."""
        await _ended(list(self._tasks.values()))


Failures = tuple[type[BaseException], ...]


@asynccontextmanager
async def within(
    seconds: float, failures: Failures, told: Callable[[BaseException], Exception]
) -> AsyncIterator[None]:
    """A call that ends within so many seconds; a failure is *told* as another error, and nothing of what
    stands behind that, which may hold a secret."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except failures as error:
        raise told(error) from None


async def either(*works: Coroutine[object, None, object]) -> None:
    """Until one of them is over; then the others are ended."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await _ended(tasks)


async def finished(work: Coroutine[object, None, object], *, seconds: float) -> None:
    """*work*; where we are cancelled meanwhile, it has so many seconds to come to its end."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=seconds)
        raise
    finally:
        await _ended([task])


async def _ended(tasks: Sequence[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
