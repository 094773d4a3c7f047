"""One sweep over the spools of all agents that somebody waits for."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.errors import CoreError, HostError
from core.hosts.directory import AgentDirectory, regular
from core.hosts.watch import Watch
from core.model.ids import AgentId
from core.model.launch import Chunk, Exited, Gone, NotStarted

CHUNK = 256 * 1024
SPOOL_MOST = 512 * 1024 * 1024
SOONEST = 0.001
"""Seconds between two looks, at least: what is said byte by byte is not read so."""
EACH = 0.005
"""Seconds that each reader but the first adds to that: what a sweep costs grows with them."""
LATEST = 0.15
"""However many there are. What is read is kept four times a second anyway."""
UNWATCHED = 0.010
"""Seconds between two sweeps where the kernel does not tell what is written."""
THOROUGH = 1.0
"""Seconds between two looks whether the process is still there, and at the size of its stderr."""
START_BOUND = 10.0
"""Seconds that a wrapper has to take its claim, before the start is taken away from it."""


@dataclass(slots=True)
class _Spool:
    """An agent's spool, open for one reader. *thorough*: when its process is to be looked for again.
    *watched*: by what numbers; by none where the kernel does not do it. *looked*: when it was looked at."""

    directory: AgentDirectory
    handle: int
    watched: tuple[int, ...]
    thorough: float = 0.0
    looked: float = 0.0


@dataclass(frozen=True, slots=True)
class _Wait:
    """One reader: where it is in its spool, since when it waits, and until when."""

    spool: _Spool
    after: int
    since: float
    until: float


class Reader:
    """Waits for all readers at once: looks when something was written, and when somebody has waited long
    enough."""

    def __init__(self, watch: Watch | None = None) -> None:
        self._waiting: dict[asyncio.Future[Chunk], _Wait] = {}
        self._watch = watch or Watch()
        self._timer: asyncio.TimerHandle | None = None
        self._swept = 0.0
        self._between: dict[AgentId, _Spool] = {}

    async def read(self, directory: AgentDirectory, after: int, patience: float = math.inf) -> Chunk:
        """At most 256 kB after offset *after*; nothing after *patience* seconds without any. Errors:
        `HostError` when the spool is too large, is not there, or will never be written to."""
        await asyncio.sleep(0)  # who talks without a break lets everybody else have a turn all the same
        now = asyncio.get_running_loop().time()
        with self._opened(directory) as spool:
            wait = _Wait(spool, after, now, now + patience)
            soon = spool.looked + SOONEST
            chunk = self._look(wait, now) if now >= soon else None
            chunk = chunk or await self._news(wait, soon)
        if chunk.end:
            self.forget(directory.agent)
        return chunk

    async def _news(self, wait: _Wait, soon: float) -> Chunk:
        news: asyncio.Future[Chunk] = asyncio.get_running_loop().create_future()
        self._waiting[news] = wait
        self._await()
        if wait.since < soon:  # what is there already may have been told of
            self._sweep_at(soon)
        try:
            return await news
        finally:
            del self._waiting[news]
            if not self._waiting:
                self._rest()

    def forget(self, agent: AgentId) -> None:
        """Nobody will read of it any more."""
        if spool := self._between.pop(agent, None):
            self._close(spool)

    @contextmanager
    def _opened(self, directory: AgentDirectory) -> Iterator[_Spool]:
        """It stays open until the agent's next read, for whoever talks is read of many times a second."""
        agent = directory.agent
        spool = self._between.pop(agent, None) or self._open(directory)
        try:
            yield spool
        except BaseException:
            self._close(spool)
            raise
        self.forget(agent)  # of two readers
        self._between[agent] = spool

    def _look(self, wait: _Wait, now: float) -> Chunk | None:
        """What there is to read. The end is looked for before the bytes, so that none is missed."""
        wait.spool.looked = now
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

    def _await(self) -> None:
        """News, or the time at which somebody is to be looked for without any."""
        now = asyncio.get_running_loop().time()
        self._watch.once(self._sweep_soon)
        self._sweep_at(min(self._due(wait, now) for wait in self._waiting.values()))

    def _due(self, wait: _Wait, now: float) -> float:
        if not wait.spool.watched:
            return now + max(UNWATCHED, self._spread)
        return min(wait.until, max(wait.spool.thorough, now))

    def _rest(self) -> None:
        self._watch.rest()
        self._forget_timer()

    def _forget_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _sweep_soon(self) -> None:
        now = asyncio.get_running_loop().time()
        when = max(self._swept + SOONEST, now + self._spread)
        if when <= now:
            self._forget_timer()
            self._sweep()
        else:
            self._sweep_at(when)

    def _sweep_at(self, when: float) -> None:
        if self._timer and self._timer.when() > when:
            self._forget_timer()
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(when, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        self._swept = now = asyncio.get_running_loop().time()
        self._watch.heard()
        for news, wait in self._waiting.items():
            if not news.done():
                self._settle(news, wait, now)
        if not all(news.done() for news in self._waiting):
            self._await()

    @property
    def _spread(self) -> float:
        return min(EACH * (len(self._waiting) - 1), LATEST)

    def _settle(self, news: asyncio.Future[Chunk], wait: _Wait, now: float) -> None:
        try:
            chunk = self._look(wait, now)
        except (CoreError, OSError) as fault:
            news.set_exception(fault)
        else:
            if chunk:
                news.set_result(chunk)

    def _open(self, directory: AgentDirectory) -> _Spool:
        try:
            handle = regular(directory.out, os.O_RDONLY)
        except FileNotFoundError as fault:
            raise HostError("host.not_started") from fault
        return _Spool(directory, handle, self._watch.add(directory.path, directory.out))

    def _close(self, spool: _Spool) -> None:
        os.close(spool.handle)
        self._watch.remove(spool.watched)
