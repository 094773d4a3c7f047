"""Many readers, one sweep, no descriptor too many."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from core.hosts.directory import AgentDirectory
from core.hosts.local import LocalHost
from core.hosts.reader import CHUNK, Reader
from core.hosts.watch import Watch
from core.model.launch import Chunk, Exited, Launch
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
    assert descriptors() == before + 2  # its spool, for the next read, and the watch of all
    waiting = [asyncio.ensure_future(host.read(agent, 4)) for _ in range(20)]
    for _ in range(3):
        await asyncio.sleep(0)
    assert descriptors() == before + 21
    for reader in waiting:
        reader.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await host.stop(agent, grace=1)
    assert descriptors() == before + 1


async def test_a_spool_is_let_go_of_at_its_end(host: LocalHost, project: Path) -> None:
    agents = [new_agent() for _ in range(2)]
    await host.start(agents[0], shell("echo one; sleep 0.05", project))
    await hear(host, agents[0])
    before = descriptors()
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


class Unwatched(Watch):
    """A kernel that has no more watches to give."""

    def add(self, directory: Path, spool: Path) -> tuple[int, ...]:
        return ()


class Counted(AgentDirectory):
    """Counts how often it is looked at."""

    looks = 0

    def exited(self) -> Exited | None:
        Counted.looks += 1
        return super().exited()


@pytest.mark.parametrize(("watch", "fewest", "most"), [(Watch(), 1, 4), (Unwatched(), 10, 60)])
async def test_what_is_written_is_told_by_the_kernel_or_looked_for(
    host: LocalHost, project: Path, watch: Watch, fewest: int, most: int
) -> None:
    agent = new_agent()
    await host.start(agent, shell("sleep 0.3; echo late; sleep 60", project))
    directory, Counted.looks = Counted(agent, host.directory(agent).path), 0
    reader = Reader(watch)
    assert await reader.read(directory, 0) == Chunk(b"late\n")
    assert fewest <= Counted.looks <= most
    reader.forget(agent)
    await host.stop(agent, grace=1)


async def test_who_talks_without_a_break_holds_up_nobody(host: LocalHost, project: Path) -> None:
    """A byte at a time, as quickly as it can: everybody else has a turn between two chunks."""
    agent, turns = new_agent(), 0
    bytewise = "import os\nfor _ in range(200_000): os.write(1, b'x')"
    await host.start(agent, Launch((sys.executable, "-c", bytewise), str(project), {}))

    async def somebody_else() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other, after, before, held_up = asyncio.create_task(somebody_else()), 0, -1, 0
    while True:
        chunk = await host.read(agent, after)
        after, held_up, before = after + len(chunk.data), held_up + (turns == before), turns
        if chunk.end:
            break
    other.cancel()
    assert (after, held_up) == (200_000, 0)


async def test_a_chunk_has_a_size(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell(f"head -c {CHUNK + 1} /dev/zero", project))
    await hear(host, agent)
    first = await host.read(agent, 0)
    assert (len(first.data), first.end) == (CHUNK, None)
    last = await host.read(agent, CHUNK)
    assert (len(last.data), last.end is None) == (1, False)
