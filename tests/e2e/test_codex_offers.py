"""What the real Codex offers to choose from, seen from a chat: its models, and its own sessions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.test_codex import configured_codex, whole_roost
from tests.support.codex import MODEL, ScriptedCodex, scripted_codex
from tests.support.whole import Room

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]


@pytest.fixture
def config(scripted_codex: ScriptedCodex, tmp_path: Path) -> Path:
    return configured_codex(scripted_codex, tmp_path, "app-server")


async def test_models_and_their_efforts_are_buttons_and_others_are_refused(
    config: Path, scripted_codex: ScriptedCodex
) -> None:
    async with whole_roost(config, scripted_codex, duty=False) as whole:
        room = Room(whole)
        assert await room.says("/model") == ["Model: as Codex is set up."]
        assert "GPT-5.5" in room.chat.buttons()
        (said,) = await room.says("/model gpt-0")
        assert said.startswith("Codex doesn’t know that model. It knows: ")
        assert MODEL in said
        assert (await whole.talk()).model == ""
        assert await room.says(f"/model {MODEL}") == [f"Model: {MODEL}."]
        await room.says("/effort")
        assert room.chat.buttons() == ["low", "medium", "high", "xhigh"]
        assert await room.says("/effort minimal") == [
            "Codex doesn’t know that effort. It knows: low, medium, high, xhigh."
        ]
        await whole.quiet()


async def test_a_session_begun_in_the_terminal_is_carried_on_in_the_chat(
    config: Path, scripted_codex: ScriptedCodex, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with whole_roost(config, scripted_codex) as whole:
        begin(scripted_codex, whole.workspace, "Count the *stars*")
        begin(scripted_codex, elsewhere, "Nothing of yours")
        room = Room(whole)
        (said,) = await room.says("/conversations")
        assert said.endswith("Begun in Codex itself:\n· Count the *stars*")
        assert room.chat.buttons() == ["↪ Count the *stars*"]
        (said,) = await room.presses("↪ Count the *stars*")
        assert said.splitlines() == [
            "Carrying on: Count the stars.",
            "› Count the *stars*",
            "‹ ECHO images=0 users=1: Count the *stars*",
        ]
        await room.says("And the moons")
        prompt = await whole.ended(room.took[0])
        assert (await whole.answer(prompt.id)).text.startswith("ECHO images=0 users=2: And the moons")
        (said,) = await room.says("/conversations")
        assert "Begun in Codex" not in said


def begin(codex: ScriptedCodex, cwd: Path, text: str) -> None:
    """A session that a person has begun with Codex's own program in *cwd*."""
    words = [str(codex.program), "exec", "--skip-git-repo-check", "-"]
    subprocess.run(
        words, cwd=cwd, env={**os.environ, **codex.env}, input=text.encode(), check=True, capture_output=True
    )
