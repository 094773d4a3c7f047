"""The few words of `sh`: whoever comes second, or late, starts nothing."""

from __future__ import annotations

import os
from pathlib import Path
from signal import SIG_DFL, SIGHUP, SIGINT, SIGTERM, Signals, signal

import pytest

from core.hosts.directory import AgentDirectory
from core.hosts.wrapper import check, spawn
from core.model.launch import Exited, Launch, NotStarted
from tests.support.agents import eventually, new_agent, shell


@pytest.fixture
def directory(tmp_path: Path) -> AgentDirectory:
    agent = new_agent()
    made = AgentDirectory(agent, tmp_path / "data/agents" / agent)
    made.make(b"")
    return made


def wrap(directory: AgentDirectory, launch: Launch) -> int:
    return spawn(directory, launch, check(launch), cwd=launch.cwd, umask=0o022)


def ended(*wrappers: int) -> list[int]:
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in wrappers]


def test_of_many_wrappers_one_starts_the_agent(directory: AgentDirectory, project: Path) -> None:
    launch = shell("echo x >>log", project)
    codes = ended(*[wrap(directory, launch) for _ in range(8)])
    assert sorted(codes) == [0] + [1] * 7
    assert (project / "log").read_text() == "x\n"
    assert directory.state() == Exited(0)


def test_a_wrapper_that_comes_late_starts_nothing(directory: AgentDirectory, project: Path) -> None:
    directory.withdraw()
    assert ended(wrap(directory, shell("echo x >>log", project))) == [1]
    assert directory.state() == NotStarted()
    assert not (project / "log").exists()


def test_a_wrapper_without_its_directory_starts_nothing(directory: AgentDirectory, project: Path) -> None:
    launch = shell("echo x >>log", project, spoken=True)
    directory.discard()
    assert ended(wrap(directory, launch)) == [1]
    assert not (project / "log").exists()


@pytest.mark.parametrize("number", [SIGTERM, SIGINT, SIGHUP])
async def test_a_signal_for_all_ends_the_agent_and_not_its_wrapper(
    directory: AgentDirectory, project: Path, number: Signals
) -> None:
    words = f"trap 'exit 9' {number}; echo ready; while :; do sleep 0.05; done"
    before = signal(number, SIG_DFL)  # what we ignore, as under nohup, no shell can trap
    wrapper = wrap(directory, shell(words, project))
    signal(number, before)
    await eventually(lambda: directory.out.read_bytes() == b"ready\n")
    os.killpg(wrapper, number)
    assert ended(wrapper) == [0]
    assert directory.state() == Exited(9)
