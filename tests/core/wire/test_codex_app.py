"""A turn over Codex's app server: what is said, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.model.events import (
    Malformed,
    Notice,
    SessionStarted,
    TurnFailed,
    TurnStarted,
)
from core.model.launch import Word
from core.model.project import Access
from core.wire.codex_app import CodexAppDialogue
from tests.core.wire.app_server import (
    ACCEPTED,
    COMMAND,
    LIVE,
    OPENED,
    PROMPT,
    REQUEST,
    RUNNING,
    SESSION,
    asking,
    begun,
    ended,
    line,
    methods,
    read,
    told,
)


def test_a_new_session() -> None:
    dialogue = CodexAppDialogue(replace(REQUEST, model="m", effort="high", images=("/a.png",)), "t")
    first = told(dialogue.due())
    assert [said.get("method") for said in first] == ["initialize", "initialized", "thread/start"]
    assert first[2] == {
        "id": "t/thread",
        "method": "thread/start",
        "params": {"cwd": "/p", "approvalPolicy": "on-request", "sandbox": "workspace-write", "model": "m"},
    }
    assert dialogue.feed(OPENED) == [SessionStarted(SESSION)]
    (turn,) = told(dialogue.due())
    text = {"type": "text", "text": "Hello", "text_elements": []}
    assert turn == {
        "id": "t/turn",
        "method": "turn/start",
        "params": {
            "threadId": "s-1",
            "input": [text, {"type": "localImage", "path": "/a.png"}],
            "approvalPolicy": "on-request",
            "model": "m",
            "effort": "high",
        },
    }
    assert dialogue.offered
    assert dialogue.feed(ACCEPTED) == []
    assert dialogue.feed(LIVE + PROMPT) == [TurnStarted()]
    assert dialogue.due() == []


@pytest.mark.parametrize(
    ("access", "sandbox"),
    [
        (Access.READ_ONLY, "read-only"),
        (Access.WORKSPACE, "workspace-write"),
        (Access.FULL, "danger-full-access"),
    ],
)
def test_a_session_is_resumed_with_the_access_of_the_request(access: Access, sandbox: str) -> None:
    request = replace(REQUEST, session=SESSION, access=access, approvals=False)
    *_, resume = told(CodexAppDialogue(request, "t").due())
    assert resume == {
        "id": "t/thread",
        "method": "thread/resume",
        "params": {
            "cwd": "/p",
            "approvalPolicy": "never",
            "sandbox": sandbox,
            "threadId": "s-1",
            "excludeTurns": True,
        },
    }


def test_a_warm_process_is_told_the_turn_alone() -> None:
    dialogue = CodexAppDialogue(replace(REQUEST, session=SESSION, access=Access.READ_ONLY), "t", warm=True)
    (turn,) = told(dialogue.due())
    params = turn["params"]
    assert isinstance(params, dict)
    assert (turn["method"], params["sandboxPolicy"]) == ("turn/start", {"type": "readOnly"})
    assert dialogue.feed(ACCEPTED + LIVE + PROMPT) == [SessionStarted(SESSION), TurnStarted()]


def test_a_session_that_a_warm_process_let_go_of_is_loaded_once_more() -> None:
    dialogue = CodexAppDialogue(replace(REQUEST, session=SESSION), "t", warm=True)
    dialogue.due()
    assert dialogue.feed(line(id="t/turn", error={"message": "thread not found: s-1"})) == []
    assert methods(dialogue.due()) == ["thread/resume"]
    dialogue.feed(OPENED)
    assert [word.key for word in dialogue.due()] == ["t/turn/again"]
    refused = dialogue.feed(line(id="t/turn/again", error={"message": "thread not found: s-1"}))
    assert refused == [TurnFailed("thread not found: s-1")]


@pytest.mark.parametrize("asked", ["initialize", "thread", "turn"])
def test_a_refusal_before_the_turn_is_its_end(asked: str) -> None:
    before = OPENED if asked == "turn" else b""
    *_, last = read(before + line(id=f"t/{asked}", error={"code": -1, "message": "no"}) + RUNNING)
    assert last == TurnFailed("no")


def test_an_answer_that_cannot_be_read_is_a_refusal() -> None:
    malformed, failed = read(line(id="t/thread", result={"thread": {"id": "--help"}}))
    assert isinstance(malformed, Malformed)
    assert isinstance(failed, TurnFailed)
    assert failed.text.startswith("thread/start: ")


def test_the_interrupt_waits_until_the_turn_is_live() -> None:
    dialogue = CodexAppDialogue(REQUEST, "t")
    dialogue.interrupt()
    assert "turn/interrupt" not in methods(dialogue.due())
    dialogue.feed(OPENED + ACCEPTED)
    assert "turn/interrupt" not in methods(dialogue.due())
    dialogue.feed(LIVE)
    assert methods(dialogue.due()) == ["turn/interrupt", "thread/backgroundTerminals/clean"]
    dialogue.interrupt()
    assert dialogue.due() == []
    assert dialogue.feed(ended("interrupted")) == [TurnFailed("interrupted")]


def test_a_steer_is_heard_or_stays_unheard() -> None:
    dialogue = begun()
    dialogue.steer("a", "m1")
    dialogue.steer("b", "m2")
    first, second = told(dialogue.due())
    assert first["params"] == {
        "threadId": "s-1",
        "expectedTurnId": "u-1",
        "input": [{"type": "text", "text": "a", "text_elements": []}],
    }
    dialogue.feed(line(id=first["id"], result={"turnId": "u-1"}))
    why = "no active turn to steer"
    assert dialogue.feed(line(id=second["id"], error={"message": why})) == [Notice(why)]
    assert dialogue.heard == {"m1"}
    assert dialogue.refused == {"m2"}


def test_a_successor_says_the_same_words() -> None:
    heard = OPENED + ACCEPTED + LIVE + PROMPT + asking("item/new", id=9) + COMMAND
    first, second = CodexAppDialogue(REQUEST, "t"), CodexAppDialogue(REQUEST, "t")
    words: list[Word] = []
    for dialogue in (first, second):
        words += dialogue.due()
        dialogue.feed(heard)
        dialogue.answer("7", "accept")
        dialogue.interrupt()
        dialogue.steer("x", "m")
        words += dialogue.due()
    half = len(words) // 2
    assert words[:half] == words[half:]
    assert len({word.key for word in words}) == half
