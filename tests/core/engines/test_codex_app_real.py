"""Turns of the real Codex over its app server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from core.engines.port import Failure
from core.model.events import (
    AskKind,
    Compacted,
    EngineEvent,
    Message,
    MessageDelta,
    PlanUpdated,
    Progress,
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
from core.model.offers import Account, Model
from core.model.project import Access
from core.wire.codex_queries import account, fork, models, sessions
from core.wire.jsonrpc import keys
from tests.support.codex import MODEL, ScriptedCodex, script, scripted_codex
from tests.support.codex_app import ENGINE, Stage, asked, escalated, running, said, session_of, sleepers
from tests.support.spoken import ended

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]

UNKNOWN = SessionId("01a22b5f-0000-7213-a3bd-e7801b866283")


@pytest.fixture
def stage(scripted_codex: ScriptedCodex, tmp_path: Path) -> Stage:
    project = tmp_path / "project"
    project.mkdir()
    return Stage(scripted_codex, project)


def test_a_streamed_answer_and_a_warm_turn(stage: Stage) -> None:
    process, dialogue = stage.start(stage.request("Hello\nand more", effort="high"))
    with process:
        first = process.run(dialogue)
        session = session_of(first)
        assert [type(event) for event in first if not isinstance(event, MessageDelta)] == [
            SessionStarted,
            TurnStarted,
            Message,
            Usage,
            TurnCompleted,
        ]
        assert said(first) == ["ECHO images=0 users=1: Hello"]
        assert "".join(event.text for event in first if isinstance(event, MessageDelta)) == said(first)[0]
        assert Usage(1200, 200, 34, window=258_400, context=1234) in first
        again = process.run(stage.warm(stage.request("And again", session)))
        assert said(again) == ["ECHO images=0 users=2: And again"]
        assert session_of(again) == session
        assert Usage(1200, 200, 34, window=258_400, context=1234) in again
    assert stage.codex.model.calls[0].effort == "high"


def test_steps_plan_output_and_files(stage: Stage) -> None:
    events = stage.once(
        stage.request(
            script(
                [{"plan": [["write", "in_progress"]]}],
                [{"write": {"path": "a.txt", "content": "hello"}}],
                [{"shell": "cat a.txt; sleep 1.4; echo more"}],
                [{"text": "Done."}],
            )
        )
    )
    steps = [event for event in events if isinstance(event, ToolCall)]
    path = str(stage.project / "a.txt")
    assert (stage.project / "a.txt").read_text() == "hello\n"
    assert any(isinstance(event, PlanUpdated) and event.entries[0].text == "write" for event in events)
    edits = [step for step in steps if step.kind is ToolKind.EDIT]
    assert [(step.title, step.progress) for step in edits] == [
        (path, Progress.IN_PROGRESS),
        (path, Progress.COMPLETED),
    ]
    assert (steps[-1].title, steps[-1].exit_code) == ("cat a.txt; sleep 1.4; echo more", 0)
    assert steps[-1].output.endswith("more\n")
    assert any(step.output and step.progress is Progress.IN_PROGRESS for step in steps)


def test_a_session_is_resumed_with_its_pictures(stage: Stage, tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), "red").save(tmp_path / "a b.png")
    session = session_of(stage.once(stage.request("Hello")))
    again = stage.once(stage.request("And this?", session, images=(str(tmp_path / "a b.png"),)))
    assert said(again) == ["ECHO images=1 users=2: And this?"]
    assert session_of(again) == session


@pytest.mark.parametrize(("access", "written"), [(Access.READ_ONLY, False), (Access.WORKSPACE, True)])
def test_the_sandbox_holds(stage: Stage, access: Access, written: bool) -> None:
    stage.once(
        stage.request(script([{"shell": "sleep 0.3; echo x > x.txt"}], [{"text": "."}]), access=access)
    )
    assert (stage.project / "x.txt").exists() is written


def test_reading_only_wins_in_a_warm_process_as_well(stage: Stage) -> None:
    process, dialogue = stage.start(stage.request("Hello", access=Access.FULL))
    with process:
        session = session_of(process.run(dialogue))
        text = script([{"shell": "sleep 0.3; echo x > x.txt"}], [{"text": "."}])
        process.run(stage.warm(stage.request(text, session, access=Access.READ_ONLY)))
    assert not (stage.project / "x.txt").exists()


@pytest.mark.parametrize(
    ("choice", "written"), [("accept", True), ("acceptForSession", True), ("decline", False)]
)
def test_a_command_is_asked_for(stage: Stage, choice: str, written: bool) -> None:
    text = script([escalated("touch x.txt")], [{"text": "."}])
    process, dialogue = stage.start(stage.request(text, access=Access.READ_ONLY, approvals=True))
    with process:
        events = process.run(dialogue, lambda events: bool(asked(events)))
        (question,) = asked(events)
        assert (question.kind, question.title, question.reason) == (
            AskKind.COMMAND,
            "touch x.txt",
            "it must be",
        )
        dialogue.answer(question.key, choice)
        dialogue.answer(question.key, "accept")
        events = process.run(dialogue)
        assert Resolved(question.key) in events
        assert isinstance(events[-1], TurnCompleted)
        assert process.inp.count(b'"decision"') == 1
    assert (stage.project / "x.txt").exists() is written


def test_an_edit_is_asked_for_with_its_diff(stage: Stage) -> None:
    text = script([{"write": {"path": "p.txt", "content": "new"}}], [{"text": "."}])
    process, dialogue = stage.start(stage.request(text, access=Access.READ_ONLY, approvals=True))
    with process:
        (question,) = asked(process.run(dialogue, lambda events: bool(asked(events))))
        assert (question.kind, question.title) == (AskKind.EDIT, str(stage.project / "p.txt"))
        assert "new" in question.detail
        dialogue.answer(question.key, "accept")
        process.run(dialogue)
    assert (stage.project / "p.txt").exists()


def test_who_is_not_asked_is_not_overrun(stage: Stage) -> None:
    events = stage.once(
        stage.request(script([escalated("touch x.txt")], [{"text": "."}]), access=Access.READ_ONLY)
    )
    assert not asked(events)
    assert isinstance(events[-1], TurnCompleted)
    assert not (stage.project / "x.txt").exists()


def test_an_interrupt_in_a_command_leaves_nothing_running(stage: Stage) -> None:
    seconds = f"31.{time.monotonic_ns() % 1_000_000}"
    process, dialogue = stage.start(stage.request(script([{"shell": f"sleep {seconds}"}], [{"text": "."}])))
    with process:
        session = session_of(process.run(dialogue, running))
        process.run(dialogue, lambda _: bool(sleepers(seconds)))
        dialogue.interrupt()
        dialogue.interrupt()
        assert process.run(dialogue)[-1] == TurnFailed("interrupted")
        process.run(stage.warm(stage.request("Still there?", session)))
        assert not sleepers(seconds)


def test_an_interrupt_in_a_stream_and_in_a_question(stage: Stage) -> None:
    slow = script([{"text": "one two three four five six seven", "delay": 0.5}])
    process, dialogue = stage.start(stage.request(slow, access=Access.READ_ONLY, approvals=True))
    with process:
        dialogue.interrupt()
        events = process.run(dialogue)
        assert events[-1] == TurnFailed("interrupted")
        text = script([escalated("touch x.txt")], [{"text": "."}])
        request = stage.request(text, session_of(events), access=Access.READ_ONLY, approvals=True)
        waiting = stage.warm(request)
        (question,) = asked(process.run(waiting, lambda events: bool(asked(events))))
        waiting.interrupt()
        events = process.run(waiting)
        assert (Resolved(question.key) in events, events[-1]) == (True, TurnFailed("interrupted"))


def test_a_running_turn_is_steered(stage: Stage) -> None:
    text = script([{"shell": "sleep 0.8"}], [{"text": "."}])
    process, dialogue = stage.start(stage.request(text))
    with process:
        process.run(dialogue, running)
        dialogue.steer("other words", "m7")
        assert not dialogue.heard
        assert said(process.run(dialogue)) == ["ECHO images=0 users=2: other words"]
        assert dialogue.heard == {"m7"}
    assert "t1/steer/m7" in keys(process.inp)


def test_an_unknown_session(stage: Stage) -> None:
    (failed,) = stage.once(stage.request("Hello", UNKNOWN))
    assert isinstance(failed, TurnFailed)
    assert ENGINE.sort(failed.text, resumed=True) is Failure.SESSION_GONE


def test_a_session_that_another_process_holds(stage: Stage) -> None:
    process, dialogue = stage.start(stage.request("Hello"))
    with process:
        session = session_of(process.run(dialogue))
        *_, failed = stage.once(stage.request("Me too", session))
    assert isinstance(failed, TurnFailed)
    assert ENGINE.sort(failed.text, resumed=True) is Failure.THREAD_WRITER


@pytest.mark.parametrize(
    ("status", "failure"), [(429, Failure.RATE_LIMIT), (401, Failure.LOGIN), (404, Failure.OTHER)]
)
def test_a_failure_is_said_once_and_sorts(stage: Stage, status: int, failure: Failure) -> None:
    *before, last = stage.once(stage.request(script([{"status": status}])))
    assert isinstance(last, TurnFailed)
    assert [type(event) for event in before] == [SessionStarted, TurnStarted]
    assert ENGINE.sort(last.text, resumed=False) is failure


def test_a_used_up_account_says_until_when(stage: Stage) -> None:
    body = {"error": {"type": "usage_limit_reached", "message": "limit", "resets_at": 1_796_030_000}}
    headers = {
        "x-codex-primary-used-percent": "100",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": "1796030000",
    }
    *_, last = stage.once(stage.request(script([{"status": 429, "body": body, "headers": headers}])))
    assert isinstance(last, TurnFailed)
    assert last.until == 1_796_030_000
    assert ENGINE.sort(last.text, resumed=False) is Failure.USAGE_LIMIT


@pytest.mark.parametrize("warm", [False, True])
def test_a_session_is_compacted(stage: Stage, warm: bool) -> None:
    process, dialogue = stage.start(stage.request("Hello"))
    with process:
        session = session_of(process.run(dialogue))
        events = process.run(stage.compaction(session, warm=True)) if warm else []
    if not warm:
        with stage.bare() as process:
            events = process.run(stage.compaction(session))
            assert keys(process.inp) == {"0", "initialized", "1", "2"}
    compacted, last = events[-2:]
    assert isinstance(compacted, Compacted)
    assert compacted.after
    assert compacted.before == (0 if warm else 1234)
    assert last == TurnCompleted()
    assert said(stage.once(stage.request("After", session)))


def test_an_unknown_session_is_not_compacted(stage: Stage) -> None:
    with stage.bare() as process:
        (failed,) = process.run(stage.compaction(UNKNOWN))
    assert isinstance(failed, TurnFailed)
    assert failed.text.startswith("no rollout found for thread id")


def test_a_new_dialogue_says_no_word_twice(stage: Stage) -> None:
    """Roost is killed in mid-turn: its successor is fed all that the agent said, and goes on."""
    slow = script([escalated("echo hi")], [{"text": "one two three four", "delay": 0.3}])
    request = stage.request(slow, access=Access.READ_ONLY, approvals=True)
    process, dialogue = stage.start(request)
    with process:
        before = process.run(dialogue, lambda events: bool(asked(events)))
        (question,) = asked(before)
        dialogue.answer(question.key, "accept")
        before += process.run(dialogue, lambda events: any(isinstance(e, MessageDelta) for e in events))
        successor = ENGINE.dialogue(request, "t1")
        assert successor.feed(process.out) == before
        successor.answer(question.key, "accept")
        assert process.tell(successor.due(), ENGINE.keys(process.inp)) == []
        successor.interrupt()
        assert process.tell(successor.due(), ENGINE.keys(process.inp)) == ["t1/interrupt", "t1/clean"]
        assert process.run(successor)[-1] == TurnFailed("interrupted")


@pytest.fixture
def ask(stage: Stage) -> Iterator[Callable[..., list[EngineEvent]]]:
    with stage.bare() as process:
        yield process.run


def test_what_the_account_offers(stage: Stage, ask: Callable[..., list[EngineEvent]]) -> None:
    offered = models("q1")
    assert ask(offered) == [TurnCompleted()]
    (chosen,) = (model for model in offered.found if model.name == MODEL)
    assert chosen == Model(MODEL, "GPT-5.5", ("low", "medium", "high", "xhigh"), "medium")
    assert sum(model.default for model in offered.found) == 1
    who = account("q2", warm=True)
    assert ask(who) == [TurnCompleted()]
    assert who.found == (Account(required=False),)


def test_sessions_are_listed_and_forked(stage: Stage, tmp_path: Path) -> None:
    session = session_of(stage.once(stage.request("Hello")))
    with stage.bare() as process:
        here, elsewhere = sessions("q1", str(stage.project)), sessions("q2", str(tmp_path), warm=True)
        assert process.run(here) == process.run(elsewhere) == [TurnCompleted()]
        assert [(one.id, one.title, one.cwd) for one in here.found] == [
            (session, "Hello", str(stage.project))
        ]
        assert elsewhere.found == ()
        forked = fork("q3", session, warm=True)
        process.run(forked)
        gone = fork("q4", UNKNOWN, warm=True)
        (failed,) = process.run(gone)
        assert isinstance(failed, TurnFailed)
    (twin,) = forked.found
    assert twin != session
    assert said(stage.once(stage.request("More", twin))) == ["ECHO images=0 users=2: More"]
    assert ended(stage.once(stage.request("More", session)))
