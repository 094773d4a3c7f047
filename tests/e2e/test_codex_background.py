"""What a turn of the real Codex leaves running is told, and ended unless the project allows it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.model.events import Leftovers
from core.model.project import Access
from core.model.prompt import Status
from core.store import projects
from tests.e2e.test_codex import configured_codex, whole_roost
from tests.support.codex import ScriptedCodex, script, scripted_codex
from tests.support.sleepers import ended_after, left_by, sleepers
from tests.support.whole import until

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]

SECONDS = "31337.25"
"""So long sleeps nobody else."""
AWAY = "setsid {} >/dev/null 2>&1 & sleep 0.2"
BESIDE = "nohup {} >/dev/null 2>&1 & sleep 0.2"


@pytest.fixture(autouse=True)
def _none_is_left() -> Iterator[None]:
    with ended_after(SECONDS):
        yield


def leaves(how: str) -> str:
    command = how.format(f"sleep {SECONDS}")
    return script([{"shell": command}], [{"text": "It runs."}])


@pytest.mark.parametrize("transport", ["app-server", "exec"])
async def test_it_is_ended_and_named(tmp_path: Path, scripted_codex: ScriptedCodex, transport: str) -> None:
    config = configured_codex(scripted_codex, tmp_path, transport)
    async with whole_roost(config, scripted_codex, access=Access.FULL) as whole:
        prompt = await whole.ask(leaves(AWAY))
        assert (await whole.answer(prompt.id)).text == "It runs."
        left = await left_by(whole, prompt.id)
        assert ("sleep" in left.programs, left.ended) == (True, True)
        assert sleepers(SECONDS) == []
        again = await whole.ask(script([{"text": "Still here."}]))
        assert again.status is Status.DONE


async def test_what_stays_with_its_command_goes_with_it(
    tmp_path: Path, scripted_codex: ScriptedCodex
) -> None:
    """Codex ends the group of a command itself: there is nothing to tell."""
    config = configured_codex(scripted_codex, tmp_path, "app-server")
    async with whole_roost(config, scripted_codex, access=Access.FULL) as whole:
        prompt = await whole.ask(leaves(BESIDE))
        await until(lambda: sleepers(SECONDS) == [])
        assert not any(isinstance(event, Leftovers) for event in await whole.events(prompt.id))


async def test_it_may_stay_where_the_project_allows_it(tmp_path: Path, scripted_codex: ScriptedCodex) -> None:
    config = configured_codex(scripted_codex, tmp_path, "app-server")
    async with whole_roost(config, scripted_codex, access=Access.FULL) as whole:
        await whole.app.store.write(projects.change, replace(whole.project, background=True))
        prompt = await whole.ask(leaves(AWAY))
        left = await left_by(whole, prompt.id)
        assert ("sleep" in left.programs, left.ended) == (True, False)
        (one,) = sleepers(SECONDS)
        assert one.is_running()
        began = time.monotonic()
        assert (await whole.ask(script([{"text": "Beside it."}]))).status is Status.DONE
        assert time.monotonic() - began < 20
        assert sleepers(SECONDS) == [one]


async def test_in_its_sandbox_nothing_outlives_the_turn(
    tmp_path: Path, scripted_codex: ScriptedCodex
) -> None:
    config = configured_codex(scripted_codex, tmp_path, "app-server")
    async with whole_roost(config, scripted_codex) as whole:
        assert (await whole.ask(leaves(AWAY))).status is Status.DONE
        await whole.ask(script([{"text": "."}]))
        await until(lambda: sleepers(SECONDS) == [])
