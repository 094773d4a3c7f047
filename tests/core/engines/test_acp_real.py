"""Turns of the real OpenCode and Gemini over ACP, on a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest
from PIL import Image

from core.engines.acp import GEMINI, OPENCODE, Acp
from core.engines.port import Failure, first_turn
from core.model.events import (
    Asked,
    EngineEvent,
    Grant,
    Message,
    MessageDelta,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp import AcpDialogue
from tests.support.acp_client import Agent, launched
from tests.support.acp_home import environment
from tests.support.acp_model import BAD_KEY, model, script

UNKNOWN = {"opencode": "ses_nope", "gemini": "99999999-2222-4333-8444-555555555555"}
TOOLS = {
    "opencode": {"shell": ("bash", {"description": "x"}), "path": "filePath", "write": "write"},
    "gemini": {
        "shell": ("run_shell_command", {"description": "x"}),
        "path": "file_path",
        "write": "write_file",
    },
}
REAL = [
    pytest.param(engine, id=engine.name, marks=getattr(pytest.mark, engine.name))
    for engine in (OPENCODE, GEMINI)
]


@dataclass(frozen=True)
class Place:
    """A real engine with a project, a home and a model of its own."""

    engine: Acp
    program: str
    project: Path
    env: dict[str, str]

    def request(self, text: str, **more: object) -> TurnRequest:
        chosen = "gemini-2.5-pro" if self.engine.name == "gemini" else "scripted/test-model"
        base = TurnRequest(str(self.project), text, Access.FULL, self.env, model=chosen)
        return replace(base, **more)  # type: ignore[arg-type]

    def agent(self, request: TurnRequest) -> AbstractContextManager[Agent]:
        launch, _ = first_turn(self.engine, (self.program,), request, "t0")
        return launched(launch)

    def first(self, request: TurnRequest) -> AcpDialogue:
        """Of the turn that the agent was launched with."""
        return self.engine.dialogue(request, "t0", warm=False)

    def shell(self, command: str) -> dict[str, object]:
        name, args = TOOLS[self.engine.name]["shell"]
        return {"tool": {"name": name, "args": {**args, "command": command}}}  # type: ignore[dict-item]

    def write(self, path: str) -> dict[str, object]:
        tools = TOOLS[self.engine.name]
        args = {tools["path"]: str(self.project / path), "content": "x\n"}
        return {"tool": {"name": tools["write"], "args": args}}

    def cold(self, text: str, **more: object) -> list[EngineEvent]:
        """A turn of a process of its own."""
        request = self.request(text, **more)
        with self.agent(request) as agent:
            return agent.turn(self.first(request))


@pytest.fixture(params=REAL)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    engine: Acp = request.param
    program = str(request.getfixturevalue(f"real_{engine.name}"))
    project = tmp_path / "project"
    project.mkdir()
    with model() as url:
        yield Place(engine, program, project, environment(url, tmp_path / "home", "scripted"))


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in events if isinstance(event, Message)]


def session(events: list[EngineEvent]) -> SessionId:
    (named,) = (event.session for event in events if isinstance(event, SessionStarted))
    return named


def test_turns_of_one_process_and_of_the_next(place: Place) -> None:
    hello = place.request("Hello")
    with place.agent(hello) as agent:
        first = agent.turn(place.first(hello))
        again = replace(hello, session=session(first))
        assert said(agent.turn(place.engine.dialogue(again, "t1", warm=True))) == ["images=0"]
    assert [type(event) for event in first[:2]] == [SessionStarted, TurnStarted]
    assert said(first) == ["images=0"]
    assert isinstance(first[-1], TurnCompleted)
    resumed = place.cold("And now?", session=session(first))
    assert session(resumed).strip() == session(first)
    assert said(resumed) == ["images=0"]


def test_steps_a_picture_and_files(place: Place) -> None:
    picture = place.project / "a b.png"
    Image.new("RGB", (4, 4), "red").save(picture)
    work = script([place.write("x.txt")], [place.shell("cat x.txt")], [{"text": "Done."}])
    request = place.request(work)
    with place.agent(request) as agent:
        events = agent.turn(place.first(request))
        looking = place.request("Look", session=session(events), images=(str(picture),))
        assert said(agent.turn(place.engine.dialogue(looking, "t1", warm=True))) == ["images=1"]
    assert (place.project / "x.txt").read_text() == "x\n"
    assert said(events) == ["Done."]
    steps = [event for event in events if isinstance(event, ToolCall)]
    assert {(step.kind, step.title) for step in steps} >= {
        (ToolKind.EDIT, str(place.project / "x.txt")),
        (ToolKind.EXECUTE, "cat x.txt"),
    }


@pytest.mark.parametrize("grant", [Grant.ONCE, Grant.DENY])
def test_a_person_is_asked_for_a_command(place: Place, grant: Grant) -> None:
    def answer(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, Asked):
            to.answer(event.key, next(one.id for one in event.choices if one.grant is grant))

    work = script([place.shell("touch made")], [{"text": "Done."}])
    request = place.request(work, access=Access.WORKSPACE, approvals=True)
    with place.agent(request) as agent:
        events = agent.turn(place.first(request), answer)
        again = place.first(request)
        for event in again.feed(agent.out):
            answer(again, event)
        assert {word.key for word in again.due()} <= place.engine.keys(agent.inp)
    (asked,) = (event for event in events if isinstance(event, Asked))
    assert asked.title == "touch made"
    assert (place.project / "made").exists() is (grant is Grant.ONCE)
    assert isinstance(events[-1], TurnCompleted)


@pytest.mark.parametrize(("access", "made"), [(Access.READ_ONLY, False), (Access.WORKSPACE, True)])
def test_an_access_holds_for_files_and_commands(place: Place, access: Access, made: bool) -> None:
    work = [place.write("in.txt")], [place.write("../out.txt")], [place.shell("touch made")]
    events = place.cold(script(*work, [{"text": "Done."}]), access=access)
    assert (place.project / "in.txt").exists() is made
    assert not (place.project.parent / "out.txt").exists()
    assert not (place.project / "made").exists()
    assert isinstance(events[-1], TurnCompleted)


def test_an_interrupt_in_a_stream_and_in_a_tool(place: Place) -> None:
    def stop(to: AcpDialogue, event: EngineEvent) -> None:
        if isinstance(event, MessageDelta) or (isinstance(event, ToolCall) and "sleep" in event.title):
            to.interrupt()

    request = place.request(script([{"text": "one two three four five six", "delay": 0.5}]))
    with place.agent(request) as agent:
        events = agent.turn(place.first(request), stop)
        assert events[-1] == TurnFailed("cancelled")
        work = script([place.shell("sleep 61.25")], [{"text": "Done."}])
        again = place.request(work, session=session(events))
        assert agent.turn(place.engine.dialogue(again, "t1", warm=True), stop)[-1] == TurnFailed("cancelled")
        family = psutil.Process(agent.process.pid).children(recursive=True)
        assert not [one for one in family if "61.25" in one.cmdline()]
        third = replace(again, text=script([{"text": "Here."}]))
        assert said(agent.turn(place.engine.dialogue(third, "t2", warm=True))) == ["Here."]


def test_failures(place: Place) -> None:
    gone = place.cold("Hello", session=SessionId(UNKNOWN[place.engine.name]))[-1]
    assert isinstance(gone, TurnFailed)
    assert place.engine.sort(gone.text, resumed=True) is Failure.SESSION_GONE
    place.env.update(GEMINI_API_KEY=BAD_KEY)
    place.env.update(
        OPENCODE_CONFIG_CONTENT=place.env["OPENCODE_CONFIG_CONTENT"].replace('"scripted"}', f'"{BAD_KEY}"}}')
    )
    login = place.cold("Hello")[-1]
    assert isinstance(login, TurnFailed)
    assert place.engine.sort(login.text, resumed=False) is Failure.LOGIN


def test_a_rate_limit(place: Place) -> None:
    limit = place.cold(script([{"status": 429}]))[-1]
    assert isinstance(limit, TurnFailed)
    assert place.engine.sort(limit.text, resumed=False) is Failure.RATE_LIMIT
