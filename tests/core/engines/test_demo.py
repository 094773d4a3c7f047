"""The built-in agent, started as Roost starts it and read as Roost reads it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.engines.demo import Demo
from core.engines.port import Engine, Failure
from core.model.events import (
    EngineEvent,
    Message,
    MessageDelta,
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


class Turns:
    """Runs turns of the demo agent in one project."""

    def __init__(self, project: Path, state: Path) -> None:
        self.project, self.state = project, state

    def run(
        self,
        text: str,
        *,
        session: SessionId | None = None,
        access: Access = Access.WORKSPACE,
        language: str = "en",
    ) -> list[EngineEvent]:
        engine: Engine = Demo()
        env = {"PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(self.state), "DEMO_PACE": "0"}
        asked = TurnRequest(str(self.project), text, access, env, session, language=language)
        launch = engine.launch(engine.command, asked)
        ran = subprocess.run(launch.argv, input=launch.input, env=launch.env, cwd=launch.cwd, stdout=-1)
        decoder = engine.dialogue(asked, "1")
        return decoder.feed(ran.stdout) + decoder.finish()


@pytest.fixture
def turns(tmp_path: Path) -> Turns:
    project = tmp_path / "project"
    project.mkdir()
    (project / "README.md").write_text("# Hello\n")
    (project / "a.py").write_text("print(1)\n" * 100)
    return Turns(project, tmp_path / "state")


def last_message(events: list[EngineEvent]) -> str:
    return [event.text for event in events if isinstance(event, Message)][-1]


def test_a_turn_shows_a_plan_steps_and_an_answer_with_its_picture(turns: Turns) -> None:
    events = turns.run("What is here?")
    assert isinstance(events[0], SessionStarted)
    assert (events[1], events[-1]) == (TurnStarted(), TurnCompleted())
    plans = [event for event in events if isinstance(event, PlanUpdated)]
    assert {entry.progress for entry in plans[-1].entries} == {Progress.COMPLETED}
    steps = [step for step in events if isinstance(step, ToolCall) and step.progress is Progress.COMPLETED]
    assert [step.kind for step in steps] == ["search", "read", "edit"]
    answer = last_message(events)
    assert "](output/project-1.webp)" in answer
    assert "| Python | 1 | 900 B |" in answer
    assert (turns.project / "output" / "project-1.webp").stat().st_size > 1_000
    assert "".join(event.text for event in events if isinstance(event, MessageDelta)) == answer


def test_each_answer_has_a_picture_of_its_own(turns: Turns) -> None:
    answers = [last_message(turns.run("Look")) for _ in range(2)]
    assert "project-1.webp" in answers[0]
    assert "project-2.webp" in answers[1]


def test_a_session_is_taken_up_again(turns: Turns) -> None:
    first = turns.run("echo one")[0]
    assert isinstance(first, SessionStarted)
    again = turns.run("Look", session=first.session)
    assert again[0] == first
    assert "turn 2 of our conversation; before it you wrote: “echo one”" in last_message(again)


def test_a_session_that_is_not_there_is_told(turns: Turns) -> None:
    (failed,) = turns.run("Hello", session=SessionId("../../etc/passwd"))
    assert isinstance(failed, TurnFailed)


def test_it_answers_in_the_language_that_is_asked_for(turns: Turns) -> None:
    assert "contient 2 fichiers" in last_message(turns.run("Regarde", language="fr"))


def test_a_title_comes_first_where_one_is_wanted(turns: Turns) -> None:
    answer = last_message(turns.run("Look\n\nBegin with <!-- roost-title: … -->"))
    assert answer.startswith("<!-- roost-title: A look at project -->\n**project** holds 2 files")


def test_where_it_may_only_read_it_draws_nothing(turns: Turns) -> None:
    answer = last_message(turns.run("Look", access=Access.READ_ONLY))
    assert "I may only read here" in answer
    assert not (turns.project / "output").exists()


@pytest.mark.parametrize(
    ("text", "failure"), [("fail", Failure.OTHER), ("Rate limit please", Failure.RATE_LIMIT)]
)
def test_trouble_can_be_tried(turns: Turns, text: str, failure: Failure) -> None:
    last = turns.run(text)[-1]
    assert isinstance(last, TurnFailed)
    assert Demo().sort(last.text, resumed=False) is failure


def test_a_package_of_the_project_cannot_step_in(turns: Turns) -> None:
    for name in ("core/__init__.py", "core/demo/__init__.py", "core/demo/__main__.py", "PIL.py", "json.py"):
        path = turns.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("raise SystemExit('hijacked')\n")
    assert turns.run("Look")[-1] == TurnCompleted()


def test_a_file_in_its_way_is_told(turns: Turns) -> None:
    (turns.project / "output").write_text("not a directory")
    events = turns.run("Look")
    assert events[-1] == TurnCompleted()
    assert "I could not put a picture into `output`" in last_message(events)


def test_a_picture_never_leaves_the_project(turns: Turns, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (turns.project / "output").symlink_to(outside)
    assert "![" not in last_message(turns.run("Look"))
    assert not list(outside.iterdir())
