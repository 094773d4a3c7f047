"""The host that is this machine."""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import os
import threading
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from core.crash import crash_point
from core.errors import CoreError, DiskFull, HostError
from core.hosts import files, git, inbox, kept, logins, programs, reaper, wrapper
from core.hosts.commands import in_thread
from core.hosts.directory import AgentDirectory, agents_of, directory_of
from core.hosts.port import HostFile, Program, Stopped
from core.hosts.processes import family, free_memory
from core.hosts.programs import Programs
from core.hosts.reader import Reader
from core.hosts.survey import survey
from core.model.ids import AgentId
from core.model.launch import AgentState, Alive, Chunk, Launch, NotStarted
from core.model.login import Door, Login
from core.model.repository import Survey

logger = logging.getLogger(__name__)

GLANCE = 0.01
SWEEP_GRACE = 2.0
CLAIMANT_SECONDS = 2.0
"""How long a wrapper has between taking the claim and saying who it is."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The disk, a user's share of it, or what one file may take is used up."""


class LocalHost:
    """Keeps its agents' directories beneath *data_dir*. *umask* is what agents make files with."""

    def __init__(self, data_dir: Path, *, umask: int = 0o022) -> None:
        self._data_dir = data_dir.resolve()
        self._umask = umask
        self._starting = threading.Lock()
        self._turn_to_start = asyncio.Lock()
        self._wrappers: set[int] = set()
        self._reader = Reader()
        self._programs = Programs()

    async def start(self, agent: AgentId, launch: Launch) -> None:
        """One thread is enough to wait: many would be missing where answers are made ready."""
        self._reap()
        async with self._turn_to_start:
            await asyncio.to_thread(self._start, self.directory(agent), launch)

    async def write(self, agent: AgentId, data: bytes) -> None:
        with _disk():
            await asyncio.to_thread(self.directory(agent).append, data)

    async def told(self, agent: AgentId) -> bytes:
        with _disk():
            return await asyncio.to_thread(self.directory(agent).told)

    async def strays(self, agent: AgentId) -> tuple[str, ...]:
        keeper = self.directory(agent).wrapper()
        tree = await asyncio.to_thread(family, agent, keeper)
        return tuple(one.name for one in tree if keeper and one.session != keeper.pid)

    async def hang_up(self, agent: AgentId) -> None:
        await asyncio.to_thread(wrapper.hang_up, self.directory(agent))

    async def read(self, agent: AgentId, after: int, *, patience: float = math.inf) -> Chunk:
        with _disk():
            chunk = await self._reader.read(self.directory(agent), after, patience)
        if chunk.end:
            self._reap()
        return chunk

    async def inspect(self, agent: AgentId) -> AgentState:
        self._reap()
        directory = self.directory(agent)
        if directory.unclaimed():
            with _disk():
                await asyncio.to_thread(directory.withdraw)
        clock = asyncio.get_running_loop().time
        until = clock() + CLAIMANT_SECONDS
        while clock() < until:
            state = directory.state()
            if state and not (isinstance(state, NotStarted) and await self._lives(agent)):
                return state
            await asyncio.sleep(GLANCE)
        # Whoever took the claim died before it could say who it is, and an agent is started after that;
        # or an agent has done away with the claim. A wrapper that comes late is gone by now.
        return Alive() if await self._lives(agent) else NotStarted()

    async def _lives(self, agent: AgentId) -> bool:
        return bool(await asyncio.to_thread(family, agent, None))

    async def errors(self, agent: AgentId) -> str:
        return self.directory(agent).errors()

    async def cpu_seconds(self, agent: AgentId) -> float:
        tree = await asyncio.to_thread(family, agent, self.directory(agent).wrapper())
        return sum(process.cpu_seconds for process in tree)

    async def stop(self, agent: AgentId, *, grace: float) -> Stopped:
        if isinstance(await self.inspect(agent), NotStarted):
            return Stopped((), ())
        stopped = await reaper.stop(self.directory(agent), grace=grace)
        self._reap()
        return stopped

    async def clean(self, agent: AgentId, *, keep: bool) -> Stopped:
        stopped = await reaper.clean(self.directory(agent), keep=keep)
        self._reap()
        return stopped

    async def discard(self, agent: AgentId) -> None:
        self._reader.forget(agent)
        await asyncio.to_thread(self.directory(agent).discard)

    async def sweep(self, keep: Callable[[], Awaitable[Collection[AgentId]]]) -> None:
        known = await asyncio.to_thread(agents_of, self._data_dir)
        for agent in set(known).difference(await keep()):
            try:
                await self.stop(agent, grace=SWEEP_GRACE)
                await self.discard(agent)
            except (CoreError, OSError) as fault:
                # It keeps nobody waiting: the next start tries again.
                logger.warning("agent %s cannot be seen off: %s", agent, fault)

    async def free_memory(self) -> int:
        return free_memory()

    async def open(self, root: str, ref: str, *, secrets: bool = False, real: str = "") -> HostFile:
        return await asyncio.to_thread(files.find, root, ref, secrets=secrets, real=real)

    async def put(self, root: str, name: str, data: bytes, *, real: str = "") -> str:
        with _disk():
            return await asyncio.to_thread(inbox.put, root, name, data, real=real)

    async def survey(self, root: str, known: str, *, real: str = "") -> Survey | None:
        return await asyncio.to_thread(survey, root, known, real=real)

    async def newest(self, folder: str, pattern: str, *, most: int) -> tuple[HostFile, ...]:
        return await asyncio.to_thread(kept.newest, folder, pattern, most=most)

    async def find(self, words: Sequence[str]) -> tuple[str, ...] | None:
        return programs.find(words)

    async def programs(self, words: Sequence[str]) -> Program | None:
        return await in_thread(self._programs.ask, words)

    async def door(self, login: Login, env: Mapping[str, str]) -> Door:
        return await asyncio.to_thread(logins.door, login, env)

    async def diff(self, root: str, *, real: str = "") -> str:
        return await in_thread(git.diff, root, real=real)

    def directory(self, agent: AgentId) -> AgentDirectory:
        return directory_of(self._data_dir, agent)

    def _start(self, directory: AgentDirectory, launch: Launch) -> None:
        """In a thread that nobody can cancel half-way; one start at a time, so that two for the same
        agent never write into each other's files."""
        with self._starting, _disk():
            if not directory.unclaimed():
                return
            try:
                with self._place(directory, launch) as cwd:
                    program = wrapper.check(launch)
                    directory.make(launch.input)
                    if launch.offers:
                        directory.settle()
                    crash_point("start-fence")
                    if directory.startable():
                        pid = wrapper.spawn(directory, launch, program, cwd=cwd, umask=self._umask)
                        self._wrappers.add(pid)
                        if not launch.offers:  # until it is told more, the disk may take its time beside it
                            directory.settle()
                        wrapper.await_claim(directory, pid)
            except (CoreError, OSError):
                if directory.abandon():
                    raise

    @contextmanager
    def _place(self, directory: AgentDirectory, launch: Launch) -> Iterator[str]:
        if launch.cwd:
            with wrapper.place(launch, forbidden=self._data_dir) as cwd:
                yield cwd
        else:
            yield directory.make_room()

    def _reap(self) -> None:
        """Take leave of wrappers that have ended, so that no zombie stays."""
        for pid in tuple(self._wrappers):
            with suppress(ChildProcessError):
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    continue
            self._wrappers.discard(pid)


@contextmanager
def _disk() -> Iterator[None]:
    """What the operating system says about the disk, in our words."""
    try:
        yield
    except OSError as fault:
        if fault.errno in _FULL:
            raise DiskFull from fault
        raise HostError(why=fault.strerror or type(fault).__name__) from fault
