"""Claude Code, OpenCode and Gemini, the real ones, asked outside any turn by a host that runs them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from core.dispatch.queries import Asker
from core.engines.acp import GEMINI, OPENCODE
from core.engines.claude import Claude, ClaudeSpoken
from core.engines.port import Engine
from core.hosts.local import LocalHost
from core.model.launch import Launch
from core.model.offers import chosen
from tests.support.acp_home import environment
from tests.support.agents import only
from tests.support.claude import ScriptedClaude, scripted_claude
from tests.support.codex import NOWHERE
from tests.support.oneshot import OneShot
from tests.support.opencode import opencode
from tests.support.store import new_agent

__all__ = ["opencode", "scripted_claude"]


def asker(engine: Engine, env: Mapping[str, str], data_dir: Path) -> Asker:
    host = LocalHost(data_dir)
    return Asker(lambda name: engine, lambda name: host, lambda engine: env, str, new_agent)


def agents(data_dir: Path) -> list[Path]:
    return list((data_dir / "agents").glob("*"))


@pytest.mark.claude
async def test_claudes_models_and_sessions(scripted_claude: ScriptedClaude, tmp_path: Path) -> None:
    engine = ClaudeSpoken(Claude(command=(str(scripted_claude.program),)))
    env, cwd, ask = (
        scripted_claude.env,
        str(scripted_claude.project),
        asker(engine, scripted_claude.env, tmp_path / "data"),
    )
    models = await ask.ask("claude", "local", engine.asking.models(env))
    opus = chosen(models, "opus")
    assert opus
    assert opus.efforts == ("low", "medium", "high", "xhigh", "max")
    assert chosen(models, "") == chosen(models, "default")
    words = [str(scripted_claude.program), "-p", "Count the stars"]
    subprocess.run(words, cwd=cwd, env=dict(env), check=True, capture_output=True, stdin=subprocess.DEVNULL)
    kept = engine.asking.sessions(cwd, env)
    assert kept
    (one,) = await ask.ask("claude", "local", kept)
    assert (one.title, one.cwd) == ("Count the stars", cwd)
    said = engine.asking.history(one.id, cwd, env)
    assert said
    first, second = await ask.ask("claude", "local", said)
    assert first == ("user", "Count the stars")
    assert second[0] == "assistant"
    elsewhere = engine.asking.sessions(str(tmp_path), env)
    assert elsewhere
    assert await ask.ask("claude", "local", elsewhere) == ()
    assert agents(tmp_path / "data") == []


@pytest.mark.opencode
@pytest.mark.timeout(180)
async def test_opencodes_models_and_sessions(opencode: OneShot, tmp_path: Path) -> None:
    engine = replace(OPENCODE, command=(opencode.program,))
    env, cwd, ask = opencode.env, str(opencode.project), asker(engine, opencode.env, tmp_path / "data")
    ask = replace(ask, bound=60.0)
    models = await ask.ask("opencode", "local", engine.asking.models(env))
    assert "scripted/test-model" in [model.name for model in models]
    assert await ask.ask("opencode", "local", engine.asking.sessions(cwd, env)) == ()
    opencode.run(opencode.request("Count the stars"))
    (one,) = await ask.ask("opencode", "local", engine.asking.sessions(cwd, env))
    assert one.cwd == cwd
    said = await ask.ask("opencode", "local", engine.asking.history(one.id, cwd, env))
    assert said[0][0] == "user"
    assert said[0][1].strip().startswith("Count the stars")
    assert said[-1] == ("assistant", "ECHO images=0 users=1: Count the stars")
    assert agents(tmp_path / "data") == []


@pytest.mark.gemini
@pytest.mark.timeout(120)
async def test_geminis_models(real_gemini: Path, tmp_path: Path) -> None:
    env = environment(NOWHERE, tmp_path / "home", "key")
    engine = replace(GEMINI, command=(str(real_gemini),))
    ask = replace(asker(engine, env, tmp_path / "data"), bound=60.0)
    models = await ask.ask("gemini", "local", engine.asking.models(env))
    assert "gemini-2.5-pro" in [model.name for model in models]
    assert await ask.ask("gemini", "local", engine.asking.sessions(str(tmp_path), env)) == ()
    assert agents(tmp_path / "data") == []


async def test_what_a_crash_left_behind_goes_with_the_next_sweep(tmp_path: Path) -> None:
    agent, before = new_agent(), LocalHost(tmp_path)
    await before.start(agent, Launch(("sleep", "60"), "", {"PATH": os.environ["PATH"]}, spoken=True))
    after = LocalHost(tmp_path)
    await after.sweep(only())
    assert agents(tmp_path) == []
