"""Case 56: the agent has ended, and a program that it started holds its stdout open."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from core.hosts.local import LocalHost
from core.model.launch import Exited
from tests.support.agents import hear, new_agent, runs, shell


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize("start", ["sleep 600 &", "setsid sleep 600 &"])
async def test_the_end_of_the_agent_is_the_end(tmp_path: Path, start: str, spoken: bool) -> None:
    host, agent = LocalHost(tmp_path.parent / f"{tmp_path.name}-data"), new_agent()
    async with asyncio.timeout(5):
        await host.start(agent, shell(f"{start} echo $!", tmp_path, spoken=spoken))
        heard = await hear(host, agent)
    child = int(heard.said)
    assert heard.end == Exited(0)
    assert runs(child)
    assert (await host.clean(agent, keep=True)).survivors == ("sleep",)
    assert runs(child)
    assert (await host.clean(agent, keep=False)).ended == ("sleep",)
    assert not runs(child)


async def test_fifty_such_turns_leave_no_descriptor_and_no_process(tmp_path: Path) -> None:
    host = LocalHost(tmp_path.parent / f"{tmp_path.name}-data")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        agent = new_agent()
        await host.start(agent, shell("sleep 600 & echo $!", tmp_path))
        heard = await hear(host, agent)
        await host.stop(agent, grace=1)
        await host.discard(agent)
        assert not runs(int(heard.said))
    watch = 1  # by which the kernel tells what an agent says; all have the same, for good
    assert len(os.listdir("/proc/self/fd")) <= before + watch
    assert list((tmp_path.parent / f"{tmp_path.name}-data" / "agents").iterdir()) == []
