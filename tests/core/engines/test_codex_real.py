"""The command lines that our engine makes, tried with the real Codex."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from core.engines.codex import Codex
from core.engines.port import Failure
from core.model.events import (
    EngineEvent,
    Message,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Usage,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from tests.support.codex import ScriptedCodex, scripted_codex

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]

UNKNOWN = SessionId("01a22b5f-0000-7213-a3bd-e7801b866283")


class Turns:
    """Runs turns in one project and reads them with our decoder."""

    def __init__(self, codex: ScriptedCodex, project: Path) -> None:
        self.codex, self.project = codex, project
        self.stderr = ""

    def run(
        self,
        text: str,
        *,
        session: SessionId | None = None,
        images: tuple[str, ...] = (),
        access: Access = Access.WORKSPACE,
        effort: str = "",
    ) -> list[EngineEvent]:
        request = TurnRequest(
            str(self.project), text, access, self.codex.env, session, "gpt-5.5", effort, images
        )
        launch = Codex().launch((str(self.codex.program),), request)
        ran = subprocess.run(
            launch.argv, input=launch.input, env=launch.env, cwd=launch.cwd, capture_output=True, timeout=50
        )
        self.stderr = ran.stderr.decode()
        decoder = Codex().decoder()
        return decoder.feed(ran.stdout) + decoder.finish()


@pytest.fixture
def turns(scripted_codex: ScriptedCodex, tmp_path: Path) -> Turns:
    project = tmp_path / "project"
    project.mkdir()
    return Turns(scripted_codex, project)


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[str, ...]:
    paths = tmp_path / "a b.png", tmp_path / "-c.png"
    for path in paths:
        Image.new("RGB", (4, 4), "red").save(path)
    return tuple(map(str, paths))


def script(*rounds: list[dict[str, object]]) -> str:
    return f"<<SCRIPT {json.dumps(rounds)} SCRIPT>>"


def started(events: list[EngineEvent]) -> SessionId:
    first = events[0]
    assert isinstance(first, SessionStarted)
    return first.session


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Message)]


def test_a_turn_and_its_session_resumed(turns: Turns) -> None:
    first = turns.run("Hello\nand a second line", effort="high")
    session = started(first)
    (answer,) = (event for event in first if isinstance(event, Message))
    assert first == [
        SessionStarted(session),
        TurnStarted(),
        Message(answer.item, "ECHO images=0 users=1: Hello"),
        Usage(1200, 200, 34, cumulative=True),
        TurnCompleted(),
    ]
    again = turns.run("And again", session=session)
    assert started(again) == session
    assert said(again) == ["ECHO images=0 users=2: And again"]
    assert Usage(2400, 400, 68, cumulative=True) in again
    assert turns.codex.model.calls[0].effort == "high"
    assert turns.codex.model.calls[1].users == ["Hello\nand a second line", "And again"]


def test_the_model_gets_exactly_what_the_person_wrote(turns: Turns) -> None:
    text = "--help me, é\u202e\n\n  -x\n"
    assert started(turns.run(text))
    assert turns.codex.model.calls[-1].users == [text]


def test_pictures_go_with_a_new_session_and_with_a_resumed_one(
    turns: Turns, pictures: tuple[str, ...]
) -> None:
    first = turns.run("What is it?", images=pictures)
    assert said(first) == ["ECHO images=2 users=1: What is it?"]
    again = turns.run("And this?", session=started(first), images=pictures)
    assert said(again) == ["ECHO images=2 users=2: And this?"]


def test_steps_plan_and_files(turns: Turns) -> None:
    events = turns.run(
        script(
            [{"plan": [["write", "in_progress"]]}],
            [{"write": {"path": "a.txt", "content": "hello"}}],
            [{"shell": "sleep 0.3; cat 'a.txt'"}],
            [{"text": "Done."}],
        )
    )
    steps = [event for event in events if isinstance(event, ToolCall)]
    path = str(turns.project / "a.txt")
    assert (turns.project / "a.txt").read_text() == "hello\n"
    assert any(isinstance(event, PlanUpdated) and event.entries[0].text == "write" for event in events)
    assert [(step.kind, step.title, step.progress) for step in steps] == [
        (ToolKind.EDIT, path, Progress.IN_PROGRESS),
        (ToolKind.EDIT, path, Progress.COMPLETED),
        (ToolKind.EXECUTE, "sleep 0.3; cat 'a.txt'", Progress.IN_PROGRESS),
        (ToolKind.EXECUTE, "sleep 0.3; cat 'a.txt'", Progress.COMPLETED),
    ]
    assert (steps[-1].output, steps[-1].exit_code) == ("hello\n", 0)


@pytest.mark.parametrize(("access", "written"), [(Access.READ_ONLY, False), (Access.WORKSPACE, True)])
def test_the_sandbox_holds(turns: Turns, access: Access, written: bool) -> None:
    turns.run(script([{"shell": "sleep 0.3; echo x > x.txt"}], [{"text": "Done."}]), access=access)
    assert (turns.project / "x.txt").exists() is written


def test_full_access_leaves_the_project(turns: Turns, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    turns.run(script([{"shell": f"echo x > {outside}"}], [{"text": "Done."}]), access=Access.FULL)
    assert outside.exists()


@pytest.mark.parametrize(
    ("status", "failure"), [(429, Failure.RATE_LIMIT), (401, Failure.LOGIN), (404, Failure.OTHER)]
)
def test_a_failure_is_said_once_and_sorts(turns: Turns, status: int, failure: Failure) -> None:
    *before, last = turns.run(script([{"status": status}]))
    assert isinstance(last, TurnFailed)
    assert [type(event) for event in before] == [SessionStarted, TurnStarted]
    assert Codex().sort(last.text, resumed=False) is failure


def test_after_a_rate_limit_the_session_holds_the_prompt_already(turns: Turns) -> None:
    session = started(turns.run(script([{"status": 429}])))
    turns.run("Carry on.", session=session)
    assert len(turns.codex.model.calls[-1].users) == 2


def test_a_session_that_is_gone_is_told_on_stderr_alone(turns: Turns) -> None:
    assert turns.run("Hello", session=UNKNOWN) == []
    assert Codex().sort(turns.stderr, resumed=True) is Failure.SESSION_GONE
    assert Codex().sort(turns.stderr, resumed=False) is Failure.OTHER


def test_a_session_that_is_no_uuid_silently_becomes_a_new_one(turns: Turns) -> None:
    assert started(turns.run("Hello", session=SessionId("nosuchname"))) != "nosuchname"
