"""Nothing that an agent started survives its end, however it hides, and nothing else is touched."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.hosts.local import LocalHost
from core.hosts.processes import family
from core.model.launch import Exited
from tests.support.agents import eventually, hear, hear_until, new_agent, runs, shell

TOOLS = {
    "a child": "sleep 61 & echo $!",
    "a session of its own": "setsid sh -c 'echo $$; exec sleep 61' &",
    "no environment": "env -i setsid sh -c 'echo $$; exec sleep 61' &",
    "an orphan": "(setsid sh -c 'echo $$; exec sleep 61' &)",
    "deaf to SIGTERM": "sh -c 'trap \"\" TERM; echo $$; sleep 61; sleep 61' &",
    "a grandchild of a shell that goes": "sh -c 'sh -c \"echo \\$\\$; exec sleep 61\" & sleep 0.05' &",
}
UNTIL_IT_RUNS = "until [ -s pid ]; do sleep 0.01; done"


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS.keys())
async def test_no_tool_survives_a_stop(host: LocalHost, project: Path, tool: str) -> None:
    agent = new_agent()
    await host.start(agent, shell(f"{tool}\nsleep 60", project))
    pid = int(await hear_until(host, agent, b"\n"))
    stopped = await host.stop(agent, grace=0.3)
    assert not runs(pid)
    assert set(stopped.ended) & {"sh", "sleep"}, "it may not have become what it is to run"
    assert stopped.survivors == ()
    assert isinstance(await host.inspect(agent), Exited)


@pytest.mark.parametrize("tool", ["a session of its own", "an orphan", "deaf to SIGTERM"])
async def test_no_tool_survives_its_agents_end(host: LocalHost, project: Path, tool: str) -> None:
    agent = new_agent()
    await host.start(agent, shell(f"{{ {TOOLS[tool]}\n}} >pid\n{UNTIL_IT_RUNS}", project))
    await hear(host, agent)
    stopped = await host.clean(agent, keep=False)
    assert stopped.ended
    assert not runs(int((project / "pid").read_text()))


async def test_what_is_started_at_the_last_moment_is_found(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    late = "trap 'setsid sleep 62 & echo $! >late; exit' TERM; echo ready; sleep 60 & wait"
    await host.start(agent, shell(late, project))
    await hear_until(host, agent, b"ready\n")
    await host.stop(agent, grace=1)
    assert not runs(int((project / "late").read_text()))


async def test_another_agent_is_left_alone(host: LocalHost, project: Path) -> None:
    one, other = new_agent(), new_agent()
    for agent in (one, other):
        await host.start(agent, shell("sleep 60 & echo $!; wait", project))
    pid = int(await hear_until(host, other, b"\n"))
    await host.stop(one, grace=1)
    assert runs(pid)
    await host.stop(other, grace=1)
    assert not runs(pid)


async def test_a_tool_that_ends_by_itself_is_no_left_over(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("sleep 0.05 &", project))
    await hear(host, agent)
    assert (await host.clean(agent, keep=False)).ended == ()


async def test_an_agent_that_hits_its_own_group_still_has_its_end_written(
    host: LocalHost, project: Path
) -> None:
    """`trap 'kill 0' EXIT` stands in many scripts."""
    agent = new_agent()
    await host.start(agent, shell("trap 'exit 5' TERM; kill 0; sleep 1", project, spoken=True))
    assert (await hear(host, agent)).end == Exited(5)


async def test_the_feeder_ends_with_its_agent(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("pgrep -P $PPID tail", project, spoken=True))
    feeder = int((await hear(host, agent)).said)
    await eventually(lambda: not runs(feeder))


CHAIN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open("link", "w").write("x")
while os.path.exists("link"):
    if os.fork():
        os._exit(0)
    time.sleep(0.004)
"""


async def test_a_chain_that_runs_away_is_ended(host: LocalHost, project: Path) -> None:
    """Each link starts the next one and is gone before anybody can signal it: its group ends at one blow."""
    agent = new_agent()
    (project / "chain.py").write_text(CHAIN)
    await host.start(agent, shell(f"{sys.executable} chain.py & sleep 60", project))
    await eventually(lambda: (project / "link").exists())
    await host.stop(agent, grace=0.1)
    assert not family(agent, None)
