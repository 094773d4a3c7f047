"""The one way to a project's directory and to an agent program, wherever they are."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.model.ids import AgentId
from core.model.launch import AgentState, Chunk, Launch
from core.model.login import Door, Login
from core.model.repository import Survey


@dataclass(frozen=True, slots=True)
class Program:
    """An agent program found on a host: the words to start it with, and what `--version` said."""

    argv: tuple[str, ...]
    version: str


@dataclass(frozen=True, slots=True)
class HostFile:
    """A regular file as it was when it was opened. *name* is its last path component, *path* how it is called
    from its project's folder, all links resolved; *changed*: when, seconds since the epoch."""

    name: str
    data: bytes
    path: str = ""
    changed: float = 0.0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The programs that were still running beside the agent, and those that survived everything."""

    ended: tuple[str, ...]
    survivors: tuple[str, ...]


class Host(Protocol):
    """Arguments and results are plain values, so that the host may be another machine.

    Nobody outside it opens a path of a project; where *root* does not lead to *real* any more, as it did
    when the project was chosen, neither does it. Errors: `HostError` and its kinds, `FileRefused`.
    """

    async def start(self, agent: AgentId, launch: Launch) -> None:
        """Start the agent once: durable before it returns, and a second call changes nothing.

        Errors: `EngineMissing`, `ProjectGone`, `DiskFull`; after any of them nothing was started
        and nothing will be.
        """

    async def write(self, agent: AgentId, data: bytes) -> None:
        """Append *data* to what a spoken agent is told."""

    async def told(self, agent: AgentId) -> bytes:
        """Everything that the agent was told so far, its first input included; perhaps with the first part
        of a word whose writing failed."""

    async def strays(self, agent: AgentId) -> tuple[str, ...]:
        """The programs that a living agent has started in sessions of their own, as it does with tools."""

    async def hang_up(self, agent: AgentId) -> None:
        """Let a spoken agent read the end of its input; what was written in the last moment may be lost."""

    async def read(self, agent: AgentId, after: int, *, patience: float = math.inf) -> Chunk:
        """Wait for bytes of the spool after offset *after*, or for the agent's end; a chunk of nothing
        tells that there was neither for *patience* seconds."""

    async def inspect(self, agent: AgentId) -> AgentState:
        """What became of an agent; taking its start away from it if it never started."""

    async def errors(self, agent: AgentId) -> str:
        """The last part of what the agent wrote to stderr, at most 64 kB."""

    async def cpu_seconds(self, agent: AgentId) -> float:
        """Processor time that the agent and all it started have used so far; moves while they work."""

    async def stop(self, agent: AgentId, *, grace: float) -> Stopped:
        """End the whole tree: SIGTERM, after *grace* seconds SIGKILL. Returns when it is gone."""

    async def clean(self, agent: AgentId, *, keep: bool) -> Stopped:
        """After the agent's end: find what it left running, and end it unless *keep*."""

    async def discard(self, agent: AgentId) -> None:
        """Delete the agent's directory; its spool is no longer needed."""

    async def sweep(self, keep: Callable[[], Awaitable[Collection[AgentId]]]) -> None:
        """After a restart: see every agent off, with its directory, but those that *keep* names; it is asked
        once it is known who is there, so that whoever begins meanwhile is none of them."""

    async def free_memory(self) -> int:
        """Bytes that a program could get now."""

    async def open(self, root: str, ref: str, *, secrets: bool = False, real: str = "") -> HostFile:
        """The file that an answer names by *ref* (relative, absolute, `file:` URL, percent-escaped),
        if it lies beneath *root*, is regular, and looks like no secret, unless *secrets* are asked for.
        Errors: `FileRefused`, `ProjectMoved`."""

    async def put(self, root: str, name: str, data: bytes, *, real: str = "") -> str:
        """Keep *data* in the project's inbox folder; the absolute path that an agent reads it by.
        Errors: `ProjectGone`, `ProjectMoved`, `FileRefused`."""

    async def survey(self, root: str, known: str, *, real: str = "") -> Survey | None:
        """The files in the project that agent programs and git look for, unasked; None where they are as
        they were when *known* was their mark. No file leads out of *root*, holds anything up, or is large."""

    async def newest(self, folder: str, pattern: str, *, most: int) -> tuple[HostFile, ...]:
        """The newest *most* files of *folder* whose names match *pattern* (`*`, `?`, `[…]`), newest first:
        what an agent program keeps for itself. Of a long one there are its ends, in whole lines. None are
        there where there is no such folder."""

    async def find(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """*words* with the program's place in front, if it is there and can be executed; runs nothing."""

    async def programs(self, words: Sequence[str]) -> Program | None:
        """`find`, and what the program says of its version; None too if it doesn't say so in time."""

    async def door(self, login: Login, env: Mapping[str, str]) -> Door:
        """Whether a program with this environment is let in by its makers; nobody is asked."""

    async def diff(self, root: str, *, real: str = "") -> str:
        """What changed in the project since its last commit, as a unified diff; of files that look like
        secrets their names alone. Errors: `NoGit`, `NoRepository`, `ProjectGone`, `ProjectMoved`,
        `DiffUnreadable`, `TimeoutError` where it takes too long."""
