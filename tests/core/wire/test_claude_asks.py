"""What Claude Code asks, and how it is answered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.model.events import Asked, AskKind, Choice, Denied, EngineEvent, Grant, Resolved
from core.model.project import Access
from core.wire.claude_dialogue import ClaudeDialogue
from core.wire.forms import DECLINE
from tests.support.claude_lines import REQUEST, asks, dialogue, line, result

RULES = [
    {"type": "addRules", "behavior": "allow", "destination": "localSettings"},
    {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
]


def answered(spoken: ClaudeDialogue) -> object:
    (word,) = (word for word in spoken.due() if word.key.startswith("answer:"))
    return json.loads(word.line)["response"]


EDIT = {"file_path": "/p/a.py", "old_string": "a\nb", "new_string": "c"}
DENY, ONCE = Choice("deny", Grant.DENY), Choice("once", Grant.ONCE)
ALWAYS = Choice("always", Grant.ALWAYS)


@pytest.mark.parametrize(
    ("tool", "given", "more", "asked"),
    [
        (
            "Bash",
            {"command": "ls", "description": "Look"},
            {"description": "Look", "permission_suggestions": RULES},
            Asked("r", AskKind.COMMAND, "ls", (ONCE, ALWAYS, DENY), "Look", free=True),
        ),
        ("Edit", EDIT, {}, Asked("r", AskKind.EDIT, "/p/a.py", (ONCE, DENY), detail="-a\n-b\n+c", free=True)),
        (
            "Write",
            {"file_path": "/p/b", "content": "x"},
            {},
            Asked("r", AskKind.EDIT, "/p/b", (ONCE, DENY), detail="+x", free=True),
        ),
        (
            "WebFetch",
            {"url": "https://a.example", "prompt": "p"},
            {"decision_reason": "a rule"},
            Asked(
                "r",
                AskKind.TOOL,
                "WebFetch https://a.example",
                (ONCE, DENY),
                "a rule",
                '{\n "prompt": "p"\n}',
                free=True,
            ),
        ),
        ("mcp__db__drop", {}, {}, Asked("r", AskKind.TOOL, "db.drop", (ONCE, DENY), free=True)),
        ("Edit", None, {}, Asked("r", AskKind.EDIT, "Edit", (ONCE, DENY), detail="", free=True)),
    ],
)
def test_a_step_is_asked_for(tool: str, given: object, more: dict[str, object], asked: Asked) -> None:
    assert dialogue().feed(asks("r", tool, given, **more)) == [asked]


@pytest.mark.parametrize(
    ("choice", "text", "response"),
    [
        ("once", "", {"behavior": "allow", "updatedInput": {"command": "ls"}}),
        (
            "always",
            "",
            {
                "behavior": "allow",
                "updatedInput": {"command": "ls"},
                "updatedPermissions": [{**RULES[0], "destination": "session"}],
            },
        ),
        ("deny", "", {"behavior": "deny", "message": "The user has not allowed this."}),
        ("deny", "Rather not", {"behavior": "deny", "message": "Rather not"}),
        ("", "Use cat", {"behavior": "deny", "message": "Use cat"}),
    ],
)
def test_an_answer_goes_back(choice: str, text: str, response: dict[str, object]) -> None:
    spoken = dialogue()
    spoken.feed(asks("r", "Bash", {"command": "ls"}, permission_suggestions=RULES))
    spoken.answer("r", choice, text)
    assert answered(spoken) == {"subtype": "success", "request_id": "r", "response": response}


def test_what_was_answered_is_settled_though_its_step_may_run_for_hours() -> None:
    spoken = dialogue()
    spoken.feed(asks("r", "Bash", {"command": "make"}))
    spoken.answer("r", "once")
    assert spoken.feed(b"") == [Resolved("r")]
    assert spoken.feed(closing("answered")) == []


QUESTIONS = {
    "questions": [
        {"question": "Which?", "header": "Colour", "options": [{"label": "Red", "description": "warm"}]},
        {"question": "How?", "options": []},
    ]
}


def test_questions_are_answered_together() -> None:
    spoken = dialogue(replace(REQUEST, approvals=False, access=Access.READ_ONLY))
    red = Choice("Red", Grant.OPTION, "Red")
    assert spoken.feed(asks("r", "AskUserQuestion", QUESTIONS)) == [
        Asked("r:0", AskKind.QUESTION, "Which?", (red,), "Colour", "Red: warm", free=True),
        Asked("r:1", AskKind.QUESTION, "How?", (), free=True),
    ]
    spoken.due()
    spoken.answer("r:1", "", "Slowly")
    assert spoken.due() == []
    spoken.answer("r:0", "Red")
    answers = {**QUESTIONS, "answers": {"Which?": "Red", "How?": "Slowly"}}
    response = {"behavior": "allow", "updatedInput": answers}
    assert answered(spoken) == {"subtype": "success", "request_id": "r", "response": response}


FORM = {"properties": {"n": {"type": "integer"}, "ok": {"type": "boolean"}}, "required": ["n"]}


def form(**fields: object) -> bytes:
    """A server of MCP asks for something."""
    wanted = {"subtype": "elicitation", "mcp_server_name": "srv", "message": "Tell me", **fields}
    return line(type="control_request", request_id="r", request=wanted)


@pytest.mark.parametrize(
    ("fields", "choice", "text", "response"),
    [
        ({"requested_schema": FORM}, "", "3", {"action": "accept", "content": {"n": 3}}),
        ({"requested_schema": FORM}, "", "many", {"action": "accept", "content": {"n": "many"}}),
        ({"requested_schema": FORM}, DECLINE, "", {"action": "decline"}),
        ({"mode": "url", "url": "https://x.example"}, "true", "", {"action": "accept", "content": {}}),
        ({"mode": "url", "url": "https://x.example"}, DECLINE, "", {"action": "decline"}),
        ({"requested_schema": 5}, DECLINE, "", {"action": "decline"}),
    ],
)
def test_what_a_server_of_mcp_asks_is_answered_and_settled(
    fields: dict[str, object], choice: str, text: str, response: object
) -> None:
    spoken = dialogue(replace(REQUEST, approvals=False))
    (asked,) = spoken.feed(form(**fields))
    assert isinstance(asked, Asked)
    assert (asked.reason, str(fields.get("url", "")) in asked.title) == ("srv", True)
    spoken.due()
    spoken.answer(asked.key, choice, text)
    assert answered(spoken) == {"subtype": "success", "request_id": "r", "response": response}
    assert spoken.feed(b"") == [Resolved(asked.key)]
    spoken.answer(asked.key, choice, text)
    assert spoken.due() == []


@pytest.mark.parametrize(
    ("access", "approvals", "behavior"),
    [
        (Access.READ_ONLY, True, "deny"),
        (Access.READ_ONLY, False, "deny"),
        (Access.WORKSPACE, False, "deny"),
        (Access.FULL, False, "allow"),
    ],
)
def test_where_nobody_is_asked_the_access_decides(access: Access, approvals: bool, behavior: str) -> None:
    spoken = dialogue(replace(REQUEST, access=access, approvals=approvals))
    events = spoken.feed(asks("r", "Bash", {"command": "ls"}))
    assert events == ([Denied("ls")] if behavior == "deny" else [])
    (word,) = [word for word in spoken.due() if word.key == "answer:r"]
    assert json.loads(word.line)["response"]["response"]["behavior"] == behavior


def closing(how: str) -> bytes:
    done = {"content": [{"type": "tool_result", "tool_use_id": "use r", "content": "ok"}]}
    return {
        "answered": line(type="user", message=done),
        "taken back": line(type="control_cancel_request", request_id="r"),
        "over": result("t1:prompt"),
    }[how]


@pytest.mark.parametrize("how", ["answered", "taken back", "over"])
def test_a_question_is_closed_once(how: str) -> None:
    spoken = dialogue()
    spoken.feed(asks("r", "Bash", {"command": "ls"}))
    events: list[EngineEvent] = spoken.feed(closing(how))
    assert events.count(Resolved("r")) == 1
    spoken.due()
    spoken.answer("r", "once")
    assert spoken.due() == []


def test_a_request_of_an_unknown_kind_is_refused_at_once() -> None:
    spoken = dialogue()
    assert spoken.feed(line(type="control_request", request_id="r", request={"subtype": "dance"})) == []
    assert answered(spoken) == {"subtype": "error", "request_id": "r", "error": "not supported: dance"}
