"""Case 51: a failure that the engine told is told once, with what it had said, whatever its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, STARTED, THREAD, configured, roost, says, turn

WORDS = "Selected model is at capacity. Please try a different model."


@pytest.mark.parametrize("code", [0, 1])
async def test_told_once_with_the_part_that_was_said(tmp_path: Path, code: int) -> None:
    play = Play(tmp_path / "play")
    failed = {"json": {"type": "turn.failed", "error": {"message": WORDS}}}
    error = {"json": {"type": "error", "message": WORDS}}
    play.steps(STARTED, BEGUN, says("partial work"), error, failed, {"exit": code}, start=1)
    play.steps(*turn(says("better")))
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert (prompt.status, prompt.reason, prompt.detail) == (Status.FAILED, "engine.failed", WORDS)
        answer, shown = await whole.answer(prompt.id), await whole.shown(prompt.id)
        assert (answer.text, answer.partial) == ("partial work", True)
        assert shown.startswith("partial work")
        assert shown.count(WORDS) == 1
        assert "killed" not in shown
        assert "crash" not in shown.lower()
        assert (await whole.talk()).session == THREAD
        assert (await whole.ask()).status is Status.DONE
    assert THREAD in play.starts[1].argv


async def test_the_last_warning_before_the_exit_is_shown(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, {"json": {"type": "error", "message": WORDS}}, {"exit": 1})
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert prompt.status is Status.FAILED
        assert (await whole.shown(prompt.id)).count(WORDS) == 1
