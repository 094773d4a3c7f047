"""The real OpenCode, seen from a chat: a session that was begun in its own terminal is carried on."""

from __future__ import annotations

import subprocess

import pytest

from tests.support.real import Real, real
from tests.support.whole import Room

pytestmark = [pytest.mark.opencode, pytest.mark.timeout(180)]
__all__ = ["real"]


@pytest.mark.parametrize("real", ["opencode"], indirect=True)
async def test_a_session_begun_in_the_terminal_is_carried_on_with_what_was_said(real: Real) -> None:
    async with real.whole() as whole:
        subprocess.run(
            [str(real.program), "run", "--model", "scripted/test-model", "Count the stars"],
            cwd=whole.workspace,
            env=dict(real.env),
            check=True,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
        room = Room(whole)
        await room.says("/engine opencode")
        (said,) = await room.says("/conversations")
        assert "Begun in OpenCode itself:" in said
        begun = next(label for label in room.chat.buttons() if label.startswith("↪"))
        (said,) = await room.presses(begun)
        assert "Count the stars" in said
        assert "ECHO images=0 users=1" in said
        await room.says("And the moons")
        prompt = await whole.ended(room.took[0], seconds=90)
        assert (await whole.answer(prompt.id)).text.startswith("ECHO images=0 users=2: And the moons")
