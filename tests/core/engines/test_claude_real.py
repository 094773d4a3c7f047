"""What our engine says to Claude Code and what it makes of the answers, tried with the real one."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest

from core.model.events import (
    Asked,
    AskKind,
    Compacted,
    Denied,
    Message,
    MessageDelta,
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
from core.model.project import Access
from core.wire.forms import DECLINE
from tests.support.claude import ScriptedClaude, check_replay, of, said, script, scripted_claude, speak
from tests.support.mcp_server import COMMAND

pytestmark = pytest.mark.claude
__all__ = ["scripted_claude"]


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
        ended = next(n for n, one in enumerate(talk.events) if isinstance(one, ToolCall) and one.output)
        assert Resolved(asked.key) in talk.events[:ended]  # its step may run for hours
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


@pytest.mark.parametrize(
    ("second", "came"),
    [
        (("", "3"), '{"action": "accept", "content": {"colour": "blue", "count": 3}}'),
        ((DECLINE, ""), '{"action": "decline"}'),
    ],
)
def test_a_form_of_an_mcp_server_is_filled_in(
    scripted_claude: ScriptedClaude, second: tuple[str, str], came: str
) -> None:
    servers = {"asker": {"command": COMMAND[0], "args": COMMAND[1:]}}
    home = Path(scripted_claude.env["HOME"])
    (home / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
    wish: dict[str, object] = {"tool": {"name": "mcp__asker__wish", "args": {}}}
    with speak(scripted_claude, script([wish], [{"text": "Thanks."}])) as talk:
        talk.until(lambda event: isinstance(event, Asked))
        colour, count = of(Asked, talk.events)
        assert (colour.kind, colour.title, colour.reason) == (
            AskKind.QUESTION,
            "How shall it be?\ncolour",
            "asker",
        )
        assert [one.label for one in colour.choices] == ["red", "blue", ""]
        assert (count.title, count.free) == ("How shall it be?\nHow many", True)
        talk.dialogue.answer(colour.key, "blue")
        assert talk.dialogue.due() == []
        talk.dialogue.answer(count.key, *second)
        talk.tell()
        talk.end()
        (step,) = [s for s in of(ToolCall, talk.events) if s.output]
        assert step.output == came
        assert {Resolved(colour.key), Resolved(count.key)} <= set(talk.events)


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


def sleeps(*, wanted: bool) -> bool:
    """Whether the step runs, once that is as it is *wanted*, or after ten seconds."""
    give_up = time.monotonic() + 10
    while True:
        found = bool(subprocess.run(["pgrep", "-f", "sleep 4321"], capture_output=True, check=False).stdout)
        if found is wanted or time.monotonic() > give_up:
            return found
        time.sleep(0.02)


def test_an_interrupt_in_a_step_leaves_nothing_running(scripted_claude: ScriptedClaude) -> None:
    """Not of a bare `sleep`, which Claude Code refuses at once."""
    command = "perl -e 'sleep 4321'"
    with speak(scripted_claude, script([{"shell": command}], [{"text": "Done."}])) as talk:
        talk.until(lambda event: isinstance(event, ToolCall))
        assert sleeps(wanted=True)
        talk.dialogue.interrupt()
        talk.tell()
        *_, last = talk.end()
        assert isinstance(last, TurnFailed)
        assert last.text.startswith("[Request interrupted by user")
        assert of(ToolCall, talk.events)[-1].progress is Progress.FAILED
        assert not sleeps(wanted=False)
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


def test_an_interrupt_ends_the_sub_agents_that_a_turn_waits_for(scripted_claude: ScriptedClaude) -> None:
    prompt = script([{"shell": "sleep 4322"}], [{"text": "Looked."}])
    task = {"description": "look", "prompt": prompt, "subagent_type": "general-purpose"}
    text = script([{"tool": {"name": "Task", "args": task}}], [{"text": "Told them."}])
    text = text.replace("SCRIPT>>", r"SCRIPT\u003e>", 1)  # the inner script's end, which is not this one's
    with speak(scripted_claude, text) as talk:
        talk.until(lambda event: isinstance(event, ToolCall) and event.title == "sleep 4322")
        talk.dialogue.interrupt()
        talk.tell()
        *_, last = talk.end()
        assert isinstance(last, TurnCompleted | TurnFailed)
        assert not subprocess.run(["pgrep", "-f", "sleep 4322"], capture_output=True, check=False).stdout
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
