"""The real Claude Code, seen from a chat: its models, and a session that was begun in its own terminal."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.claude import ScriptedClaude, scripted_claude
from tests.support.whole import Room, configured, roost

pytestmark = pytest.mark.claude
__all__ = ["scripted_claude"]


@pytest.fixture
def config(scripted_claude: ScriptedClaude, tmp_path: Path) -> Path:
    home = tmp_path / "roost"
    home.mkdir()
    words = json.dumps([str(scripted_claude.program)])
    return configured(home, ["codex"], first=f"[engines.claude]\ncommand = {words}\n")


async def test_models_are_offered_and_a_session_is_carried_on(
    config: Path, scripted_claude: ScriptedClaude
) -> None:
    async with roost(config, environ=scripted_claude.env) as whole:
        subprocess.run(
            [str(scripted_claude.program), "-p", "Count the stars"],
            cwd=whole.workspace,
            env=dict(scripted_claude.env),
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
        room = Room(whole)
        await room.says("/engine claude")
        await room.says("/model")
        assert "Opus" in room.chat.buttons()
        (said,) = await room.says("/model hiaku")
        assert said.startswith("Claude Code doesn’t know that model. It knows: default, opus, ")
        assert await room.says("/effort huge") == [
            "Claude Code doesn’t know that effort. It knows: low, medium, high, xhigh, max."
        ]
        (said,) = await room.says("/conversations")
        assert said.endswith("Begun in Claude Code itself:\n· Count the stars")
        (said,) = await room.presses("↪ Count the stars")
        assert said.splitlines()[:2] == ["Carrying on: Count the stars.", "› Count the stars"]
        await room.says("And the moons")
        prompt = await whole.ended(room.took[0])
        assert (await whole.answer(prompt.id)).text.startswith("ECHO images=0 users=2: And the moons")
