"""Case 54: 5 MB on stderr in the middle of a turn hold nobody up, and do not fill the disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn, until


async def test_the_turn_ends_and_the_end_of_stderr_is_kept(tmp_path: Path) -> None:
    play, go = Play(tmp_path / "play"), tmp_path / "go"
    play.steps(*turn({"fill_err": 5_000_000}, {"wait_for": str(go)}, says("FINAL-54")))
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(10):
        prompt = await whole.submit()
        errors = whole.app.data_dir / "agents"
        await until(lambda: any(file.stat().st_size > 4_000_000 for file in errors.glob("*/err")))
        await until(lambda: all(file.stat().st_size <= 64 * 1024 for file in errors.glob("*/err")))
        go.touch()
        assert (await whole.ended(prompt)).status is Status.DONE
        assert (await whole.answer(prompt)).text == "FINAL-54"
