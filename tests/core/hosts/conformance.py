"""What every host does, be it this machine, a fake, or another machine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import EngineMissing, FileRefused, HostError, NoRepository, ProjectGone
from core.hosts.port import Host
from core.model.ids import AgentId
from core.model.launch import Alive, Chunk, Exited, Launch, NotStarted
from tests.support.agents import hear, hear_until, new_agent, only, shell

READY = "echo ready; "


class HostConformance:
    """Give a subclass the fixtures `host` and `project` (an existing directory)."""

    async def test_what_an_agent_says_is_read_to_its_end(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("echo one; echo two; exit 3", project))
        heard = await hear(host, agent)
        assert (heard.said, heard.end) == (b"one\ntwo\n", Exited(3))
        assert await host.inspect(agent) == Exited(3)

    async def test_reading_again_from_any_offset_gives_the_same(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("printf abcdef", project))
        await hear(host, agent)
        assert await host.read(agent, 2) == Chunk(b"cdef", Exited(0))
        assert await host.read(agent, 6) == Chunk(b"", Exited(0))

    async def test_a_one_shot_agent_gets_its_input_and_its_end(self, host: Host, project: Path) -> None:
        agent = new_agent()
        told = "- größer\n".encode() * 40_000
        await host.start(agent, shell("cat", project, told=told))
        assert (await hear(host, agent)).said == told

    async def test_an_agent_that_is_spoken_to_gets_every_word_once(self, host: Host, project: Path) -> None:
        agent = new_agent()
        words = 'while read -r word; do echo "<$word>"; [ "$word" = bye ] && exit; done'
        await host.start(agent, shell(words, project, told=b"first\n", spoken=True))
        await hear_until(host, agent, b"<first>\n")
        await host.write(agent, b"second\n")
        await host.write(agent, b"bye\n")
        heard = await hear(host, agent)
        assert (heard.said, heard.end) == (b"<first>\n<second>\n<bye>\n", Exited(0))

    async def test_a_long_line_comes_whole(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("head -c 3000000 /dev/zero | tr '\\0' x", project))
        assert (await hear(host, agent)).said == b"x" * 3_000_000

    async def test_the_environment_is_what_was_given(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("env", project, ROOST_CODE="kept", code="kept"))
        names = {line.partition(b"=")[0] for line in (await hear(host, agent)).said.splitlines()}
        added_by_some_shells = {b"_", b"SHLVL", b"OLDPWD"}
        assert names - added_by_some_shells == {b"PATH", b"ROOST_CODE", b"code", b"ROOST_RUN", b"PWD"}

    async def test_without_a_place_to_work_an_agent_gets_an_empty_folder(
        self, host: Host, project: Path
    ) -> None:
        launch = replace(shell("ls -A; pwd", project), cwd="")
        one, other = new_agent(), new_agent()
        for agent in (one, other):
            await host.start(agent, launch)
        said, beside = (await hear(host, one)).said, (await hear(host, other)).said
        assert said != beside
        room = Path(said.decode().strip())
        assert room.is_dir()
        assert room.stat().st_mode & 0o777 == 0o700
        await host.discard(one)
        assert not room.exists()

    async def test_a_signal_shows_in_the_code(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("kill -9 $$", project))
        end = (await hear(host, agent)).end
        assert isinstance(end, Exited)
        assert end.signal == 9

    async def test_a_second_start_changes_nothing(self, host: Host, project: Path) -> None:
        agent = new_agent()
        launch = shell("echo x >>log; echo done", project)
        await asyncio.gather(host.start(agent, launch), host.start(agent, launch))
        await hear(host, agent)
        await host.start(agent, launch)
        assert (await hear(host, agent)).said == b"done\n"
        assert (project / "log").read_text() == "x\n"

    async def test_what_was_never_started_never_will_be(self, host: Host, project: Path) -> None:
        agent = new_agent()
        assert await host.inspect(agent) == NotStarted()
        await host.start(agent, shell("echo x >>log", project))
        assert await host.inspect(agent) == NotStarted()
        with pytest.raises(HostError, match="not_started"):
            await host.read(agent, 0)
        assert not (project / "log").exists()

    async def test_a_program_that_is_not_there_is_named(self, host: Host, project: Path) -> None:
        agent = new_agent()
        with pytest.raises(EngineMissing) as refused:
            await host.start(agent, Launch(("no-such-agent", "--json"), str(project), {"PATH": "/usr/bin"}))
        assert refused.value.fields == {"program": "no-such-agent"}
        assert await host.inspect(agent) == NotStarted()

    async def test_a_project_that_is_not_there_is_named(self, host: Host, project: Path) -> None:
        agent = new_agent()
        with pytest.raises(ProjectGone):
            await host.start(agent, shell("echo x", project / "gone"))
        assert await host.inspect(agent) == NotStarted()

    async def test_stop_ends_a_running_agent(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell(READY + "exec sleep 60", project))
        await hear_until(host, agent, b"ready\n")
        assert await host.inspect(agent) == Alive()
        stopped = await host.stop(agent, grace=5)
        assert stopped.survivors == ()
        assert await host.inspect(agent) == Exited(128 + 15)

    async def test_stop_ends_an_agent_that_will_not_hear(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("trap '' TERM; " + READY + "sleep 60; sleep 60", project))
        await hear_until(host, agent, b"ready\n")
        await host.stop(agent, grace=0.1)
        assert await host.inspect(agent) == Exited(128 + 9)

    async def test_stop_of_what_has_ended_changes_nothing(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("exit 4", project))
        await hear(host, agent)
        await host.stop(agent, grace=5)
        assert await host.inspect(agent) == Exited(4)

    async def test_what_an_agent_leaves_running_is_named_and_ended(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("sleep 60 >/dev/null 2>&1 &", project))
        await hear(host, agent)
        kept = await host.clean(agent, keep=True)
        assert (kept.ended, kept.survivors) == ((), ("sleep",))
        ended = await host.clean(agent, keep=False)
        assert (ended.ended, ended.survivors) == (("sleep",), ())
        assert (await host.clean(agent, keep=False)).ended == ()

    async def test_the_end_of_stderr_is_kept(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("echo sorry >&2", project))
        await hear(host, agent)
        assert await host.errors(agent) == "sorry\n"

    async def test_work_shows_in_processor_time(self, host: Host, project: Path) -> None:
        agent = new_agent()
        busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; " + READY + "sleep 60"
        await host.start(agent, shell(busy, project))
        await hear_until(host, agent, b"ready\n")
        assert await host.cpu_seconds(agent) > 0
        await host.stop(agent, grace=5)
        assert await host.cpu_seconds(agent) == 0

    async def test_nothing_is_left_of_what_was_discarded(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell("true", project))
        await hear(host, agent)
        await host.discard(agent)
        with pytest.raises(HostError, match="not_started"):
            await host.read(agent, 0)

    async def test_a_sweep_sees_off_all_but_the_known(self, host: Host, project: Path) -> None:
        known, strange = new_agent(), new_agent()
        for agent in (known, strange):
            await host.start(agent, shell(READY + "exec sleep 60", project))
            await hear_until(host, agent, b"ready\n")
        await host.sweep(only(known))
        assert await host.inspect(known) == Alive()
        assert await host.inspect(strange) == NotStarted()
        await host.sweep(only())

    async def test_a_sweep_leaves_alone_who_begins_meanwhile(self, host: Host, project: Path) -> None:
        agent = new_agent()

        async def it_begins() -> Collection[AgentId]:
            await host.start(agent, shell("exec sleep 60", project))
            return ()

        await host.sweep(it_begins)
        assert await host.inspect(agent) == Alive()
        await host.sweep(only())

    async def test_a_reader_can_be_cancelled(self, host: Host, project: Path) -> None:
        agent = new_agent()
        await host.start(agent, shell(READY + "exec sleep 60", project))
        await hear_until(host, agent, b"ready\n")
        reading = asyncio.ensure_future(host.read(agent, 6))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await host.stop(agent, grace=5)
        assert await host.read(agent, 6) == Chunk(b"", Exited(128 + 15))

    async def test_a_file_of_the_project_is_opened(self, host: Host, project: Path) -> None:
        (project / "plot.png").write_bytes(b"picture")
        opened = await host.open(str(project), "plot.png")
        assert (opened.name, opened.data, opened.path) == ("plot.png", b"picture", "plot.png")
        assert abs(opened.changed - time.time()) < 60

    async def test_a_secret_is_opened_for_who_may_have_it(self, host: Host, project: Path) -> None:
        (project / ".env").write_bytes(b"TOKEN=1")
        with pytest.raises(FileRefused):
            await host.open(str(project), ".env")
        assert (await host.open(str(project), ".env", secrets=True)).data == b"TOKEN=1"
        with pytest.raises(FileRefused):
            await host.open(str(project), "/etc/passwd", secrets=True)

    async def test_a_file_elsewhere_is_refused(self, host: Host, project: Path) -> None:
        with pytest.raises(FileRefused) as refused:
            await host.open(str(project), "/etc/passwd")
        assert refused.value.key == "file.outside"

    async def test_what_was_put_can_be_read_by_the_agent(self, host: Host, project: Path) -> None:
        path = await host.put(str(project), "notes.txt", b"read me")
        agent = new_agent()
        await host.start(agent, shell(f"cat '{path}'", project))
        assert (await hear(host, agent)).said == b"read me"

    async def test_programs_are_found_or_not(self, host: Host) -> None:
        assert await host.programs(["no-such-agent"]) is None
        found = await host.programs(["tail", "-f"])
        assert found is not None
        assert found.argv[1:] == ("-f",)
        assert "tail" in found.version

    async def test_a_directory_without_git_has_no_history(self, host: Host, project: Path) -> None:
        with pytest.raises(NoRepository):
            await host.diff(str(project))
