"""Agents of a few words of `sh`, and what is read of them to their end."""

from __future__ import annotations

import asyncio
import itertools
import os
import uuid
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

from core.hosts.port import Host
from core.hosts.processes import family, send
from core.model.ids import AgentId
from core.model.launch import Exited, Gone, Launch

PATH = os.environ.get("PATH", os.defpath)


@dataclass(frozen=True, slots=True)
class Heard:
    """All that an agent said, and how it ended."""

    said: bytes
    end: Exited | Gone


def new_agent() -> AgentId:
    return AgentId(str(uuid.uuid4()))


def shell(script: str, cwd: Path, *, told: bytes = b"", spoken: bool = False, **env: str) -> Launch:
    return Launch(("sh", "-c", script), str(cwd), {"PATH": PATH, **env}, told, spoken)


def only(*agents: AgentId) -> Callable[[], Awaitable[Collection[AgentId]]]:
    """What a sweep is to keep."""

    async def named() -> Collection[AgentId]:
        return agents

    return named


async def hear(host: Host, agent: AgentId) -> Heard:
    """Read the agent from its first byte to its end."""
    said = b""
    while True:
        chunk = await host.read(agent, len(said))
        said += chunk.data
        if chunk.end:
            return Heard(said, chunk.end)


async def hear_until(host: Host, agent: AgentId, word: bytes) -> bytes:
    """Read on until the agent has said *word*."""
    said = b""
    while word not in said:
        chunk = await host.read(agent, len(said))
        said += chunk.data
        assert chunk.end is None or word in said, said
    return said


async def eventually(true: Callable[[], bool], seconds: float = 5) -> None:
    """Other processes need real time: wait for what they do, and not for the clock."""
    async with asyncio.timeout(seconds):
        for pause in itertools.repeat(0.005):
            if true():
                return
            await asyncio.sleep(pause)


def runs(pid: int) -> bool:
    """Whether that process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def end_agents(home: Path) -> None:
    """Kill every agent whose data directory is *home* or lies up to three folders beneath; what a test wrote
    into its files is not believed."""
    for depth in range(4):
        for agent in home.glob("/".join((*["*"] * depth, "agents", "*", "claim"))):
            for process in family(agent.parent.name, None):
                send(process.identity, SIGKILL)
