"""What the real Codex asks a person beside steps: its model's questions, and forms of MCP servers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.model.events import AskKind, Grant, Resolved, ToolCall, TurnCompleted
from tests.support.codex import ScriptedCodex, script, scripted_codex
from tests.support.codex_app import Stage, asked
from tests.support.mcp_server import COMMAND

pytestmark = pytest.mark.codex
__all__ = ["scripted_codex"]

OWN = f"""
[features]
default_mode_request_user_input = true
[mcp_servers.asker]
command = {json.dumps(COMMAND[0])}
args = {json.dumps(COMMAND[1:])}
"""
"""Codex's model may ask by itself only where the person's own configuration says so (0.171)."""


@pytest.fixture
def stage(scripted_codex: ScriptedCodex, tmp_path: Path) -> Stage:
    project = tmp_path / "project"
    project.mkdir()
    config = Path(scripted_codex.env["CODEX_HOME"]) / "config.toml"
    config.write_text(config.read_text() + OWN)
    return Stage(scripted_codex, project)


@pytest.mark.parametrize("approvals", [True, False])
def test_each_question_of_its_model_gets_its_own_answer(stage: Stage, approvals: bool) -> None:
    questions = [
        {"id": name, "header": name, "question": f"Which {name}?", "options": options}
        for name, options in (
            ("colour", [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]),
            ("size", [{"label": "S", "description": "small"}, {"label": "L", "description": "large"}]),
        )
    ]
    ask: dict[str, object] = {"tool": {"name": "request_user_input", "args": {"questions": questions}}}
    process, dialogue = stage.start(stage.request(script([ask], [{"text": "Thanks."}]), approvals=approvals))
    with process:
        colour, size = asked(process.run(dialogue, lambda events: bool(asked(events))))
        assert (colour.kind, colour.title, colour.free) == (AskKind.QUESTION, "Which colour?", True)
        assert [choice.label for choice in size.choices] == ["S", "L"]
        dialogue.answer(size.key, "L")
        assert dialogue.due() == []
        dialogue.answer(colour.key, "", "Green, please")
        events = process.run(dialogue)
    assert {Resolved(colour.key), Resolved(size.key)} <= set(events)
    assert isinstance(events[-1], TurnCompleted)
    heard = json.loads(stage.codex.model.calls[-1].body["input"][-1]["output"])["answers"]
    assert {name: one["answers"] for name, one in heard.items()} == {
        "colour": ["Green, please"],
        "size": ["L"],
    }


@pytest.mark.parametrize(
    ("grant", "came"),
    [
        (Grant.OPTION, '{"action": "accept", "content": {"colour": "red", "count": 3}}'),
        (Grant.DENY, '{"action": "decline"}'),
    ],
)
def test_a_form_of_an_mcp_server_is_filled_in(stage: Stage, grant: Grant, came: str) -> None:
    """Before that, whether its tool may be called at all."""
    wish: dict[str, object] = {"tool": {"namespace": "mcp__asker", "name": "wish", "args": {}}}
    process, dialogue = stage.start(stage.request(script([wish], [{"text": "Thanks."}]), approvals=True))
    with process:
        (tool,) = asked(process.run(dialogue, lambda events: bool(asked(events))))
        assert tool.kind is AskKind.TOOL
        dialogue.answer(tool.key, next(one.id for one in tool.choices if one.grant is Grant.ONCE))
        events = process.run(dialogue, lambda events: len(asked(events)) >= 2)
        colour, count = asked(events)[-2:]
        assert (colour.title, colour.reason) == ("How shall it be?\ncolour", "asker")
        dialogue.answer(colour.key, next(one.id for one in colour.choices if one.grant is grant))
        dialogue.answer(count.key, "", "3")
        events += process.run(dialogue)
    assert isinstance(events[-1], TurnCompleted)
    (output,) = (one.output for one in events if isinstance(one, ToolCall) and one.output)
    assert came in output.replace(', "_meta": null', "")
    assert {Resolved(colour.key), Resolved(count.key)} <= set(events)
