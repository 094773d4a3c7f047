"""Many readers, one sweep, no descriptor too many."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from core.hosts.directory import AgentDirectory
from core.hosts.local import LocalHost
from core.hosts.reader import CHUNK, Reader
from core.model.launch import Chunk, Exited
from tests.support.agents import hear, hear_until, new_agent, shell


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


async def test_every_reader_gets_its_own(host: LocalHost, project: Path) -> None:
    agents = [new_agent() for _ in range(12)]
    for number, agent in enumerate(agents):
        words = f"read -r go; for i in 1 2 3; do echo {number}; sleep 0.02; done"
        await host.start(agent, shell(words, project, spoken=True))
    hearing = asyncio.gather(*(hear(host, agent) for agent in agents))
    for agent in reversed(agents):
        await host.write(agent, b"go\n")
    assert [heard.said.split() for heard in await hearing] == [
        [str(number).encode()] * 3 for number in range(12)
    ]


async def test_two_readers_of_one_agent(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("sleep 0.05; echo both", project))
    one, other = await asyncio.gather(hear(host, agent), hear(host, agent))
    assert one == other
    assert one.said == b"both\n"


async def test_no_descriptor_stays_open(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("echo one; sleep 60", project))
    before = descriptors()
    await hear_until(host, agent, b"one\n")
    assert descriptors() == before + 1  # for the next read
    waiting = [asyncio.ensure_future(host.read(agent, 4)) for _ in range(20)]
    await asyncio.sleep(0)
    assert descriptors() == before + 20
    for reader in waiting:
        reader.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await host.stop(agent, grace=1)
    assert descriptors() == before


async def test_a_spool_is_let_go_of_at_its_end(host: LocalHost, project: Path) -> None:
    agents = [new_agent() for _ in range(2)]
    before = descriptors()
    await host.start(agents[0], shell("echo one; sleep 0.05", project))
    await hear(host, agents[0])
    assert descriptors() == before
    await host.start(agents[1], shell("echo one; sleep 60", project))
    await hear_until(host, agents[1], b"one\n")
    await host.stop(agents[1], grace=1)
    await host.discard(agents[1])
    assert descriptors() == before


async def test_the_patience_of_a_reader(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("echo one; sleep 60", project))
    await hear_until(host, agent, b"one\n")
    assert await host.read(agent, 4, patience=0.01) == Chunk(b"")
    assert await host.read(agent, 0, patience=0.0) == Chunk(b"one\n")
    await host.stop(agent, grace=1)


class LastMoment(AgentDirectory):
    """Its agent says its last word, and ends, at the very moment when somebody asks whether it has ended."""

    def exited(self) -> Exited:
        self.out.write_bytes(b"last word")
        return Exited(0)


async def test_no_last_word_is_missed(tmp_path: Path) -> None:
    directory = LastMoment(new_agent(), tmp_path / "agent")
    directory.make(b"")
    assert await Reader().read(directory, 0) == Chunk(b"last word", Exited(0))


async def test_a_chunk_has_a_size(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell(f"head -c {CHUNK + 1} /dev/zero", project))
    await hear(host, agent)
    first = await host.read(agent, 0)
    assert (len(first.data), first.end) == (CHUNK, None)
    last = await host.read(agent, CHUNK)
    assert (len(last.data), last.end is None) == (1, False)
