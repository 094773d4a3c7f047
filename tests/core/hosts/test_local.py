"""This machine as a host: what only it can promise."""

from __future__ import annotations

import asyncio
import os
import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import DiskFull, EngineMissing, HostError, ProjectGone, ProjectMoved
from core.hosts.local import LocalHost
from core.hosts.port import Host
from core.model.ids import AgentId
from core.model.launch import Alive, Exited, Gone, Launch, NotStarted
from tests.core.hosts.conformance import HostConformance
from tests.core.hosts.conftest import FullDisk
from tests.support.agents import PATH, eventually, hear, hear_until, new_agent, only, runs, shell


class TestLocalHost(HostConformance):
    pass


def directory(host: LocalHost, agent: AgentId) -> Path:
    return host.directory(agent).path


def rebooted(place: Path) -> None:
    """As if it had been made before the machine was started again."""
    (place / "boot").unlink()
    (place / "boot").symlink_to("an earlier life")


def host_data(host: LocalHost) -> Path:
    return host.directory(new_agent()).path.parents[1]


async def told(host: Host, launch: Launch) -> str:
    agent = new_agent()
    await host.start(agent, launch)
    return (await hear(host, agent)).said.decode()


async def test_nobody_else_may_look_into_an_agents_directory(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("true", project))
    await hear(host, agent)
    place = directory(host, agent)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    files = [path for path in place.iterdir() if not path.is_symlink()]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert {path.name for path in place.iterdir()} == {"inp", "out", "err", "boot", "claim", "exit"}


async def test_an_agent_makes_files_as_its_user_does(tmp_path: Path, project: Path) -> None:
    before = os.umask(0o077)
    try:
        assert await told(LocalHost(tmp_path / "data", umask=0o027), shell("umask", project)) == "0027\n"
    finally:
        os.umask(before)


async def test_an_agent_holds_its_three_descriptors_only(host: LocalHost, project: Path) -> None:
    kept, given = os.pipe()
    os.set_inheritable(given, True)
    try:
        said = await told(host, shell("cd /proc/self/fd && echo *; readlink 0", project))
    finally:
        os.close(kept)
        os.close(given)
    shown, inp = said.splitlines()
    assert set(shown.split()) <= {"0", "1", "2", "3"}  # 3 is the directory that is listed
    assert Path(inp).name == "inp"


@pytest.mark.parametrize("words", [">&0", ">/proc/self/fd/0", ">/proc/$PPID/fd/0"])
async def test_an_agent_cannot_speak_to_itself(host: LocalHost, project: Path, words: str) -> None:
    agent = new_agent()
    forge = f"(echo forged {words}) 2>/dev/null; echo ready; read -r line; echo $line"
    await host.start(agent, shell(forge, project, spoken=True))
    await hear_until(host, agent, b"ready\n")
    await host.write(agent, b"true\n")
    assert (await hear(host, agent)).said == b"ready\ntrue\n"


async def test_the_kernel_ends_an_agent_before_its_keeper(host: LocalHost, project: Path) -> None:
    before = Path("/proc/self/oom_score_adj").read_text()
    said = await told(host, shell("cat /proc/self/oom_score_adj /proc/$PPID/oom_score_adj", project))
    assert said.split() == ["500", before.strip()]


async def test_what_an_agent_is_told_is_in_no_process_list(host: LocalHost, project: Path) -> None:
    said = await told(host, shell("tr '\\0' ' ' </proc/$PPID/cmdline; cat", project, told=b"TOP", KEY="SEC"))
    assert said.count("TOP") == 1
    assert "SEC" not in said


async def test_a_program_that_may_not_be_executed_is_named(host: LocalHost, project: Path) -> None:
    (project / "agent").write_text("#!/bin/sh\n")
    with pytest.raises(EngineMissing):
        await host.start(new_agent(), Launch(("./agent",), str(project), {"PATH": PATH}))
    (project / "agent").chmod(0o700)
    assert await told(host, Launch(("./agent",), str(project), {"PATH": PATH})) == ""


async def test_a_program_without_its_interpreter_says_so_on_stderr(host: LocalHost, project: Path) -> None:
    (project / "agent").write_text("#!/no/such/interpreter\n")
    (project / "agent").chmod(0o700)
    agent = new_agent()
    await host.start(agent, Launch(("./agent",), str(project), {"PATH": PATH}))
    assert (await hear(host, agent)).end == Exited(127)
    assert "not found" in await host.errors(agent)


@pytest.mark.parametrize("word", ["x" * 200_000, "a\0b"])
async def test_words_that_no_program_can_be_given(host: LocalHost, project: Path, word: str) -> None:
    agent = new_agent()
    with pytest.raises(HostError):
        await host.start(agent, Launch(("echo", word), str(project), {"PATH": PATH}))
    assert not directory(host, agent).exists()


