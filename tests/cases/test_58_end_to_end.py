"""Case 58: an agent that reads its input to the end finds the prompt there once, and the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn


async def test_the_prompt_stands_there_once_and_the_turn_ends(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    reading = ({"err": "Reading additional input from stdin..."}, {"read_stdin": "eof"})
    play.steps(*reading, *turn(says("FINAL-58")))
    async with roost(configured(tmp_path, play.command)) as whole, asyncio.timeout(5):
        prompt = await whole.ask("what is this? Größe €")
        assert prompt.status is Status.DONE
        assert (await whole.answer(prompt.id)).text == "FINAL-58"
    (start,) = play.starts
    assert start.stdin.startswith("what is this? Größe €\n".encode())
    assert start.stdin.count(b"what is this?") == 1
    assert not any("what is this?" in word for word in start.argv)
