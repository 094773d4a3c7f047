"""Cursor's engine with a stand-in after the documented format; of Cursor's own program it proves nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.engines.cursor import Cursor
from core.engines.port import Engine, Failure
from core.model.events import (
    Denied,
    EngineEvent,
    Message,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from tests.support import cursor_agent
from tests.support.engines import decoder_of

PROGRAM = (sys.executable, cursor_agent.__file__)


class Turns:
    def __init__(self, project: Path) -> None:
        self.project = project
        self.stderr = ""

    def run(
        self, text: str, *, session: SessionId | None = None, access: Access = Access.WORKSPACE
    ) -> list[EngineEvent]:
        engine: Engine = Cursor(model="composer")
        env = {"PATH": os.environ["PATH"], "CURSOR_CONFIG_DIR": str(self.project.parent / "cursor")}
        asked = TurnRequest(str(self.project), text, access, env, session)
        launch = engine.launch(PROGRAM, asked)
        ran = subprocess.run(
            launch.argv, input=launch.input, env=launch.env, cwd=launch.cwd, capture_output=True
        )
        self.stderr = ran.stderr.decode()
        decoder = decoder_of(engine)
        return decoder.feed(ran.stdout) + decoder.finish()


@pytest.fixture
def turns(tmp_path: Path) -> Turns:
    project = tmp_path / "project"
    project.mkdir()
    return Turns(project)


@pytest.mark.parametrize(
    ("access", "words"),
    [
        (Access.READ_ONLY, "--mode plan --resume s"),
        (Access.WORKSPACE, "--resume s"),
        (Access.FULL, "--force --resume s"),
    ],
)
def test_the_command_line(access: Access, words: str) -> None:
    asked = TurnRequest("/p", "-hello\n", access, {"HOME": "/h"}, SessionId("s"), "m")
    launch = Cursor().launch(("cursor-agent",), asked)
    assert " ".join(launch.argv) == f"cursor-agent -p --output-format stream-json --trust --model m {words}"
    assert (launch.input, launch.env) == (b"-hello\n", {"HOME": "/h"})


@pytest.mark.parametrize("access", list(Access))
def test_a_turn_and_its_session_resumed(turns: Turns, access: Access) -> None:
    first = turns.run("--help me", access=access)
    started = first[0]
    assert isinstance(started, SessionStarted)
    assert first[1] == TurnStarted()
    assert first[-1] == TurnCompleted("ECHO users=1: --help me")
    again = turns.run("Again", session=started.session, access=access)
    assert (again[0], again[-1]) == (started, TurnCompleted("ECHO users=2: Again"))


def test_steps_a_plan_and_an_answer_without_its_remarks(turns: Turns) -> None:
    events = turns.run("Work\ntodo\nwrite a.txt\nshell echo hi; exit 3\nreject")
    (plan,) = (event for event in events if isinstance(event, PlanUpdated))
    assert [entry.progress for entry in plan.entries] == [Progress.IN_PROGRESS, Progress.PENDING]
    done = [e for e in events if isinstance(e, ToolCall) and e.progress is not Progress.IN_PROGRESS]
    assert [(step.kind, step.title, step.exit_code) for step in done] == [
        ("edit", "a.txt", None),
        ("execute", "echo hi; exit 3", 3),
        ("execute", "rm -rf x", None),
    ]
    assert Denied("rm -rf x", "not in the allowlist") in events
    assert events[-1] == TurnCompleted("ECHO users=1: Work")
    assert next(event.text for event in events if isinstance(event, Message)) == "I will write. "


def test_a_failed_result_is_a_failure(turns: Turns) -> None:
    last = turns.run("fail You've hit your usage limit")[-1]
    assert last == TurnFailed("You've hit your usage limit")
    assert Cursor().sort("You've hit your usage limit", resumed=False) is Failure.USAGE_LIMIT


@pytest.mark.parametrize(
    ("text", "session", "failure"),
    [
        ("login", None, Failure.LOGIN),
        ("hi", SessionId("nowhere"), Failure.SESSION_GONE),
        ("trust", None, Failure.OTHER),
    ],
)
def test_what_it_says_on_stderr_alone_sorts(
    turns: Turns, text: str, session: SessionId | None, failure: Failure
) -> None:
    assert turns.run(text, session=session) == []
    assert Cursor().sort(turns.stderr, resumed=session is not None) is failure
    assert Cursor().sort("Error: Chat x not found", resumed=False) is Failure.OTHER
