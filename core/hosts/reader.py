"""One sweep over the spools of all agents that somebody waits for."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import CoreError, HostError
from core.hosts.directory import AgentDirectory
from core.model.ids import AgentId
from core.model.launch import Chunk, Exited, Gone, NotStarted

CHUNK = 256 * 1024
SPOOL_MOST = 512 * 1024 * 1024
SOONEST, LATER = 0.001, 0.010
"""Seconds between two sweeps, at least and at most, while there are few readers."""
SHARE = 1 / 20
"""Of the time that has been waited for an answer already, so much may be waited longer to see it."""
EACH = 0.005
"""Seconds that each further reader adds to that: what a sweep costs grows with them."""
LATEST = 0.15
"""However many there are. What is read is kept four times a second anyway."""
THOROUGH = 1.0
"""Seconds between two looks whether the process is still there, and at the size of its stderr."""
START_BOUND = 10.0
"""Seconds that a wrapper has to take its claim, before the start is taken away from it."""


@dataclass(slots=True)
class _Spool:
    """An agent's spool, open for one reader. *thorough*: when its process is to be looked for again.
    *after*: where it ended when it was looked at last; -1 if it may go on there."""

    directory: AgentDirectory
    handle: int
    thorough: float = 0.0
    after: int = -1


@dataclass(frozen=True, slots=True)
class _Wait:
    """One reader: where it is in its spool, since when it waits, and until when."""

    spool: _Spool
    after: int
    since: float
    until: float


class Reader:
    """Waits for all readers with one timer, which runs only while somebody waits."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[Chunk], _Wait] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._between: dict[AgentId, _Spool] = {}

    async def read(self, directory: AgentDirectory, after: int, patience: float = math.inf) -> Chunk:
        """At most 256 kB after offset *after*; nothing after *patience* seconds without any. Errors:
        `HostError` when the spool is too large, is not there, or will never be written to."""
        now = asyncio.get_running_loop().time()
        with self._opened(directory) as spool:
            wait = _Wait(spool, after, now, now + patience)
            # What was read to its end a moment ago has hardly anything new.
            chunk = None if spool.after == after else self._look(wait, now)
            chunk = chunk or await self._news(wait)
            spool.after = after + len(chunk.data) if len(chunk.data) < CHUNK else -1
        if chunk.end:
            self.forget(directory.agent)
        return chunk

    async def _news(self, wait: _Wait) -> Chunk:
        news: asyncio.Future[Chunk] = asyncio.get_running_loop().create_future()
        self._waiting[news] = wait
        self._sweep_in(self._pause(wait.since))
        try:
            return await news
        finally:
            del self._waiting[news]

    def forget(self, agent: AgentId) -> None:
        """Nobody will read of it any more."""
        if spool := self._between.pop(agent, None):
            os.close(spool.handle)

    @contextmanager
    def _opened(self, directory: AgentDirectory) -> Iterator[_Spool]:
        """It stays open until the agent's next read, for whoever talks is read of many times a second."""
        agent = directory.agent
        spool = self._between.pop(agent, None) or _open(directory)
        try:
            yield spool
        except BaseException:
            os.close(spool.handle)
            raise
        self.forget(agent)  # of two readers
        self._between[agent] = spool

    def _look(self, wait: _Wait, now: float) -> Chunk | None:
        """What there is to read. The end is looked for before the bytes, so that none is missed."""
        end = self._end(wait, now)
        data = os.pread(wait.spool.handle, CHUNK, wait.after)
        if wait.after + len(data) > SPOOL_MOST:
            raise HostError("host.spool_full")
        if len(data) == CHUNK:
            return Chunk(data)
        return Chunk(data, end) if data or end or now >= wait.until else None

    def _end(self, wait: _Wait, now: float) -> Exited | Gone | None:
        spool, directory = wait.spool, wait.spool.directory
        if now < spool.thorough:
            return directory.exited()
        spool.thorough = now + THOROUGH
        directory.errors()
        state = directory.state()
        if state is None and now - wait.since > START_BOUND:
            directory.withdraw()
            state = directory.state() or NotStarted()
        if isinstance(state, NotStarted):
            raise HostError("host.not_started")
        return state if isinstance(state, Exited | Gone) else None

    def _sweep_in(self, seconds: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        try:
            for news, wait in self._waiting.items():
                if not news.done():
                    self._settle(news, wait, now)
        finally:
            if self._waiting:
                self._sweep_in(self._pause(now))

    def _pause(self, now: float) -> float:
        """Seconds until the next sweep: an answer that is quick is seen quickly."""
        newest = max(wait.since for wait in self._waiting.values())
        soon = min(max(SHARE * (now - newest), SOONEST), LATER)
        return max(soon, min(EACH * (len(self._waiting) - 1), LATEST))

    def _settle(self, news: asyncio.Future[Chunk], wait: _Wait, now: float) -> None:
        try:
            chunk = self._look(wait, now)
        except (CoreError, OSError) as fault:
            news.set_exception(fault)
        else:
            if chunk:
                news.set_result(chunk)


def _open(directory: AgentDirectory) -> _Spool:
    try:
        return _Spool(directory, os.open(directory.out, os.O_RDONLY | os.O_CLOEXEC))
    except FileNotFoundError as fault:
        raise HostError("host.not_started") from fault
