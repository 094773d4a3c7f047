"""The command lines that our engine makes, tried with the real Gemini CLI."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.engines.gemini_stream import GeminiStream
from core.engines.port import Failure
from core.model.events import (
    Denied,
    PlanUpdated,
    Progress,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Usage,
)
from core.model.ids import SessionId
from core.model.project import Access
from tests.support.chat_model import BAD_KEY, ChatModel
from tests.support.codex import script
from tests.support.oneshot import OneShot, environment, said, session_of, tries

pytestmark = [pytest.mark.gemini, pytest.mark.timeout(180)]
"""A start takes three seconds, on a busy machine ten."""
GEMINI = GeminiStream(model="gemini-2.5-pro")
SETTINGS: dict[str, dict[str, object]] = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "general": {"disableAutoUpdate": True},
}
UNKNOWN = SessionId("99999999-2222-4333-8444-555555555555")
SIGTERM_SECONDS = 5


@pytest.fixture
def gemini(real_gemini: Path, tmp_path: Path) -> Iterator[OneShot]:
    project, home = tmp_path / "project", tmp_path / "home"
    project.mkdir()
    with ChatModel() as model:
        env = {**environment(home), "GEMINI_API_KEY": "scripted", "GOOGLE_GEMINI_BASE_URL": model.url}
        (home / ".gemini").mkdir()
        (home / ".gemini" / "settings.json").write_text(json.dumps(SETTINGS))
        yield OneShot(GEMINI, str(real_gemini), project, model, env)


def test_a_turn_and_its_session_resumed(gemini: OneShot) -> None:
    text = "--help\nis not what I want  \n\n"
    first = gemini.run(gemini.request(text))
    session = session_of(first)
    assert first[1] == TurnStarted()
    assert first[-2:] == [Usage(1200, 200, 34), TurnCompleted()]
    assert said(first) == ["ECHO images=0 users=1: --help"]
    assert gemini.model.calls[0].users[-1].endswith(text)
    again = gemini.run(gemini.request("And again", session=session))
    assert (session_of(again), said(again)) == (session, ["ECHO images=0 users=2: And again"])


@pytest.mark.parametrize("kept", [True, False])
def test_a_resumed_session_is_there_after_another_start_where_nothing_is_cleared(
    gemini: OneShot, kept: bool
) -> None:
    """Each that is resumed has an empty file beside it from then on, named after the minute and the first
    eight characters of the id, which no argument changes; a start clears empty ones away, and all of that
    id with them. That is off by the person's own settings alone: those of the system have to be root's."""
    home = gemini.project.parent / "home" / ".gemini"
    if kept:
        general = {**SETTINGS["general"], "sessionRetention": {"enabled": False}}
        (home / "settings.json").write_text(json.dumps({**SETTINGS, "general": general}))
    session = session_of(gemini.run(gemini.request("One")))
    (file,) = home.glob("tmp/*/chats/session-*.jsonl")
    file.rename(file.with_name(f"session-2026-01-01T00-00-{file.stem.rpartition('-')[2]}.jsonl"))
    assert said(gemini.run(gemini.request("Two", session=session))) == ["ECHO images=0 users=2: Two"]
    assert said(gemini.run(gemini.request("Another"))) == ["ECHO images=0 users=1: Another"]
    again = gemini.run(gemini.request("Three", session=session))
    assert said(again) == ["ECHO images=0 users=3: Three"] * kept
    assert kept or GEMINI.sort(gemini.stderr, resumed=True) is Failure.SESSION_GONE


def test_a_long_prompt_arrives(gemini: OneShot) -> None:
    text = "p" * 300_000
    assert gemini.run(gemini.request(text))[-1] == TurnCompleted()
    assert gemini.model.calls[0].users[-1] == text


def test_steps_and_a_plan(gemini: OneShot) -> None:
    path = str(gemini.project / "a.txt")
    prompt = script(
        [{"text": "I will."}, {"plan": [["one", "in_progress"], ["two", "pending"]]}],
        [{"write": {"path": path, "content": "hello"}}, {"shell": "echo hi"}],
        [{"text": "fin"}],
    )
    events = gemini.run(gemini.request(prompt, access=Access.FULL))
    done = [e for e in events if isinstance(e, ToolCall) and e.progress is Progress.COMPLETED]
    assert [(step.kind, step.title) for step in done] == [
        (ToolKind.EDIT, path),
        (ToolKind.EXECUTE, "echo hi"),
    ]
    assert [len(event.entries) for event in events if isinstance(event, PlanUpdated)] == [2]
    assert said(events) == ["I will.", "fin"]
    assert Path(path).read_text() == "hello"


@pytest.mark.parametrize(
    ("access", "inside", "command"),
    [(Access.READ_ONLY, False, False), (Access.WORKSPACE, True, False), (Access.FULL, True, True)],
)
def test_the_access_is_asked_for(
    gemini: OneShot, tmp_path: Path, access: Access, inside: bool, command: bool
) -> None:
    paths = gemini.project / "in.txt", tmp_path / "out.txt", gemini.project / "ran.txt"
    events = gemini.run(gemini.request(tries(*paths), access=access))
    assert [path.exists() for path in paths] == [inside, False, command]
    assert said(events) == ["fin"]
    denied = [event.title for event in events if isinstance(event, Denied)]
    assert str(paths[1]) in denied
    assert (str(paths[0]) in denied) != inside


def test_failures_are_told_and_sort(gemini: OneShot) -> None:
    gemini.extra["GEMINI_API_KEY"] = BAD_KEY
    refused = gemini.run(gemini.request("hi"))
    assert isinstance(refused[-1], TurnFailed)
    assert GEMINI.sort(refused[-1].text, resumed=False) is Failure.LOGIN
    assert TurnStarted() not in refused
    assert gemini.run(gemini.request("hi", session=session_of(refused))) == []
    assert (gemini.code, GEMINI.sort(gemini.stderr, resumed=True)) == (42, Failure.SESSION_GONE)
    gemini.extra["GEMINI_API_KEY"] = ""
    assert gemini.run(gemini.request("hi")) == []
    assert (gemini.code, GEMINI.sort(gemini.stderr, resumed=False)) == (41, Failure.LOGIN)


def test_a_signal_ends_it_at_once(gemini: OneShot) -> None:
    launch = GEMINI.launch((gemini.program,), gemini.request(script([{"text": "a"}, {"sleep": 60}])))
    with subprocess.Popen(
        launch.argv, env=launch.env, cwd=launch.cwd, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(launch.input)
        process.stdin.close()
        decoder = GEMINI.decoder()
        events = decoder.feed(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        process.wait(SIGTERM_SECONDS)
        events += decoder.feed(process.stdout.read()) + decoder.finish()
    assert session_of(events)
    assert not [event for event in events if isinstance(event, TurnCompleted | TurnFailed)]
