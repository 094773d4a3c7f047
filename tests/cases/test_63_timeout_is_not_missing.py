"""Case 63: no trouble but the engine's own word that a session is gone costs a conversation its session."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.port import Engine, Failure
from core.model.prompt import Status
from tests.cases.oneshots import ENGINES
from tests.support.play_agent import Play
from tests.support.whole import BEGUN, STARTED, THREAD, configured, roost, says, turn

TROUBLE = (
    "connect ETIMEDOUT 203.0.113.5:443",
    "getaddrinfo ENOTFOUND api.example.org",
    "529 Overloaded",
    "stream disconnected before completion",
    "Error: File not found: /p/a.png",
    "models/x is not found",
    "Unexpected server error. Check server logs for details.",
    "segmentation fault",
)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("words", TROUBLE)
def test_no_engine_takes_it_for_a_session_that_is_gone(engine: Engine, words: str) -> None:
    assert engine.sort(words, resumed=True) in (Failure.OTHER, Failure.SERVICE)


async def test_the_next_prompt_resumes_the_same_session(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, says("started"), {"err": TROUBLE[0]}, {"exit": 1}, start=1)
    play.steps(*turn(says("ok 63")))
    async with roost(configured(tmp_path, play.command)) as whole:
        first = await whole.ask()
        assert first.status is Status.FAILED
        assert "ETIMEDOUT" in await whole.shown(first.id)
        assert (await whole.talk()).session == THREAD
        assert (await whole.ask()).status is Status.DONE
    assert play.starts[1].argv[-3:] == ["resume", THREAD, "-"]
