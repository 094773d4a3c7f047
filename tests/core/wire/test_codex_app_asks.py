"""What Codex's app server asks, and how it is answered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.model.events import (
    AskKind,
    Denied,
    Grant,
    Malformed,
    Resolved,
    TurnCompleted,
    Unrecognised,
)
from core.wire import forms
from tests.core.wire.app_server import (
    COMMAND,
    REQUEST,
    asking,
    begun,
    ended,
    item,
    line,
    note,
    put,
)

EDIT = asking("item/fileChange/requestApproval", reason=None, grantRoot=None)
RIGHTS = asking(
    "item/permissions/requestApproval",
    permissions={"network": {"enabled": True}, "fileSystem": None},
)
QUESTION = asking(
    "item/tool/requestUserInput",
    questions=[
        {"id": "q1", "header": "h", "question": "Which?", "isOther": False, "options": [{"label": "blue"}]},
        {"id": "q2", "header": "h", "question": "Size?", "isOther": True, "options": None},
    ],
)
FORM = asking(
    "mcpServer/elicitation/request",
    serverName="srv",
    mode="form",
    message="Tell me",
    requestedSchema={
        "type": "object",
        "properties": {
            "n": {"type": "integer", "title": "How many"},
            "ok": {"type": "boolean"},
            "why": {"type": "string"},
        },
        "required": ["n", "ok"],
    },
)
ADDRESS = asking("mcpServer/elicitation/request", mode="url", message="Log in", url="https://x.example")
TOOL = asking(
    "mcpServer/elicitation/request",
    mode="form",
    message="Allow it?",
    requestedSchema={"type": "object", "properties": {}},
    _meta={"codex_approval_kind": "mcp_tool_call", "persist": ["session"], "tool_params": {"a": 1}},
)


@pytest.mark.parametrize(
    ("request_line", "answers", "result"),
    [
        (COMMAND, [("accept", "")], {"decision": "accept"}),
        (COMMAND, [("decline", "")], {"decision": "decline"}),
        (EDIT, [("acceptForSession", "")], {"decision": "acceptForSession"}),
        (RIGHTS, [("accept", "")], {"permissions": {"network": {"enabled": True}}, "scope": "turn"}),
        (RIGHTS, [("decline", "")], {"permissions": {}, "scope": "turn"}),
        (
            QUESTION,
            [("blue", ""), ("", "decline")],
            {"answers": {"q1": {"answers": ["blue"]}, "q2": {"answers": ["decline"]}}},
        ),
        (
            FORM,
            [("", "3"), ("true", "")],
            {"action": "accept", "content": {"n": 3, "ok": True}, "_meta": None},
        ),
        (
            FORM,
            [("", "9" * 40), ("false", "")],
            {"action": "accept", "content": {"n": "9" * 40, "ok": False}, "_meta": None},
        ),
        (
            FORM,
            [("", "x"), ("false", "")],
            {"action": "accept", "content": {"n": "x", "ok": False}, "_meta": None},
        ),
        (FORM, [(forms.DECLINE, "")], {"action": "decline", "content": None, "_meta": None}),
        (ADDRESS, [("accept", "")], {"action": "accept", "content": {}, "_meta": None}),
        (
            TOOL,
            [("acceptForSession", "")],
            {"action": "accept", "content": {}, "_meta": {"persist": "session"}},
        ),
    ],
)
def test_a_person_answers(request_line: bytes, answers: list[tuple[str, str]], result: object) -> None:
    dialogue = begun()
    questions = put(dialogue, request_line)
    for question, (choice, text) in zip(questions, answers, strict=False):
        assert dialogue.due() == []
        dialogue.answer(question.key, choice, text)
    (word,) = dialogue.due()
    assert (word.key, json.loads(word.line)) == ("answer/7", {"id": 7, "result": result})
    dialogue.answer(questions[0].key, "accept", "again")
    assert dialogue.due() == []
    resolved = dialogue.feed(note("serverRequest/resolved", threadId="s-1", requestId=7))
    assert resolved == [Resolved(question.key) for question in questions]
    dialogue.answer(questions[0].key, "accept")
    assert dialogue.due() == []


def test_a_question_about_an_edit_shows_it() -> None:
    dialogue = begun()
    changes = [{"path": "/p/a", "kind": {"type": "add"}, "diff": "+x"}]
    dialogue.feed(item("started", "fileChange", "c-1", changes=changes, status="inProgress"))
    (asked,) = put(dialogue, EDIT)
    assert (asked.kind, asked.title, asked.detail) == (AskKind.EDIT, "/p/a", "/p/a\n+x")
    assert [choice.grant for choice in asked.choices] == [Grant.ONCE, Grant.ALWAYS, Grant.DENY]


def test_a_choice_that_is_not_offered_answers_nothing() -> None:
    dialogue = begun()
    put(dialogue, COMMAND)
    dialogue.answer("7", "cancel")
    dialogue.answer("7", "", "words")
    dialogue.answer("8", "accept")
    assert dialogue.due() == []


@pytest.mark.parametrize("request_line", [COMMAND, EDIT, RIGHTS])
def test_where_nobody_is_to_be_asked_it_is_declined(request_line: bytes) -> None:
    dialogue = begun(replace(REQUEST, approvals=False))
    (denied,) = dialogue.feed(request_line)
    assert isinstance(denied, Denied)
    (word,) = dialogue.due()
    assert b'"accept"' not in word.line
    assert b'"enabled"' not in word.line


def test_a_sub_agent_asks_too() -> None:
    dialogue = begun()
    assert put(dialogue, COMMAND.replace(b"s-1", b"s-2").replace(b"u-1", b"u-2"))


def test_a_turn_that_ends_leaves_no_question_open() -> None:
    dialogue = begun()
    put(dialogue, COMMAND)
    assert dialogue.feed(ended("completed")) == [Resolved("7"), TurnCompleted()]


@pytest.mark.parametrize(
    "request_line",
    [
        asking("item/tool/call"),
        asking("something/new"),
        asking("item/tool/requestUserInput", questions=5),
        asking("item/commandExecution/requestApproval", command=5),
        line(id="a", method="account/chatgptAuthTokens/refresh"),
    ],
)
def test_the_server_never_waits_for_ever(request_line: bytes) -> None:
    dialogue = begun()
    (noted,) = dialogue.feed(request_line)
    assert isinstance(noted, Unrecognised | Malformed)
    (word,) = dialogue.due()
    assert "error" in json.loads(word.line)


def test_a_form_that_only_codex_itself_can_show_is_declined() -> None:
    dialogue = begun()
    assert dialogue.feed(asking("mcpServer/elicitation/request", mode="openai/userVerification")) == []
    (word,) = dialogue.due()
    assert json.loads(word.line)["result"]["action"] == "decline"


def test_a_host_is_named_where_there_is_no_command() -> None:
    context = {"host": "a.example", "protocol": "https"}
    request = asking("item/commandExecution/requestApproval", networkApprovalContext=context)
    (asked,) = put(begun(), request)
    assert asked.title == "https a.example"
