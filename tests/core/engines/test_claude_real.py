"""What our engine says to Claude Code and what it makes of the answers, tried with the real one."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PIL import Image

from core.engines.claude import Claude, ClaudeSpoken
from core.engines.port import Failure
from core.model.events import (
    Asked,
    AskKind,
    Compacted,
    Denied,
    EngineEvent,
    LimitsUpdated,
    LimitWindow,
    Message,
    MessageDelta,
    Notice,
    PlanEntry,
    PlanUpdated,
    Progress,
    Reasoning,
    Resolved,
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
from core.wire.claude_sessions import folder, history, info
from tests.support.claude import ScriptedClaude, Talk, script, scripted_claude

pytestmark = pytest.mark.claude
__all__ = ["scripted_claude"]

UNKNOWN = SessionId("99999999-2222-4333-8444-555555555555")
E = TypeVar("E")


def of(kind: type[E], events: list[EngineEvent]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def said(events: list[EngineEvent]) -> list[str]:
    return [event.text for event in of(Message, events)]


def is_a(kind: type[object]) -> object:
    return lambda event: isinstance(event, kind)


def speak(claude: ScriptedClaude, text: str, access: Access = Access.FULL, **more: object) -> Talk:
    return Talk(claude, replace(claude.request(text, access), **more))  # type: ignore[arg-type]


def check_replay(talk: Talk) -> None:
    """What is built after a restart says the same, and nothing that is not told already."""
    events, dialogue = talk.replayed()
    assert events == talk.events
    assert {word.key for word in dialogue.due()} <= ClaudeSpoken().keys(talk.inp)


def test_an_answer_is_streamed_and_the_next_turn_is_warm(scripted_claude: ScriptedClaude) -> None:
    text = script([{"reasoning": "Hm."}, {"text": "one two three"}])
    with speak(scripted_claude, text) as talk:
        events = talk.end()
        first, started, *_ = events
        assert isinstance(first, SessionStarted)
        assert started == TurnStarted()
        (answer,) = of(Message, events)
        assert "".join(e.text for e in of(MessageDelta, events) if e.item == answer.item) == answer.text
        assert [e.text for e in of(Reasoning, events)] == ["Hm."]
        (usage,) = of(Usage, events)
        assert (usage.input, usage.cached, usage.output, usage.context) == (1200, 200, 34, 1234)
        assert usage.window >= 200_000
        assert usage.cost > 0
        assert events[-1] == TurnCompleted()
        check_replay(talk)
        talk.again(scripted_claude.request("And again"), "t2")
        again = talk.end()
        assert again[:2] == [first, started]
        assert said(again) == ["ECHO images=0 users=2: And again"]
        assert of(Usage, again) == [usage]
        check_replay(talk)


def test_steps_and_what_came_of_them(scripted_claude: ScriptedClaude) -> None:
    path = str(scripted_claude.project / "a.txt")
    text = script(
        [{"write": {"path": path, "content": "hello\n"}}],
        [{"shell": f"cat {path}"}, {"shell": "echo no >&2; exit 3"}],
        [{"tool": {"name": "mcp__x__y", "args": {}}}],
        [{"text": "Done."}],
    )
    with speak(scripted_claude, text) as talk:
        steps = of(ToolCall, talk.end())
        assert [
            (s.kind, s.title, s.exit_code, s.output) for s in steps if s.progress is not Progress.IN_PROGRESS
        ][:3] == [
            (ToolKind.EDIT, path, None, steps[1].output),
            (ToolKind.EXECUTE, f"cat {path}", 0, "hello"),
            (ToolKind.EXECUTE, "echo no >&2; exit 3", 3, "no"),
        ]
        assert steps[0].paths == (path,)
        assert {s.item for s in steps if s.progress is Progress.IN_PROGRESS} == {s.item for s in steps}
        check_replay(talk)


@pytest.mark.parametrize("choice", ["once", "always", "deny"])
def test_a_person_is_asked_for_a_step(scripted_claude: ScriptedClaude, choice: str) -> None:
    command = "touch x.txt; python3 -V"
    text = script([{"shell": command}], [{"shell": command}], [{"text": "Done."}])
    with speak(scripted_claude, text, Access.WORKSPACE, approvals=True) as talk:
        asked = talk.until(lambda event: isinstance(event, Asked))
        assert isinstance(asked, Asked)
        assert (asked.kind, asked.title) == (AskKind.COMMAND, command)
        assert "always" in [one.id for one in asked.choices]
        talk.dialogue.answer(asked.key, choice, "Not that." if choice == "deny" else "")
        talk.tell()
        again = talk.until(lambda event: isinstance(event, Asked | TurnCompleted))
        if isinstance(again, Asked):
            talk.dialogue.answer(again.key, "deny")
            talk.tell()
            talk.end()
        assert isinstance(again, Asked) is (choice != "always")
        assert Resolved(asked.key) in talk.events
        assert (scripted_claude.project / "x.txt").exists() is (choice != "deny")
        if choice == "deny":
            assert next(s.output for s in of(ToolCall, talk.events) if s.output) == "Not that."
        assert not of(Denied, talk.events)
        check_replay(talk)


def test_questions_of_the_agent_are_answered_one_by_one(scripted_claude: ScriptedClaude) -> None:
    questions = [
        {"question": f"{what}?", "header": what, "multiSelect": False, "options": options}
        for what, options in (
            ("Colour", [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]),
            ("Size", [{"label": "S", "description": "small"}, {"label": "L", "description": "large"}]),
        )
    ]
    ask: dict[str, object] = {"tool": {"name": "AskUserQuestion", "args": {"questions": questions}}}
    with speak(scripted_claude, script([ask], [{"text": "Thanks."}])) as talk:
        talk.until(lambda event: isinstance(event, Asked))
        colour, size = of(Asked, talk.events)
        assert (colour.kind, colour.title, colour.free) == (AskKind.QUESTION, "Colour?", True)
        assert [one.label for one in size.choices] == ["S", "L"]
        talk.dialogue.answer(size.key, "L")
        assert talk.dialogue.due() == []
        talk.dialogue.answer(colour.key, "", "Green, please")
        talk.tell()
        talk.end()
        (step,) = [s for s in of(ToolCall, talk.events) if s.output]
        assert '"Colour?"="Green, please"' in step.output
        assert '"Size?"="L"' in step.output
        check_replay(talk)


@pytest.mark.parametrize("access", [Access.READ_ONLY, Access.WORKSPACE])
def test_what_the_access_does_not_cover_is_refused(scripted_claude: ScriptedClaude, access: Access) -> None:
    path = scripted_claude.project / "w.txt"
    text = script(
        [{"write": {"path": str(path), "content": "x"}}],
        [{"shell": "touch y; python3 -V"}],
        [{"text": "Done."}],
    )
    with speak(scripted_claude, text, access) as talk:
        events = talk.end()
        assert path.exists() is (access is Access.WORKSPACE)
        assert [denied.title for denied in of(Denied, events)] == [
            *([str(path)] if access is Access.READ_ONLY else []),
            "touch y; python3 -V",
        ]
        assert events[-1] == TurnCompleted()
        check_replay(talk)


def test_an_interrupt_in_the_stream(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, script([{"text": "one two three four", "delay": 0.5}])) as talk:
        talk.until(lambda event: isinstance(event, MessageDelta))
        talk.dialogue.interrupt()
        talk.dialogue.interrupt()
        talk.tell()
        assert talk.end()[-1] == TurnFailed("[Request interrupted by user]")
        check_replay(talk)
        talk.again(scripted_claude.request("Still there?"), "t2")
        assert talk.end()[-1] == TurnCompleted()
        assert said(talk.events) == ["ECHO images=0 users=2: Still there?"]


def test_an_interrupt_in_a_step_leaves_nothing_running(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, script([{"shell": "sleep 4321"}], [{"text": "Done."}])) as talk:
        talk.until(lambda event: isinstance(event, ToolCall))
        talk.dialogue.interrupt()
        talk.tell()
        *_, last = talk.end()
        assert isinstance(last, TurnFailed)
        assert last.text.startswith("[Request interrupted by user")
        assert of(ToolCall, talk.events)[-1].progress is Progress.FAILED
        assert not subprocess.run(["pgrep", "-f", "sleep 4321"], capture_output=True, check=False).stdout
        check_replay(talk)


def test_an_interrupt_before_anything_was_said(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, script([{"sleep": 30}, {"text": "Done."}])) as talk:
        talk.dialogue.interrupt()
        talk.tell()
        assert isinstance(talk.end()[-1], TurnFailed)
        assert TurnStarted() not in talk.events
        check_replay(talk)


def test_what_is_said_during_a_step_reaches_the_running_turn(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, script([{"shell": "sleep 1"}], [{"text": "Done."}])) as talk:
        talk.until(lambda event: isinstance(event, ToolCall))
        talk.dialogue.steer("And that, too", "k1")
        talk.tell()
        talk.end()
        assert talk.events[-1] == TurnCompleted()
        messages = scripted_claude.model.calls[-1].body["messages"]
        assert "And that, too" in str(messages)
        check_replay(talk)


def test_what_is_said_during_the_last_words_is_answered_in_the_same_turn(
    scripted_claude: ScriptedClaude,
) -> None:
    with speak(scripted_claude, script([{"text": "one two three", "delay": 0.3}])) as talk:
        talk.until(lambda event: isinstance(event, MessageDelta))
        talk.dialogue.steer("And that, too", "k1")
        talk.tell()
        talk.end()
        assert said(talk.events) == ["one two three", "ECHO images=0 users=2: And that, too"]
        assert len(of(TurnCompleted, talk.events)) == 1
        check_replay(talk)


def test_sub_agents_are_steps_and_the_turn_waits_for_them(scripted_claude: ScriptedClaude) -> None:
    task = {"description": "look", "prompt": "Look around", "subagent_type": "general-purpose"}
    text = script([{"tool": {"name": "Task", "args": task}}], [{"sleep": 1}, {"text": "Told them."}])
    with speak(scripted_claude, text) as talk:
        events = talk.end()
        ends = [s for s in of(ToolCall, events) if s.progress is Progress.COMPLETED]
        assert [(s.title, s.output) for s in ends] == [("look", "ECHO images=0 users=1: Look around")]
        assert "ECHO images=0 users=1: Look around" not in said(events)
        assert len(of(TurnCompleted, events)) == 1
        check_replay(talk)


def test_a_command_in_the_background_ends_no_later_turn(scripted_claude: ScriptedClaude) -> None:
    run = {"command": "sleep 1", "run_in_background": True, "description": "bg"}
    text = script([{"tool": {"name": "Bash", "args": run}}], [{"text": "It runs."}])
    with speak(scripted_claude, text) as talk:
        assert said(talk.end()) == ["It runs."]
        talk.again(scripted_claude.request(script([{"sleep": 2}, {"text": "Later."}])), "t2")
        assert said(talk.end())[0] == "Later."
        check_replay(talk)


def test_tasks_are_a_plan(scripted_claude: ScriptedClaude) -> None:
    def tool(name: str, **arguments: str) -> dict[str, object]:
        return {"tool": {"name": name, "args": arguments}}

    text = script(
        [tool("TaskCreate", subject="write", description="d")],
        [tool("TaskCreate", subject="check", description="d")],
        [tool("TaskUpdate", taskId="1", status="completed")],
        [tool("TaskUpdate", taskId="2", status="in_progress")],
        [{"text": "Done."}],
    )
    env = {**scripted_claude.env, "ENABLE_TOOL_SEARCH": "false"}
    with speak(scripted_claude, text, env=env, model="claude-opus-4-6") as talk:
        talk.end()
        assert of(PlanUpdated, talk.events)[-1].entries == (
            PlanEntry("write", Progress.COMPLETED),
            PlanEntry("check", Progress.IN_PROGRESS),
        )
        assert not of(ToolCall, talk.events)


def test_compaction_is_a_turn(scripted_claude: ScriptedClaude) -> None:
    with speak(scripted_claude, "Hello") as talk:
        talk.end()
        talk.again(scripted_claude.request("/compact"), "t2")
        talk.end()
        (compacted,) = of(Compacted, talk.events)
        assert compacted.before > 0
        assert talk.events[-1] == TurnCompleted()
        assert not said(talk.events)
        check_replay(talk)


def test_a_session_is_resumed_and_forked_from_another_process(
    scripted_claude: ScriptedClaude, tmp_path: Path
) -> None:
    with speak(scripted_claude, "Hello") as talk:
        talk.end()
        (session,) = of(SessionStarted, talk.events)
    with speak(scripted_claude, "Again", session=session.session) as talk:
        assert said(talk.end()) == ["ECHO images=0 users=2: Again"]
        assert of(SessionStarted, talk.events) == [session]
    request = replace(scripted_claude.request("A fork"), session=session.session)
    with Talk(scripted_claude, request, fork=True) as talk:
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
    assert history(lines, 2)[0] == ("user", "Again")


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
        ({"status": 404}, Failure.OTHER),
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
