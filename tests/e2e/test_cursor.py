"""Cursor through Roost: a stand-in after its public documentation, for its program could not be had."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.model.events import PlanUpdated, Recovering, ToolCall, ToolKind
from core.model.ids import SessionId
from core.model.prompt import Status
from tests.support import cursor_agent
from tests.support.whole import Whole, configured, roost, until

PROGRAM = [sys.executable, str(Path(cursor_agent.__file__))]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return configured(tmp_path, PROGRAM, engine="cursor")


async def test_an_answer_its_steps_and_the_next_prompt(config: Path) -> None:
    async with roost(config, engine="cursor") as whole:
        first = await whole.ask("write notes.txt\nshell echo hi\ntodo")
        assert (first.status, first.reason) == (Status.DONE, "")
        assert "ECHO users=1: write notes.txt" in (await whole.answer(first.id)).text
        events = await whole.events(first.id)
        assert {ToolKind.EDIT, ToolKind.EXECUTE} <= {
            event.kind for event in events if isinstance(event, ToolCall)
        }
        assert any(isinstance(event, PlanUpdated) for event in events)
        assert (whole.workspace / "notes.txt").read_text() == "hello\n"
        session = (await whole.talk()).session
        second = await whole.ask("And on")
        assert (await whole.answer(second.id)).text == "ECHO users=2: And on"
        assert (await whole.talk()).session == session


async def test_a_failure_is_told_in_its_own_words(config: Path) -> None:
    async with roost(config, engine="cursor") as whole:
        prompt = await whole.ask("fail Model is away")
        assert (prompt.status, prompt.reason) == (Status.FAILED, "engine.failed")
        assert "Model is away" in await whole.shown(prompt.id)


async def test_a_session_that_is_gone_is_begun_anew(config: Path) -> None:
    async with roost(config, engine="cursor") as whole:
        await lose(whole, SessionId("99999999-2222-4333-8444-555555555555"))
        prompt = await whole.ask("Hello")
        assert prompt.status is Status.DONE
        assert Recovering("session_gone") in await whole.events(prompt.id)
        assert (await whole.answer(prompt.id)).text == "ECHO users=1: Hello"


async def lose(whole: Whole, session: SessionId) -> None:
    await whole.app.store.write(
        lambda db: db.execute("UPDATE conversations SET session = ?", (session,)).rowcount
    )


async def test_cancelled_in_a_command_nothing_is_left(config: Path) -> None:
    async with roost(config, engine="cursor") as whole:
        prompt = await whole.submit("shell touch begun; sleep 300")
        await until(lambda: (whole.workspace / "begun").exists())
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
