"""An agent is started once or never, whenever Roost is killed; and what is said of it stays true."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from core.hosts.local import LocalHost
from core.model.launch import Exited, NotStarted
from tests.support.agents import hear, new_agent, shell

ROOT = Path(__file__).parents[3]
STARTER = (sys.executable, "-m", "tests.support.killed_starts")


@pytest.mark.parametrize("seed", range(3))
async def test_killed_at_any_moment(tmp_path: Path, project: Path, seed: int) -> None:
    chance = random.Random(seed)
    agents = [new_agent() for _ in range(120)]
    said: dict[str, object] = {}
    starter = await asyncio.create_subprocess_exec(
        *STARTER, str(tmp_path / "data"), str(project), cwd=ROOT, stdin=-1, stdout=-1
    )
    assert starter.stdin
    assert starter.stdout
    for agent in agents:
        starter.stdin.write(f"{agent} {chance.randrange(12_000)}\n".encode())
        assert await starter.stdout.readline() == b"dead\n"
        host = LocalHost(tmp_path / "data")
        if chance.random() < 0.5:
            await host.start(agent, shell(f"echo {agent} >>log", project))
        state = await host.inspect(agent)
        said[agent] = state if isinstance(state, NotStarted) else (await hear(host, agent)).end
    starter.stdin.close()
    await starter.wait()

    lines = Counter((project / "log").read_text().split())
    assert {agent: lines[agent] for agent in agents} == {
        agent: int(said[agent] == Exited(0)) for agent in agents
    }
    assert set(map(type, said.values())) == {NotStarted, Exited}


async def test_killed_at_the_fence_nothing_runs(tmp_path: Path, project: Path) -> None:
    agent = new_agent()
    starter = subprocess.run(
        (*STARTER, str(tmp_path / "data"), str(project)),
        input=f"{agent} 500000\n".encode(),
        cwd=ROOT,
        env={**os.environ, "ROOST_CRASH_AT": "start-fence"},
        check=True,
    )
    assert starter.returncode == 0
    made = (tmp_path / "data/agents" / agent).iterdir()
    assert sorted(path.name for path in made) == ["boot", "inp", "out"]
    host = LocalHost(tmp_path / "data")
    await host.start(agent, shell(f"echo {agent} >>log", project))
    assert (await hear(host, agent)).end == Exited(0)
    assert (project / "log").read_text() == f"{agent}\n"
