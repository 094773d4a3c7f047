"""Any agent that speaks ACP, by three lines of configuration: here one that is written in Python."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.dispatch.bell import ring
from core.dispatch.clock import Clock
from core.engines.piped import piped
from core.hosts.processes import family
from core.model.events import (
    Asked,
    Grant,
    MessageDelta,
    PlanUpdated,
    Recovering,
    Resolved,
    ToolCall,
    TurnCompleted,
)
from core.model.ids import PromptId
from core.model.prompt import Status
from core.store import conversations, log, said, turns
from core.store.log import Logged
from core.store.said import Reply
from tests.e2e.test_codex import agents
from tests.e2e.test_codex_spoken import asking, decide, question
from tests.support.tree import ROOT
from tests.support.whole import Service, Whole, roost, until

THREE_LINES = """\
[engines.goose]
kind = "acp"
command = {command}
"""
COMMAND = [sys.executable, "-m", "tests.support.acp_agent"]
TOOL = {"toolCallId": "c1", "title": "make", "kind": "execute", "status": "in_progress"}
DONE = {"toolCallId": "c1", "status": "completed"}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_of(tmp_path)


def config_of(home: Path, first: str = "") -> Path:
    path, command = home / "roost.toml", json.dumps(COMMAND)
    path.write_text(f'data_dir = "{home / "data"}"\n{first}{THREE_LINES.format(command=command)}')
    return path


def environ(config: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(config.parent)}


@asynccontextmanager
async def goose(
    config: Path, *, duty: bool = True, clock: Clock | None = None, engine: str = "goose"
) -> AsyncIterator[Whole]:
    """Its agent finds the test's own package by the project's folder."""
    project = config.parent / "project"
    project.mkdir(exist_ok=True)
    if not (project / "tests").exists():
        (project / "tests").symlink_to(ROOT / "tests")
    async with roost(config, environ=environ(config), engine=engine, duty=duty, clock=clock) as whole:
        yield whole


async def test_it_answers_step_by_step_and_stays_warm(config: Path) -> None:
    steps = [
        {"plan": [["look", "completed"], ["build", "in_progress"]]},
        {"tool": TOOL},
        {"update": DONE},
        {"say": "All ", "id": "m1"},
        {"say": "built.", "id": "m1"},
    ]
    async with goose(config) as whole:
        first = await whole.ask(json.dumps(steps))
        assert (first.status, first.reason) == (Status.DONE, ""), await whole.shown(first.id)
        assert (await whole.answer(first.id)).text == "All built."
        kinds = {type(event) for event in await whole.events(first.id)}
        assert {PlanUpdated, ToolCall, MessageDelta, TurnCompleted} <= kinds
        second = await whole.ask("Hello")
        assert (await whole.answer(second.id)).text.startswith("Hello")
        ran = [(await whole.app.store.read(turns.latest, one.id)).agent for one in (first, second)]
        assert ran[0] == ran[1]
        assert whole.app.catalogue.label("goose") == "goose"


async def test_cancelled_nothing_of_it_is_left(config: Path) -> None:
    async with goose(config) as whole:
        prompt = await whole.submit(json.dumps([{"say": "Now."}, {"hang": True}]))
        await until(lambda: said_now(whole, prompt))
        (agent,) = agents(whole)
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
        assert family(agent, None) == []
        assert (await whole.answer(prompt)).text == "Now."


async def said_now(whole: Whole, prompt: object) -> bool:
    return any(isinstance(event, MessageDelta) for event in await whole.events(prompt))  # type: ignore[arg-type]


async def test_a_session_that_is_loaded_apart_is_the_same_one_warm_and_cold(config: Path) -> None:
    """As Gemini is driven."""
    lines = f"[engines.gemini]\ncommand = {json.dumps([*piped(tuple(COMMAND)), 'elephant'])}\n"
    config.write_text(f'data_dir = "{config.parent / "data"}"\n{lines}')
    async with goose(config, engine="gemini") as whole:
        asked = [await whole.ask("One")]
        for model in ("m1", "m2"):
            await whole.app.store.write(conversations.set_model, whole.conversation, model)
            asked += [await whole.ask("More"), await whole.ask("And more")]
        rows = [await whole.app.store.read(turns.latest, one.id) for one in asked]
        assert [row.session for row in rows] == [None, "s1", " s1", " s1", " s1"]
        assert [len({row.agent for row in rows[begin:][:2]}) for begin in range(4)] == [2, 1, 2, 1]
        for one in asked:
            assert (one.status, one.reason) == (Status.DONE, ""), await whole.shown(one.id)
            assert Recovering("session_gone") not in await whole.events(one.id)


async def test_its_end_in_the_middle_is_told_with_its_exit_code(config: Path) -> None:
    async with goose(config) as whole:
        prompt = await whole.submit(json.dumps([{"say": "Now."}, {"hang": True}]))
        await until(lambda: said_now(whole, prompt))
        (agent,) = agents(whole)
        program = next(one for one in family(agent, None) if one.name.startswith("python"))
        os.kill(program.pid, 9)
        ended = await whole.ended(prompt)
        assert (ended.status, ended.reason, ended.detail) == (Status.FAILED, "prompt.killed", "9")
        assert (await whole.answer(prompt)).text == "Now."
        await whole.quiet()
        assert family(agent, None) == []


async def test_its_failure_is_shown_in_its_own_words(config: Path) -> None:
    async with goose(config) as whole:
        prompt = await whole.ask(json.dumps([{"fail": {"code": -32603, "message": "The moon is full"}}]))
        assert (prompt.status, prompt.reason) == (Status.FAILED, "engine.failed")
        assert "The moon is full" in await whole.shown(prompt.id)


@pytest.mark.parametrize(("grant", "got"), [(Grant.ONCE, "got once"), (Grant.DENY, "got no")])
async def test_a_person_is_asked_and_roost_is_killed_meanwhile(config: Path, grant: Grant, got: str) -> None:
    async with goose(config, duty=False) as whole:
        await asking(whole)
        prompt = await whole.submit(json.dumps([{"ask": {"title": "rm x", "kind": "execute"}}]))
        with Service(config, environ(config)) as service:
            service.start()
            asked, number = await question(whole, prompt)
            assert asked.title == "rm x"
            service.end()
            await decide(whole, number, asked, grant)
            service.start()
            assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == got
        assert (await whole.events(prompt)).count(Resolved(asked.key)) == 1


FORM = {"message": "Which?", "properties": {"colour": {"type": "string"}, "size": {"type": "integer"}}}


async def test_what_was_answered_of_several_questions_before_a_kill_counts(config: Path) -> None:
    async with goose(config, duty=False) as whole:
        prompt = await whole.submit(json.dumps([{"form": FORM}]))
        with Service(config, environ(config)) as service:
            service.start()
            colour, size = await questions(whole, prompt, 2)
            await reply(whole, colour, "red")
            await until(lambda: handed_on(whole, colour))
            service.end()
            service.start()
            await reply(whole, size, "3")
            assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == 'accept {"colour": "red", "size": 3}'


async def questions(whole: Whole, prompt: PromptId, count: int) -> list[Logged]:
    """What the agent asks, once it is as much as that."""

    async def asked() -> list[Logged]:
        found, _ = await whole.app.store.read(log.of_prompt, prompt)
        return [one for one in found if isinstance(one.event, Asked)]

    async def all_there() -> bool:
        return len(await asked()) == count

    await until(all_there)
    return await asked()


async def reply(whole: Whole, asked: Logged, words: str) -> None:
    """A person answers in words of their own."""
    assert isinstance(asked.event, Asked)
    turn = await whole.app.store.read(log.turn_of, asked.id)
    given = Reply(turn, asked.event.key, "", words, person="Ann")
    await whole.app.store.write(said.reply, given, now=time.time())
    ring(whole.app.data_dir)


async def handed_on(whole: Whole, asked: Logged) -> bool:
    """Whether the dispatcher has taken the answer to it."""
    turn = await whole.app.store.read(log.turn_of, asked.id)
    return await whole.app.store.read(said.replies, turn) == []
