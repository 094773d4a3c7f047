"""Whatever an agent puts into its directory, everybody else is served, and it can be ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from core.errors import HostError
from core.hosts.local import LocalHost
from core.hosts.wrapper import await_claim
from core.model.ids import AgentId
from core.model.launch import Gone, NotStarted
from tests.support.agents import Heard, eventually, hear, hear_until, new_agent, runs, shell

pytestmark = pytest.mark.timeout(20)

SOON = 10.0
"""Seconds in which a look at an agent comes back."""
ENDLESS = ["rm -f {0}; mkfifo {0}", "ln -sfn /dev/zero {0}", "rm -f {0}; mkdir {0}"]
"""What blocks whoever opens it, has no end, is no file."""


async def scribbles(host: LocalHost, project: Path, words: str) -> tuple[AgentId, int]:
    """An agent that has done that in its directory and goes on, and its process."""
    agent, done = new_agent(), project / "done"
    place = host.directory(agent).path
    await host.start(
        agent, shell(f"echo $$; (cd {place}; {words}) 2>/dev/null; touch {done}; exec sleep 60", project)
    )
    process = int(await hear_until(host, agent, b"\n"))
    await eventually(done.exists)
    return agent, process


async def bounded(asked: Awaitable[object]) -> object:
    """What comes of it, an error of the host's included. A service that waits for ever hears nobody."""
    async with asyncio.timeout(SOON):
        try:
            return await asked
        except HostError as error:
            return error


@pytest.mark.parametrize("words", ENDLESS)
@pytest.mark.parametrize("name", ["out", "err", "inp", "claim", "exit", "boot"])
async def test_an_agent_whose_files_are_none_is_ended(
    host: LocalHost, project: Path, tmp_path: Path, name: str, words: str
) -> None:
    """Also by a service that was started afterwards."""
    agent, process = await scribbles(host, project, words.format(name))
    later = LocalHost(tmp_path / "data")
    looks: list[Callable[[], Awaitable[object]]] = [
        lambda: later.inspect(agent),
        lambda: later.read(agent, 0, patience=0.1),
        lambda: host.read(agent, 20, patience=0.1),
        lambda: later.errors(agent),
        lambda: later.write(agent, b"more\n"),
        lambda: later.told(agent),
    ]
    for look in looks:
        await bounded(look())
    await bounded(later.stop(agent, grace=1))
    assert not runs(process)
    await bounded(later.discard(agent))
    assert not os.path.lexists(later.directory(agent).path)


TAKEN_AWAY = {
    "gone": "rm -r {0}",
    "moved": "mv {0} {0}.moved",
    "emptied": "rm -r {0}; mkdir {0}",
    "a link": "mv {0} {0}.moved; ln -s {0}.moved {0}",
    "a file": "rm -r {0}; touch {0}",
}


@pytest.mark.parametrize("how", TAKEN_AWAY)
async def test_an_agent_that_took_its_directory_away_is_found_alive_and_ended(
    host: LocalHost, project: Path, tmp_path: Path, how: str
) -> None:
    """Else another would be started beside it."""
    agent = new_agent()
    place, pid = host.directory(agent).path, project / "pid"
    words = f"cd /; {TAKEN_AWAY[how].format(place)}; echo $$ >{pid}; exec sleep 60"
    await host.start(agent, shell(words, project))
    await eventually(lambda: pid.exists() and pid.read_text().endswith("\n"))
    later = LocalHost(tmp_path / "data")
    assert not isinstance(await bounded(later.inspect(agent)), NotStarted)
    await bounded(later.stop(agent, grace=1))
    assert not runs(int(pid.read_text()))
    if how != "a file":  # which is somebody's, for all we know
        await later.discard(agent)
        assert not os.path.lexists(place)


async def test_an_agent_that_took_its_directory_away_before_anybody_looked_has_started(
    host: LocalHost, tmp_path: Path
) -> None:
    directory = host.directory(new_agent())
    directory.make(b"")
    directory.path.rename(tmp_path / "elsewhere")
    await bounded(asyncio.to_thread(await_claim, directory, os.getpid()))


@pytest.mark.parametrize("words", ["mkdir exit", "ln -s exit exit"])
async def test_a_keeper_that_cannot_write_how_its_agent_ended_goes(
    host: LocalHost, project: Path, words: str
) -> None:
    agent = new_agent()
    await host.start(agent, shell(f"cd {host.directory(agent).path}; {words}; echo done", project))
    async with asyncio.timeout(SOON):
        assert await hear(host, agent) == Heard(b"done\n", Gone())
