"""Case 66: a used-up limit and a lost login are told in short, in the engine's words, and not tried again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.port import Engine, Failure
from core.model.prompt import Status
from tests.cases.oneshots import ENGINES
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, STARTED, configured, roost

LIMIT = "You've hit your usage limit. Try again at 1:00 PM."
REFRESH = (
    "ERROR codex_core::auth: Failed to refresh token: 401 Unauthorized: Your access token could not be "
    "refreshed because your refresh token was already used. Please log out and sign in again."
)
LIMITED: list[Step] = [
    STARTED,
    BEGUN,
    {"json": {"type": "error", "message": LIMIT}},
    {"json": {"type": "turn.failed", "error": {"message": LIMIT}}},
    {"exit": 1},
]
LOGGED_OUT: list[Step] = [{"err": REFRESH}, {"exit": 1}]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
@pytest.mark.parametrize("resumed", [True, False])
def test_every_engine_sorts_them(engine: Engine, resumed: bool) -> None:
    assert engine.sort(LIMIT, resumed=resumed) is Failure.USAGE_LIMIT
    assert engine.sort(REFRESH, resumed=resumed) is Failure.LOGIN


@pytest.mark.parametrize(
    ("steps", "reason", "shown"),
    [(LIMITED, "engine.usage_limit", "1:00 PM"), (LOGGED_OUT, "engine.login", "codex login")],
)
async def test_told_once_and_not_tried_again(
    tmp_path: Path, steps: list[Step], reason: str, shown: str
) -> None:
    play = Play(tmp_path / "play")
    play.steps(*steps)
    async with roost(configured(tmp_path, play.command)) as whole:
        first, queued = [await whole.submit(text) for text in ("one", "two")]
        for prompt in (first, queued):
            ended = await whole.ended(prompt)
            assert (ended.status, ended.reason) == (Status.FAILED, reason)
            assert shown in await whole.shown(prompt)
    assert len(play.starts) == 2
