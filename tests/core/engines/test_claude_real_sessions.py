"""Claude Code's sessions, failures, pictures and one-shot turns, tried with the real one."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from core.engines.claude import Claude, ClaudeSpoken
from core.engines.port import Failure
from core.model.events import (
    EngineEvent,
    LimitsUpdated,
    LimitWindow,
    Message,
    Notice,
    SessionStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Usage,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.wire.claude_sessions import folder, history, info
from tests.support.claude import ScriptedClaude, Talk, check_replay, of, said, script, scripted_claude, speak

pytestmark = pytest.mark.claude
__all__ = ["scripted_claude"]


UNKNOWN = SessionId("99999999-2222-4333-8444-555555555555")


def test_a_session_is_resumed_and_forked_from_another_process(
    scripted_claude: ScriptedClaude, tmp_path: Path
) -> None:
    with speak(scripted_claude, "Hello") as talk:
        talk.end()
        (session,) = of(SessionStarted, talk.events)
    with speak(scripted_claude, "Again", session=session.session) as talk:
        assert said(talk.end()) == ["ECHO images=0 users=2: Again"]
        assert of(SessionStarted, talk.events) == [session]
    request = replace(scripted_claude.request("A fork"), fork=session.session)
    with Talk(scripted_claude, request) as talk:
        assert said(talk.end()) == ["ECHO images=0 users=3: A fork"]
        assert of(SessionStarted, talk.events) != [session]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with speak(scripted_claude, "Elsewhere", session=session.session, cwd=str(elsewhere)) as talk:
        assert said(talk.end()) == ["ECHO images=0 users=3: Elsewhere"]
    home = Path(scripted_claude.env["HOME"])
    kept = home / ".claude" / "projects" / folder(str(scripted_claude.project)) / f"{session.session}.jsonl"
    lines = kept.read_bytes().splitlines()
    found = info(lines)
    assert found
    assert (found.id, found.title, found.cwd) == (session.session, "Hello", str(scripted_claude.project))
    assert found.updated_at > 1_700_000_000
    assert history(lines, 4)[0] == ("user", "Again")


def test_a_prompt_that_the_session_holds_already_is_not_answered_again(
    scripted_claude: ScriptedClaude,
) -> None:
    with speak(scripted_claude, "Hello") as talk:
        talk.end()
        (session,) = of(SessionStarted, talk.events)
    request = replace(talk.request, session=session.session)
    with Talk(scripted_claude, request, talk.turn) as talk:
        assert talk.end() == [TurnFailed("prompt completed")]
    assert len(scripted_claude.model.calls) == 1


def test_a_session_that_is_gone(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, "Hello", session=UNKNOWN) as talk:
        (failed,) = talk.end()
        assert isinstance(failed, TurnFailed)
        assert ClaudeSpoken().sort(failed.text, resumed=True) is Failure.SESSION_GONE


@pytest.mark.parametrize(
    ("action", "failure"),
    [
        ({"status": 429}, Failure.RATE_LIMIT),
        ({"status": 401}, Failure.LOGIN),
        ({"status": 404}, Failure.MODEL),
        (
            {"status": 400, "message": "prompt is too long: 250000 tokens > 200000 maximum"},
            Failure.CONTEXT_FULL,
        ),
    ],
)
def test_a_failure_is_said_once_and_sorts(
    scripted_claude: ScriptedClaude, action: dict[str, object], failure: Failure
) -> None:
    with speak(scripted_claude, script([action])) as talk:
        *before, last = talk.end()
        assert isinstance(last, TurnFailed)
        assert ClaudeSpoken().sort(last.text, resumed=False) is failure
        assert not of(Message, before)
        assert TurnStarted() in before
        assert bool(of(Notice, before)) is (action["status"] in (401, 429))
        (session,) = of(SessionStarted, before)
        check_replay(talk)
    with speak(scripted_claude, "Carry on", session=session.session) as talk:
        talk.end()
        assert len(scripted_claude.model.calls[-1].users) == 2  # the session holds the prompt


def test_an_accounts_limit_tells_when_it_ends(scripted_claude: ScriptedClaude) -> None:
    limit = {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": "1996070000",
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
        "anthropic-ratelimit-unified-overage-status": "rejected",
    }
    env = {k: v for k, v in scripted_claude.env.items() if k != "ANTHROPIC_API_KEY"}
    env["CLAUDE_CODE_OAUTH_TOKEN"] = "sk-ant-oat01-scripted"
    with speak(scripted_claude, script([{"status": 429, "headers": limit}]), env=env) as talk:
        *before, last = talk.end()
        assert isinstance(last, TurnFailed)
        assert last.until == 1_996_070_000
        assert ClaudeSpoken().sort(last.text, resumed=True) is Failure.USAGE_LIMIT
        assert of(LimitsUpdated, before) == [LimitsUpdated((LimitWindow(100.0, 18_000.0, 1_996_070_000.0),))]


def test_pictures_reach_the_model(scripted_claude: ScriptedClaude, tmp_path: Path) -> None:
    images = (str(scripted_claude.project / "in.png"), str(tmp_path / "out side.png"))
    for image in images:
        Image.new("RGB", (4, 4), "red").save(image)
    with speak(scripted_claude, "What is it?", Access.WORKSPACE, images=images) as talk:
        talk.end()
        assert str(scripted_claude.model.calls[-1].body["messages"]).count("'image/png'") == 2
        assert talk.events[-1] == TurnCompleted()


def once(
    claude: ScriptedClaude, text: str, access: Access = Access.FULL, **env: str
) -> tuple[list[EngineEvent], str]:
    request = replace(claude.request(text, access), env={**claude.env, **env})
    launch = Claude().launch((str(claude.program),), request)
    ran = subprocess.run(
        launch.argv, input=launch.input, env=launch.env, cwd=launch.cwd, capture_output=True, timeout=50
    )
    decoder = Claude().decoder()
    return decoder.feed(ran.stdout) + decoder.finish(), ran.stderr.decode()


def test_one_turn_for_each_process(scripted_claude: ScriptedClaude) -> None:
    events, _ = once(scripted_claude, "-x\nand a second line")
    assert [type(event) for event in events] == [SessionStarted, TurnStarted, Message, Usage, TurnCompleted]
    assert said(events) == ["ECHO images=0 users=1: -x"]
    assert scripted_claude.model.calls[-1].users == ["-x\nand a second line"]


def test_one_process_waits_for_its_sub_agents(scripted_claude: ScriptedClaude) -> None:
    task = {"description": "look", "prompt": "Look around", "subagent_type": "general-purpose"}
    events, _ = once(
        scripted_claude, script([{"tool": {"name": "Task", "args": task}}], [{"text": "Told them."}])
    )
    assert len(of(TurnCompleted, events)) == 1
    assert isinstance(events[-1], TurnCompleted)


def test_root_may_have_no_full_access_without_a_word_about_it(scripted_claude: ScriptedClaude) -> None:
    events, stderr = once(scripted_claude, "Hello", IS_SANDBOX="")
    assert bool(events) is ("root" not in stderr)
