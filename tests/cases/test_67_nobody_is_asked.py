"""Case 67: what would ask at the keyboard finds the end of its input, what asks us is shown or refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from core.engines.codex import Codex
from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import PERMISSION_NAME, OpenCodeRun
from core.engines.port import Engine
from core.model.events import Denied
from core.model.launch import Launch
from core.model.project import Access
from core.model.prompt import Status
from core.model.request import TurnRequest
from tests.e2e.test_acp import config_of, goose
from tests.e2e.test_codex_spoken import asking, question
from tests.support.play_agent import Play
from tests.support.whole import configured, roost


def launch(engine: Engine, access: Access) -> Launch:
    return engine.launch(("/usr/bin/program",), TurnRequest("/p", "x", access, {}))


@pytest.mark.parametrize("access", list(Access))
def test_no_engine_is_started_so_that_it_would_ask(access: Access) -> None:
    codex, cursor, gemini, opencode = (
        launch(engine, access) for engine in (Codex(), Cursor(), GeminiStream(), OpenCodeRun())
    )
    assert {"never", "--dangerously-bypass-approvals-and-sandbox"} & set(codex.argv)
    assert "--trust" in cursor.argv
    assert gemini.env["GEMINI_CLI_TRUST_WORKSPACE"] == "true"
    assert "default" not in gemini.argv
    assert "--auto" in opencode.argv or '"external_directory": "deny"' in opencode.env[PERMISSION_NAME]


async def test_a_question_of_trust_finds_the_end_of_its_input(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    question = "Do you trust the files in this folder? [y/N]"
    play.steps({"out": question}, {"read_stdin": "eof"}, {"err": "Workspace Trust Required"}, {"exit": 1})
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(10):
        prompt = await whole.ask()
        assert prompt.status is Status.FAILED
        assert "Workspace Trust Required" in await whole.shown(prompt.id)


ASKS = json.dumps([{"ask": {"title": "rm x", "kind": "execute"}}])


async def test_where_nobody_is_to_be_asked_a_question_is_refused_at_once_and_shown(tmp_path: Path) -> None:
    async with goose(config_of(tmp_path)) as whole, asyncio.timeout(40):
        prompt = await whole.ask(ASKS)
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "got no"
        assert Denied("rm x") in await whole.events(prompt.id)


async def test_a_question_that_nobody_answers_waits_and_can_be_cancelled(tmp_path: Path) -> None:
    async with goose(config_of(tmp_path)) as whole, asyncio.timeout(40):
        await asking(whole)
        prompt = await whole.submit(ASKS)
        asked, _ = await question(whole, prompt)
        assert asked.title == "rm x"
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
        await whole.quiet()
