"""Case 67, the one-shots' half: what would ask at the keyboard finds the end of its input, and is told."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.engines.codex import Codex
from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import PERMISSION_NAME, OpenCodeRun
from core.engines.port import Engine
from core.model.launch import Launch
from core.model.project import Access
from core.model.prompt import Status
from core.model.request import TurnRequest
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
