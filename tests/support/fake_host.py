"""A host without processes: what it was asked to start is remembered, its files are a mapping."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from core.errors import CoreError, FileRefused, NoRepository, ProjectMoved
from core.hosts.names import secret
from core.hosts.port import HostFile, Program, Stopped
from core.model.ids import AgentId
from core.model.launch import AgentState, Chunk, Exited, Launch, NotStarted
from core.model.login import Door, Login
from core.model.repository import Survey


@dataclass
class FakeHost:
    """*files* by absolute path or as they are asked for, *changed* when. *missing*: no program is installed
    here, *locked*: none is logged in. *diff_of* is what changed in every project,
    which takes until it is *seen*. *leads_to*: where every project's folder leads by now, if elsewhere."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    missing: bool = False
    locked: bool = False
    changed: Mapping[str, float] = field(default_factory=dict)
    started: dict[AgentId, Launch] = field(default_factory=dict)
    diff_of: str | CoreError = field(default_factory=NoRepository)
    seen: asyncio.Event | None = None
    leads_to: str = ""

    async def start(self, agent: AgentId, launch: Launch) -> None:
        self.started.setdefault(agent, launch)

    async def write(self, agent: AgentId, data: bytes) -> None:
        raise AssertionError("no agent here is spoken to")

    async def told(self, agent: AgentId) -> bytes:
        return self.started[agent].input

    async def strays(self, agent: AgentId) -> tuple[str, ...]:
        return ()

    async def hang_up(self, agent: AgentId) -> None:
        raise AssertionError("no agent here is spoken to")

    async def read(self, agent: AgentId, after: int, *, patience: float = math.inf) -> Chunk:
        return Chunk(b"", Exited(0))

    async def inspect(self, agent: AgentId) -> AgentState:
        return Exited(0) if agent in self.started else NotStarted()

    async def errors(self, agent: AgentId) -> str:
        return ""

    async def cpu_seconds(self, agent: AgentId) -> float:
        return 0.0

    async def stop(self, agent: AgentId, *, grace: float) -> Stopped:
        return Stopped((), ())

    async def clean(self, agent: AgentId, *, keep: bool) -> Stopped:
        return Stopped((), ())

    async def discard(self, agent: AgentId) -> None:
        self.started.pop(agent, None)

    async def sweep(self, keep: Callable[[], Awaitable[Collection[AgentId]]]) -> None:
        for agent in set(self.started).difference(await keep()):
            self.started.pop(agent, None)

    async def free_memory(self) -> int:
        return 1 << 40

    async def open(self, root: str, ref: str, *, secrets: bool = False, real: str = "") -> HostFile:
        self._stay(root, real)
        found = self.files.get(f"{root}/{ref}", self.files.get(ref))
        if found is None:
            raise FileRefused
        if secret(ref) and not secrets:
            raise FileRefused("file.secret", name=ref)
        path = ref.removeprefix(f"{root}/")
        return HostFile(PurePosixPath(ref).name, found, path, self.changed.get(path, 0.0))

    async def put(self, root: str, name: str, data: bytes, *, real: str = "") -> str:
        return f"{root}/inbox/{name}"

    async def survey(self, root: str, known: str, *, real: str = "") -> Survey | None:
        return None

    async def newest(self, folder: str, pattern: str, *, most: int) -> tuple[HostFile, ...]:
        names = [path for path in self.files if fnmatchcase(path, f"{folder}/{pattern}")]
        return tuple(HostFile(PurePosixPath(path).name, self.files[path]) for path in names[:most])

    async def find(self, words: Sequence[str]) -> tuple[str, ...] | None:
        return None if self.missing else (f"/bin/{words[0]}", *words[1:])

    async def programs(self, words: Sequence[str]) -> Program | None:
        found = await self.find(words)
        return Program(found, "1.0") if found else None

    async def door(self, login: Login, env: Mapping[str, str]) -> Door:
        return Door.SHUT if self.locked else Door.OPEN

    async def diff(self, root: str, *, real: str = "") -> str:
        self._stay(root, real)
        if self.seen:
            await self.seen.wait()
        if isinstance(self.diff_of, CoreError):
            raise self.diff_of
        return self.diff_of

    def _stay(self, root: str, real: str) -> None:
        if real and self.leads_to and self.leads_to != real:
            raise ProjectMoved(path=root, real=self.leads_to)
