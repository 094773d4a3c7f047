"""What every engine keeps to as a process that Roost drives: one suite, scripted programs and real ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from core.hosts.processes import family
from core.model.events import (
    Answered,
    PromptEnded,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
)
from core.model.prompt import Status
from tests.e2e.test_acp import config_of, goose
from tests.e2e.test_codex import agents, configured_codex, whole_roost
from tests.e2e.test_cursor import PROGRAM
from tests.support.codex import ScriptedCodex, script, scripted_codex
from tests.support.play_agent import Play
from tests.support.real import REAL, scripted
from tests.support.whole import Whole, configured, roost, says, turn, until

pytestmark = pytest.mark.timeout(180)
__all__ = ["scripted_codex"]

PATIENT = 90.0
OURS = (Answered, PromptEnded)
"""What Roost adds when a turn is over."""
LONG = "perl -e 'sleep 300'"


@dataclass(frozen=True)
class Driven:
    """*hello* is a prompt that is answered; *long* one whose command runs for minutes."""

    opened: Callable[[], AbstractAsyncContextManager[Whole]]
    hello: str
    long: str


def of_real(name: str, request: pytest.FixtureRequest, folder: Path) -> Driven:
    found = scripted(name, request.getfixturevalue(f"real_{name}"), folder)
    engine = found.__enter__()
    request.addfinalizer(lambda: found.__exit__(None, None, None))
    return Driven(engine.whole, "Hello", script([{"shell": LONG}], [{"text": "."}]))


def of_codex(transport: str, request: pytest.FixtureRequest, folder: Path) -> Driven:
    codex: ScriptedCodex = request.getfixturevalue("scripted_codex")
    config = configured_codex(codex, folder, transport)
    return Driven(partial(whole_roost, config, codex), "Hello", script([{"shell": LONG}], [{"text": "."}]))


def of_acp(_: pytest.FixtureRequest, folder: Path) -> Driven:
    tool = {"toolCallId": "c1", "title": "make", "kind": "execute", "status": "in_progress"}
    return Driven(partial(goose, config_of(folder)), "Hello", json.dumps([{"tool": tool}, {"hang": True}]))


def of_cursor(_: pytest.FixtureRequest, folder: Path) -> Driven:
    config = configured(folder, PROGRAM, engine="cursor")
    return Driven(partial(roost, config, engine="cursor"), "Hello", f"shell {LONG}")


def of_play(_: pytest.FixtureRequest, folder: Path) -> Driven:
    play = Play(folder / "play")
    play.steps(*turn(says("Hi.")), start=1)
    begun = {"id": "i", "type": "command_execution", "command": "make", "status": "in_progress"}
    play.steps(*turn({"json": {"type": "item.started", "item": begun}}, {"sleep": 300}), start=2)
    return Driven(partial(roost, configured(folder, play.command)), "Hello", "Work")


ENGINES = [
    pytest.param(of_play, id="codex-scripted"),
    pytest.param(of_cursor, id="cursor-scripted"),
    pytest.param(of_acp, id="acp-scripted"),
    pytest.param(partial(of_codex, "exec"), id="codex-exec", marks=pytest.mark.codex),
    pytest.param(partial(of_codex, "app-server"), id="codex-app-server", marks=pytest.mark.codex),
    *(
        pytest.param(partial(of_real, str(one.values[0])), id=str(one.values[0]), marks=one.marks)
        for one in REAL
    ),
]


@pytest.fixture(params=ENGINES)
def driven(request: pytest.FixtureRequest, tmp_path: Path) -> Driven:
    found: Driven = request.param(request, tmp_path)
    return found


async def test_one_end_and_nothing_after_it_and_no_process_survives(driven: Driven) -> None:
    async with driven.opened() as whole:
        prompt = await whole.submit(driven.hello)
        assert (await whole.ended(prompt, seconds=PATIENT)).status is Status.DONE
        events = await whole.events(prompt)
        ends = [at for at, event in enumerate(events) if isinstance(event, TurnCompleted | TurnFailed)]
        (end,) = ends
        assert all(isinstance(event, OURS) for event in events[end + 1 :]), events
        assert any(isinstance(event, SessionStarted) for event in events[:end])
        assert sum(isinstance(event, PromptEnded) for event in events) == 1
        ran = agents(whole)

        work = await whole.submit(driven.long)

        async def works() -> bool:
            return any(isinstance(event, ToolCall) for event in await whole.events(work))

        await until(works, PATIENT)
        ran += agents(whole)
        limits, began = whole.app.means.limits, time.monotonic()
        await whole.cancel(work)
        assert (await whole.ended(work)).status is Status.CANCELLED
        assert time.monotonic() - began < limits.asking + limits.grace + 2
        events = await whole.events(work)
        assert sum(isinstance(event, TurnCompleted | TurnFailed) for event in events) <= 1
        assert [isinstance(event, PromptEnded) for event in events[-1:]] == [True]
        await whole.quiet()
        assert [process.name for agent in set(ran) for process in family(agent, None)] == []
