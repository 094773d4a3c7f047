"""Who dispatches: the service if it runs, else whichever program is there, one at a time."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

from core.dispatch.bell import Bell
from core.dispatch.dispatcher import Dispatcher
from core.dispatch.locks import DISPATCH, SERVICE, FileLock, is_held

LOOK_SECONDS = 0.1
TRIES = 5
"""How often a service tries for its lock: somebody may only be asking whether it is held."""


async def take_service_lock(data_dir: Path) -> FileLock | None:
    """The service's own lock, or None if another service runs on *data_dir*."""
    lock = FileLock(data_dir / SERVICE)
    for _ in range(TRIES):
        if lock.acquire():
            return lock
        await asyncio.sleep(LOOK_SECONDS)
    return None


def service_runs(data_dir: Path) -> bool:
    """Whether a service has this data directory right now."""
    return is_held(data_dir / SERVICE)


def somebody_dispatches(data_dir: Path) -> bool:
    """Whether any program takes up what waits there right now."""
    return is_held(data_dir / DISPATCH)


class Duty:
    """Takes the dispatcher's lock whenever it is free and dispatches as long as it has it. A program that
    is not the service steps back when one starts; every agent goes on, and is found by the next."""

    def __init__(self, data_dir: Path, dispatcher: Dispatcher, *, service: bool = False) -> None:
        self._data_dir = data_dir
        self._dispatcher = dispatcher
        self._service = service
        self._lock = FileLock(data_dir / DISPATCH)

    @property
    def ours(self) -> bool:
        """Whether we are the dispatcher right now."""
        return self._lock.held

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            if (self._service or not service_runs(self._data_dir)) and self._lock.acquire():
                await self._dispatch()
            await asyncio.sleep(LOOK_SECONDS)

    async def _dispatch(self) -> None:
        bell = Bell(self._data_dir, self._dispatcher.wake)
        work = asyncio.create_task(self._dispatcher.run(), name="dispatch")
        try:
            while not work.done() and (self._service or not service_runs(self._data_dir)):
                await asyncio.wait([work], timeout=None if self._service else LOOK_SECONDS)
        finally:
            work.cancel()
            with suppress(asyncio.CancelledError):
                await work
            bell.close()
            self._lock.release()
