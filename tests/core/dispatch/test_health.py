"""A prompt is not wasted on an engine that surely can't work: one sentence, and the message is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import roost, says, turn


def installed(home: Path) -> tuple[Path, Play, dict[str, str]]:
    """Codex under its own name on the PATH, with a home of its own; the settings don't name it."""
    play = Play(home / "play")
    play.steps(*turn(says("Here.")))
    program = home / "bin" / "codex"
    program.parent.mkdir()
    command = " ".join(f"'{word}'" for word in play.command)
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    program.chmod(0o755)
    config = home / "roost.toml"
    config.write_text(f'data_dir = "{home / "data"}"\n[engines.codex]\ntransport = "exec"\n')
    path = f"{program.parent}:{Path(sys.executable).parent}:/usr/bin:/bin"
    return config, play, {**os.environ, "HOME": str(home), "PATH": path}


async def test_logged_out_it_fails_before_an_agent_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, play, environ = installed(tmp_path)
    monkeypatch.setenv("PATH", environ["PATH"])
    async with roost(config, environ=environ) as whole:
        first = await whole.ask()
        assert (first.status, first.reason, first.detail) == (Status.FAILED, "engine.login", "")
        assert await whole.shown(first.id) == (
            "Codex isn’t logged in on nest. There: codex login. Your message is kept."
        )
        assert play.starts == []
        (tmp_path / ".codex").mkdir()
        (tmp_path / ".codex/auth.json").write_text("{}")
        assert (await whole.ask()).status is Status.DONE
    assert len(play.starts) == 1


async def test_a_missing_program_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config, _, environ = installed(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    async with roost(config, environ=environ) as whole:
        ended = await whole.ask()
        assert (ended.status, ended.reason) == (Status.FAILED, "engine.missing")
        assert await whole.shown(ended.id) == (
            "Codex is not installed on nest, or can’t be started. Put it right there, then try again. "
            "Your message is kept."
        )