async def test_many_starts_leave_room_for_all_else_that_is_done_in_threads(
    host: LocalHost, project: Path
) -> None:
    """Answers are made ready there: theirs would wait until the last has started."""
    agents = [new_agent() for _ in range(50)]
    starting = [asyncio.create_task(host.start(agent, shell("true", project))) for agent in agents]
    await asyncio.sleep(0)
    await asyncio.to_thread(os.getpid)
    assert sum(task.done() for task in starting) < len(agents) / 2
    await asyncio.gather(*starting)


async def test_a_start_and_a_recovery_at_once_agree(tmp_path: Path, host: LocalHost, project: Path) -> None:
    for _ in range(40):
        agent = new_agent()
        recovery = LocalHost(tmp_path / "data")
        launch = shell(f"echo {agent} >>log", project)
        _, state = await asyncio.gather(host.start(agent, launch), recovery.inspect(agent))
        if not isinstance(state, NotStarted):
            await hear(host, agent)
        log = (project / "log").read_text() if (project / "log").exists() else ""
        assert (agent in log) != (state == NotStarted())


async def test_nothing_stays_of_a_start_that_was_refused(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    project.rmdir()
    with pytest.raises(ProjectGone):
        await host.start(agent, shell("true", project))
    assert not directory(host, agent).exists()


async def test_a_full_disk_leaves_nothing_half_made(
    host: LocalHost, project: Path, full_disk: FullDisk
) -> None:
    agent = new_agent()
    with full_disk(), pytest.raises(DiskFull):
        await host.start(agent, shell("cat >log", project, told=b"x" * 200_000))
    assert not directory(host, agent).exists()
    assert await host.inspect(agent) == NotStarted()
    assert not (project / "log").exists()
    assert await told(host, shell("cat", project, told=b"free again")) == "free again"


async def test_an_agent_outlives_its_host(tmp_path: Path, host: LocalHost, project: Path) -> None:
    agent = new_agent()
    words = 'while read -r word; do echo "<$word>"; done'
    await host.start(agent, shell(words, project, told=b"before\n", spoken=True))
    await hear_until(host, agent, b"<before>\n")
    later = LocalHost(tmp_path / "data")
    assert await later.inspect(agent) == Alive()
    await later.write(agent, b"after\n")
    assert await hear_until(later, agent, b"<after>\n") == b"<before>\n<after>\n"
    await later.stop(agent, grace=5)
    assert await host.inspect(agent) == Exited(128 + 15)


async def test_an_agent_whose_wrapper_was_killed_is_gone_and_can_be_stopped(
    host: LocalHost, project: Path
) -> None:
    agent = new_agent()
    await host.start(agent, shell("echo $$ $PPID; exec sleep 60", project))
    itself, wrapper = map(int, (await hear_until(host, agent, b"\n")).split())
    os.kill(wrapper, 9)
    assert (await hear(host, agent)).end == Gone()
    assert await host.inspect(agent) == Gone()
    assert runs(itself)
    await host.stop(agent, grace=5)
    assert not runs(itself)


async def test_after_a_power_cut_the_agent_is_gone(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("echo said; exec sleep 60", project))
    await hear_until(host, agent, b"said\n")
    rebooted(directory(host, agent))
    assert await host.inspect(agent) == Gone()
    heard = await hear(host, agent)
    assert (heard.said, heard.end) == (b"said\n", Gone())
    await host.stop(agent, grace=5)


async def test_an_agent_starts_where_its_project_was_chosen_or_nowhere(
    host: LocalHost, project: Path, tmp_path: Path
) -> None:
    """An agent of an outer project may have put a link in the place of an inner one's folder."""
    inner = project / "inner"
    for folder in (inner, host_data(host)):
        folder.mkdir()
    real = str(inner.resolve())
    inner.rename(project / "old")
    for target in (project / "old", host_data(host)):
        inner.symlink_to(target)
        with pytest.raises(ProjectMoved):
            await host.start(new_agent(), replace(shell("echo x >>log", inner), real=real))
        inner.unlink()
    assert not list(tmp_path.rglob("log"))


async def test_files_and_changes_are_of_the_folder_that_was_chosen_or_of_none(
    host: LocalHost, project: Path, tmp_path: Path
) -> None:
    """Somebody put a link in its place meanwhile."""
    real, other = str(project.resolve()), tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_text("not yours")
    subprocess.run(("git", "init", "-q"), cwd=other, check=True)
    (project / "a.txt").write_text("ours")
    assert (await host.open(str(project), "a.txt", real=real)).data == b"ours"
    project.rename(tmp_path / "old")
    project.symlink_to(other)
    for asked in (
        host.open(str(project), "a.txt", real=real),
        host.open(str(project), f"{project}/a.txt", real=real),
        host.open(str(project), "/etc/hostname", real=real),
        host.put(str(project), "b.txt", b"x", real=real),
        host.diff(str(project), real=real),
    ):
        with pytest.raises(ProjectMoved) as moved:
            await asked
        assert moved.value.fields == {"path": str(project), "real": str(other)}
    assert await host.survey(str(project), "", real=real) is None
    assert sorted(one.name for one in other.iterdir()) == [".git", "a.txt"]
    assert "not yours" in await host.diff(str(project), real=str(other))


async def test_no_agent_starts_in_our_own_data_or_around_it(host: LocalHost, tmp_path: Path) -> None:
    agents = host_data(host) / "agents"
    agents.mkdir(parents=True)
    for place, key in ((tmp_path, "project.holds_data"), (agents, "project.inside_data")):
        with pytest.raises(HostError) as caught:
            await host.start(new_agent(), shell("echo x >>log", place))
        assert caught.value.key == key
    assert not list(tmp_path.rglob("log"))


async def test_an_agent_that_a_reboot_ended_is_gone_and_one_that_failed_before_it_has_failed(
    host: LocalHost, project: Path
) -> None:
    """A machine that goes down in good order sends everything a signal, and the wrapper notes its end."""
    for words, ended in (("kill -TERM $$", Gone()), ("exit 3", Exited(3))):
        agent = new_agent()
        await host.start(agent, shell(words, project))
        await hear(host, agent)
        rebooted(directory(host, agent))
        assert await host.inspect(agent) == ended


async def test_after_a_power_cut_nothing_is_started_twice(host: LocalHost, project: Path) -> None:
    """The claim may have been lost with the power, after the agent had worked on it."""
    agent = new_agent()
    launch = shell("echo x >>log", project)
    await host.start(agent, launch)
    await hear(host, agent)
    for name in ("claim", "exit"):
        (directory(host, agent) / name).unlink()
    rebooted(directory(host, agent))
    await host.start(agent, launch)
    assert await host.inspect(agent) == Gone()
    assert (project / "log").read_text() == "x\n"


@pytest.mark.parametrize("earlier_life", [False, True])
async def test_a_process_with_the_same_number_is_not_the_agent(
    host: LocalHost, project: Path, earlier_life: bool
) -> None:
    agent = new_agent()
    await host.start(agent, shell("true", project))
    await hear(host, agent)
    place = directory(host, agent)
    (place / "exit").unlink()
    if earlier_life:
        rebooted(place)
        (place / "claim").write_text(Path("/proc/self/stat").read_text())
    else:
        (place / "claim").write_text(f"{os.getpid()} (sh) S{' 1' * 40}\n")
    assert await host.inspect(agent) == Gone()
    stopped = await host.stop(agent, grace=5)
    assert (stopped.ended, stopped.survivors) == ((), ())  # and we are still here to say so


async def test_a_claimant_that_died_before_its_first_word_started_nothing(
    host: LocalHost, project: Path
) -> None:
    agent = new_agent()
    host.directory(agent).make(b"")
    host.directory(agent).claim.touch()
    assert await host.inspect(agent) == NotStarted()


async def test_who_looks_right_after_the_start_takes_nothing_away(host: LocalHost, project: Path) -> None:
    for _ in range(20):
        agent = new_agent()
        await host.start(agent, shell("true", project))
        assert await host.inspect(agent) in (Alive(), Exited(0))
        await hear(host, agent)


@pytest.mark.parametrize("boot", ["rm boot; echo x >boot", "ln -sfn x boot"])
async def test_what_an_agent_scribbles_into_its_directory_stops_nobody(
    host: LocalHost, project: Path, boot: str
) -> None:
    agent, other = new_agent(), new_agent()
    scribbled = directory(host, agent)
    words = f"cd {scribbled}; echo nonsense >exit; printf '\\377 (x) S x' >claim; {boot}"
    await host.start(agent, shell(f"{words}; echo done; sleep 60", project))
    await host.start(other, shell("sleep 0.1; echo still read", project))
    assert (await hear(host, agent)).end == Gone()
    assert (await hear(host, other)).said == b"still read\n"
    await host.stop(agent, grace=1)


async def test_a_wrapper_that_ended_is_no_zombie(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("echo $PPID", project))
    wrapper = int((await hear(host, agent)).said)
    await eventually(lambda: not runs(wrapper))
    await host.inspect(agent)
    assert not Path(f"/proc/{wrapper}").exists()


async def test_nothing_more_is_read_of_a_spool_without_bounds(host: LocalHost, project: Path) -> None:
    agent = new_agent()
    await host.start(agent, shell("true", project))
    await hear(host, agent)
    os.truncate(directory(host, agent) / "out", 512 * 1024 * 1024 + 1)
    assert (await host.read(agent, 512 * 1024 * 1024 - 1000_000)).end is None
    with pytest.raises(HostError, match="spool_full"):
        await host.read(agent, 512 * 1024 * 1024 - 10)


async def test_what_cannot_be_seen_off_keeps_nobody_waiting(tmp_path: Path, project: Path) -> None:
    host, agent = LocalHost(tmp_path / "data"), new_agent()
    await host.start(agent, shell("echo done", project))
    await hear(host, agent)
    stray = tmp_path / "data" / "agents" / "not-a-directory"
    stray.write_text("somebody's")
    await host.sweep(only())
    assert list(stray.parent.iterdir()) == [stray]
