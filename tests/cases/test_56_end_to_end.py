"""Case 56: what an agent left running keeps no turn open; it is ended, unless the project allows it."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from core.model.events import Leftovers
from core.model.prompt import Status
from core.store import projects
from tests.support.agents import runs
from tests.support.play_agent import Play, Step
from tests.support.whole import Whole, configured, roost, says, turn

TURNS = 50


def leaving(*, setsid: bool) -> list[Step]:
    child = {"spawn": {"secs": 600, "keep_pipes": True, "setsid": setsid}}
    return turn({"read_stdin": "eof"}, child, says("FINAL-56"))


async def told(whole: Whole) -> Leftovers:
    """The turn ends within 5 s; what is told of what it left."""
    async with asyncio.timeout(5):
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "FINAL-56"
        await whole.quiet()
    (left,) = [event for event in await whole.events(prompt.id) if isinstance(event, Leftovers)]
    return left


@pytest.mark.parametrize("setsid", [False, True])
async def test_it_is_ended_and_named(tmp_path: Path, setsid: bool) -> None:
    play = Play(tmp_path / "play")
    play.steps(*leaving(setsid=setsid))
    async with roost(configured(tmp_path, play.command)) as whole:
        assert await told(whole) == Leftovers(("sleep",), ended=True)
        (child,) = play.starts[0].children
        assert not runs(child)


async def test_it_may_stay_where_the_project_says_so(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*leaving(setsid=True))
    async with roost(configured(tmp_path, play.command)) as whole:
        await whole.app.store.write(projects.change, replace(whole.project, background=True))
        assert await told(whole) == Leftovers(("sleep",), ended=False)
        (child,) = play.starts[0].children
        assert runs(child)
        os.kill(child, signal.SIGKILL)


async def test_fifty_such_turns_leave_no_descriptor_and_no_process(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*leaving(setsid=True))
    async with roost(configured(tmp_path, play.command, first=f"max_concurrent_agents = {TURNS}\n")) as whole:
        await told(whole)
        before = len(os.listdir("/proc/self/fd"))
        rooms = [await whole.begin(await whole.add_project(f"project{number}")) for number in range(TURNS)]
        asked = [await whole.submit(conversation=room) for room in rooms]
        assert {(await whole.ended(prompt)).status for prompt in asked} == {Status.DONE}
        await whole.quiet()
        assert len(os.listdir("/proc/self/fd")) == before
    children = [child for start in play.starts for child in start.children]
    assert len(children) == TURNS + 1
    assert [child for child in children if runs(child)] == []
