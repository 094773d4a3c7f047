"""The command lines that our engine makes, tried with the real OpenCode."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from core.engines.opencode_run import OpenCodeRun
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
from core.wire.opencode_run import FORBIDDEN, REJECTED
from tests.support.chat_model import BAD_KEY
from tests.support.codex import script
from tests.support.oneshot import OneShot, opencode_config, said, session_of, tries
from tests.support.opencode import opencode

pytestmark = [pytest.mark.opencode, pytest.mark.timeout(180)]
"""A start takes three seconds, on a busy machine ten."""
OPENCODE = OpenCodeRun()
PLUGIN = """
import { writeFileSync } from "fs"
export const Plugin = async ({ directory }) => {
  writeFileSync(directory + "/ran", "")
  return {}
}
"""
__all__ = ["opencode"]


def test_a_turn_its_session_resumed_and_forked(opencode: OneShot) -> None:
    text = "--help\nis not what I want  \n\n"
    first = opencode.run(opencode.request(text))
    session = session_of(first)
    assert first[1] == TurnStarted()
    assert first[-2:] == [Usage(1200, 200, 34, context=1234), TurnCompleted()]
    assert said(first) == ["ECHO images=0 users=1: --help"]
    assert opencode.model.calls[0].users == [text]
    again = opencode.run(opencode.request("And again", session=session, model="scripted/test-model"))
    assert (session_of(again), said(again)) == (session, ["ECHO images=0 users=2: And again"])
    forked = opencode.played(
        OPENCODE.launch((opencode.program,), opencode.request("Elsewhere", fork=session))
    )
    assert session_of(forked) != session
    assert said(forked) == ["ECHO images=0 users=3: Elsewhere"]


@pytest.mark.parametrize("access", [Access.READ_ONLY, Access.WORKSPACE])
def test_what_a_project_brings_is_read_and_not_run(opencode: OneShot, access: Access) -> None:
    """Its plugin would act with all rights as OpenCode starts."""
    (opencode.project / "open.js").write_text(PLUGIN)
    (opencode.project / "opencode.json").write_text('{"plugin": ["./open.js"]}')
    (opencode.project / "AGENTS.md").write_text("Speak of otters.")
    opencode.run(opencode.request("Hello", access=access))
    assert not (opencode.project / "ran").exists()
    assert "Speak of otters." in str(opencode.model.calls[0])


def test_a_long_prompt_and_pictures_arrive(opencode: OneShot, tmp_path: Path) -> None:
    pictures = tmp_path / "a b.png", opencode.project / "-c.png"
    for path in pictures:
        Image.new("RGB", (4, 4), "red").save(path)
    text = "p" * 300_000
    events = opencode.run(opencode.request(text, images=tuple(map(str, pictures))))
    assert said(events)[0].startswith("ECHO images=2 users=1: ")
    assert opencode.model.calls[0].users[0].endswith(text)


def test_steps_and_a_plan(opencode: OneShot) -> None:
    path = str(opencode.project / "a.txt")
    prompt = script(
        [{"text": "I will."}, {"plan": [["one", "in_progress"], ["two", "pending"]]}],
        [{"write": {"path": path, "content": "hello"}}, {"shell": "echo hi; exit 3"}],
        [{"text": "fin"}],
    )
    events = opencode.run(opencode.request(prompt))
    steps = {event.kind: event for event in events if isinstance(event, ToolCall)}
    assert steps[ToolKind.EDIT].paths == (path,)
    ran = steps[ToolKind.EXECUTE]
    assert (ran.title, ran.exit_code, ran.progress) == ("echo hi; exit 3", 3, Progress.FAILED)
    assert [len(event.entries) for event in events if isinstance(event, PlanUpdated)] == [2]
    assert said(events) == ["I will.", "fin"]
    assert events[-1] == TurnCompleted()
    assert Path(path).read_text() == "hello"


@pytest.mark.parametrize(
    ("access", "inside", "outside", "command"),
    [
        (Access.READ_ONLY, False, False, False),
        (Access.WORKSPACE, True, False, True),
        (Access.FULL, True, True, True),
    ],
)
def test_the_access_is_asked_for(
    opencode: OneShot, tmp_path: Path, access: Access, inside: bool, outside: bool, command: bool
) -> None:
    paths = opencode.project / "in.txt", tmp_path / "out.txt", opencode.project / "ran.txt"
    events = opencode.run(opencode.request(tries(*paths), access=access))
    assert [path.exists() for path in paths] == [inside, outside, command]
    assert said(events) == ["fin"]
    denied = [event for event in events if isinstance(event, Denied)]
    assert denied == ([Denied(str(paths[1]), FORBIDDEN)] if access is Access.WORKSPACE else [])


def test_what_a_project_allows_an_agent_by_name_is_no_more(opencode: OneShot) -> None:
    allowed = {"permission": {"bash": "allow", "edit": "allow"}}
    config = {"agent": {"plan": allowed}, "permission": {"bash": "allow"}}
    (opencode.project / "opencode.json").write_text(json.dumps(config))
    prompt = script([{"shell": "touch ran"}], [{"text": "fin"}])
    assert said(opencode.run(opencode.request(prompt, access=Access.READ_ONLY))) == ["fin"]
    assert not (opencode.project / "ran").exists()


def test_what_nobody_can_be_asked_is_refused_and_ends_the_turn(opencode: OneShot) -> None:
    config = {**json.loads(opencode.env["OPENCODE_CONFIG_CONTENT"]), "permission": {"bash": "ask"}}
    opencode.extra["OPENCODE_CONFIG_CONTENT"] = json.dumps(config)
    events = opencode.run(opencode.request(script([{"shell": "touch asked"}], [{"text": "fin"}])))
    assert opencode.code == 0
    assert Denied("touch asked", REJECTED) in events
    assert events[-1] == TurnFailed(REJECTED)
    assert not (opencode.project / "asked").exists()


def test_failures_are_told_and_sort(opencode: OneShot) -> None:
    limited = opencode.run(opencode.request(script([{"status": 429, "message": "slow down"}])))
    assert isinstance(limited[-1], TurnFailed)
    assert OPENCODE.sort(limited[-1].text, resumed=False) is Failure.RATE_LIMIT
    assert limited[-1].until > 0
    assert TurnStarted() in limited
    on = opencode.run(opencode.request("carry on", session=session_of(limited)))
    assert said(on) == ["ECHO images=0 users=2: carry on"]
    opencode.extra["OPENCODE_CONFIG_CONTENT"] = opencode_config(opencode.model.url, key=BAD_KEY)
    refused = opencode.run(opencode.request("hi"))
    assert isinstance(refused[-1], TurnFailed)
    assert OPENCODE.sort(refused[-1].text, resumed=False) is Failure.LOGIN


def test_a_session_that_is_gone_and_an_unknown_model(opencode: OneShot) -> None:
    assert opencode.run(opencode.request("hi", session=SessionId("ses_doesnotexist"))) == []
    assert OPENCODE.sort(opencode.stderr, resumed=True) is Failure.SESSION_GONE
    events = opencode.run(opencode.request("hi", model="scripted/nope"))
    assert isinstance(events[-1], TurnFailed)
    assert OPENCODE.sort(events[-1].text, resumed=False) is Failure.OTHER
