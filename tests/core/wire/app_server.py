"""What Codex's app server says in a turn, line by line."""

from __future__ import annotations

import json
from pathlib import Path

from core.engines.port import Dialogue
from core.model.events import (
    Asked,
    EngineEvent,
)
from core.model.ids import SessionId
from core.model.launch import Word
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.codex_app import CodexAppDialogue
from tests.core.wire.test_codex_exec import KEYS

RECORDED = sorted((Path(__file__).parents[2] / "transcripts" / "codex_app").glob("*.jsonl"))
REQUEST = TurnRequest("/p", "Hello", Access.WORKSPACE, {}, approvals=True)
SESSION = SessionId("s-1")
TURN = {"threadId": "s-1", "turnId": "u-1"}
CAMEL = (*KEYS, "threadId", "turnId", "turn", "item", "itemId", "delta", "error", "plan", "tokenUsage")


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def note(method: str, *, at: float = 0, **params: object) -> bytes:
    return line(method=method, params=params, emittedAtMs=at * 1000)


def placed(method: str, *, at: float = 0, **params: object) -> bytes:
    """What happens in our turn."""
    return note(method, at=at, **{**TURN, **params})


def item(state: str, kind: str, name: str = "i", **fields: object) -> bytes:
    return placed(f"item/{state}", item={"type": kind, "id": name, **fields})


def ended(status: str, thread: str = "s-1", **fields: object) -> bytes:
    return note("turn/completed", threadId=thread, turn={"id": "u-1", "status": status, **fields})


OPENED = line(id="t/initialize", result={}) + line(id="t/thread", result={"thread": {"id": "s-1"}})
ACCEPTED = line(id="t/turn", result={"turn": {"id": "u-1"}})
LIVE = note("turn/started", threadId="s-1", turn={"id": "u-1"})
PROMPT = item("started", "userMessage")
RUNNING = OPENED + ACCEPTED + LIVE + PROMPT
ERROR = {"message": "too bad", "codexErrorInfo": None}


def begun(request: TurnRequest = REQUEST) -> CodexAppDialogue:
    """A dialogue in whose turn something can happen now."""
    dialogue = CodexAppDialogue(request, "t")
    dialogue.feed(RUNNING)
    dialogue.due()
    return dialogue


def read(*chunks: bytes) -> list[EngineEvent]:
    dialogue = CodexAppDialogue(REQUEST, "t", limit=1_000_000)
    return [event for chunk in chunks for event in dialogue.feed(chunk)] + dialogue.finish()


def told(words: list[Word]) -> list[dict[str, object]]:
    return [json.loads(word.line) for word in words]


def methods(words: list[Word]) -> list[str]:
    return [str(said.get("method")) for said in told(words)]


def asking(method: str, *, id: object = 7, **params: object) -> bytes:  # noqa: A002
    return line(id=id, method=method, params={**TURN, "itemId": "c-1", **params})


COMMAND = asking("item/commandExecution/requestApproval", command="/bin/bash -lc 'rm a'", reason="must")


def put(dialogue: Dialogue, request: bytes) -> list[Asked]:
    asked = dialogue.feed(request)
    assert all(isinstance(event, Asked) for event in asked)
    return [event for event in asked if isinstance(event, Asked)]
