"""Lines as Claude Code writes them, and a dialogue to read them."""

from __future__ import annotations

import json

from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.claude_dialogue import ClaudeDialogue

REQUEST = TurnRequest("/p", "Hello", Access.WORKSPACE, {}, approvals=True)
INIT_FIELDS = {"type": "system", "subtype": "init", "session_id": "s1", "model": "opus"}


def dialogue(request: TurnRequest = REQUEST, turn: str = "t1", *, warm: bool = False) -> ClaudeDialogue:
    return ClaudeDialogue(request, turn, warm=warm)


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def lifecycle(name: str, state: str) -> bytes:
    return line(type="command_lifecycle", command_uuid=name, state=state, session_id="s1")


def state(name: str) -> bytes:
    return line(type="system", subtype="session_state_changed", state=name)


def says(text: str, parent: str | None = None) -> bytes:
    message = {"id": f"m{text}", "content": [{"type": "text", "text": text}], "model": "opus"}
    return line(type="assistant", message=message, parent_tool_use_id=parent)


def result(*prompts: str, **fields: object) -> bytes:
    base: dict[str, object] = {"type": "result", "subtype": "success", "result": ""}
    return line(**{**base, "user_message_uuids": prompts, "terminal_reason": "completed", **fields})


def asks(name: str, tool: str, given: object, **fields: object) -> bytes:
    request = {"subtype": "can_use_tool", "tool_name": tool, "tool_use_id": f"use {name}", "input": given}
    return line(type="control_request", request_id=name, request={**request, **fields})


INIT = line(**INIT_FIELDS)
