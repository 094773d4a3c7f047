"""Case 69: commands that fail for want of a sandbox are told once a day, and `roost check` knew before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.doctor.agents import SANDBOX_SECONDS, TRIES_SANDBOX, check_agents
from bot.doctor.case import Agent, Case
from bot.doctor.finding import State
from core.engines.codex import Codex
from core.hosts.port import Program
from core.hosts.programs import runs
from core.model.events import Progress, ToolCall, ToolKind
from core.model.ids import ItemId
from core.model.prompt import Status
from tests.support.at_work import at_work
from tests.support.codex import ScriptedCodex, scripted_codex
from tests.support.fake_chat import FakeChat
from tests.support.hand_clock import HandClock
from tests.support.play_agent import Play, Step
from tests.support.whole import configured, roost, says, turn

__all__ = ["scripted_codex"]

BWRAP = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"


def failed(number: int) -> Step:
    ran = {"command": "bash -lc pwd", "aggregated_output": BWRAP, "exit_code": 1, "status": "failed"}
    item = {"id": f"item_{number}", "type": "command_execution", **ran}
    return {"json": {"type": "item.completed", "item": item}}


async def test_the_apology_arrives_and_every_command_is_known_as_failed(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(
        *turn(*(failed(number) for number in range(3)), says("I cannot run any command here.", "last"))
    )
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "I cannot run any command here."
        steps = [event for event in await whole.events(prompt.id) if isinstance(event, ToolCall)]
    assert [step.progress for step in steps] == [Progress.FAILED] * 3
    assert {step.output for step in steps} == {BWRAP}


COMMAND = ToolCall(ItemId("1"), ToolKind.EXECUTE, "pwd", Progress.FAILED, BWRAP, exit_code=1)
DAY = 86_400.0


async def test_a_chat_is_told_once_a_day_and_project(tmp_path: Path) -> None:
    chat, clock = FakeChat(), HandClock()
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        hints = []
        for later in (0.0, 60.0, DAY):
            clock.wall += later
            chat.writes("Go")
            await work.passes()
            (started,) = await work.starts()
            await work.tells(started, COMMAND)
            before = len(chat.reads())
            await work.ends(started)
            await work.passes(1)
            hints.append(sum("sandbox can’t be set up" in said for said in chat.reads()[before:]))
    assert hints == [1, 0, 1]


def program(folder: Path, sandbox: str) -> tuple[str, ...]:
    """A Codex whose sandbox does that."""
    path = folder / "codex"
    path.write_text(f'#!/bin/sh\n[ "$1" = sandbox ] && {{ {sandbox}; }}\necho codex-cli 0.171.0\n')
    path.chmod(0o755)
    return (str(path),)


@pytest.mark.parametrize(
    ("sandbox", "found"),
    [(f"echo '{BWRAP}' >&2; exit 1", [State.WARNING]), ("exit 0", [])],
)
async def test_the_check_names_it_before_the_first_prompt(
    tmp_path: Path, sandbox: str, found: list[State]
) -> None:
    there = Program(program(tmp_path, sandbox), "codex-cli 0.171.0")

    async def programs(_: object) -> Program:
        return there

    case = Case(tmp_path, programs, now=1.0, built=0.0, agents=[Agent(Codex(), {"OPENAI_API_KEY": "sk"})])
    findings = await check_agents(case)
    assert [one.state for one in findings if one.name == "codex sandbox"] == found
    old = replace(there, version="codex-cli 0.99.0")

    async def older(_: object) -> Program:
        return old

    findings = await check_agents(replace(case, programs=older))
    assert not [one for one in findings if one.name == "codex sandbox"]


@pytest.mark.codex
def test_the_real_one_is_asked_in_words_that_it_knows(scripted_codex: ScriptedCodex) -> None:
    real = Program((str(scripted_codex.program),), "")
    words = TRIES_SANDBOX["codex"]
    assert runs(real, words, scripted_codex.env, seconds=SANDBOX_SECONDS) is True
    assert runs(real, (*words[:-1], "false"), scripted_codex.env, seconds=SANDBOX_SECONDS) is False
