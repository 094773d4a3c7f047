"""What an ACP dialogue does with bytes, however they are cut and whatever they hold."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from core.model.events import (
    Asked,
    EngineEvent,
    Malformed,
    Resolved,
    TurnCompleted,
    TurnFailed,
    Unrecognised,
)
from core.model.ids import SessionId
from core.model.project import Access
from core.model.request import TurnRequest
from core.wire.acp import AcpDialogue

RECORDED = sorted((Path(__file__).parents[2] / "transcripts").glob("acp_*_warm/*.jsonl"))
REQUEST = TurnRequest("/p", "x", Access.WORKSPACE, {})


def warm(session: str) -> AcpDialogue:
    return AcpDialogue(replace(REQUEST, session=SessionId(session), approvals=True), "t", warm=True)


def read(session: str, *chunks: bytes) -> list[EngineEvent]:
    turn = warm(session)
    return [event for chunk in chunks for event in turn.feed(chunk)] + turn.finish()


def session_of(data: bytes) -> str:
    return next((part[1:].split(b'"')[1] for part in data.split(b'"sessionId"')[1:]), b"s").decode()


@given(st.sampled_from(RECORDED), st.lists(st.integers(0, 5_000), max_size=20))
def test_the_cuts_of_the_bytes_make_no_difference(recorded: Path, places: list[int]) -> None:
    data = recorded.read_bytes()
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    chunks = [data[start:end] for start, end in pairwise(edges)]
    whole = read(session_of(data), data)
    assert read(session_of(data), *chunks) == whole
    assert isinstance(whole[-1], TurnCompleted | TurnFailed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.dictionaries(
    st.sampled_from(["content", "toolCallId", "title", "status", "locations", "rawInput", "entries", "used"]),
    JSON,
)
KINDS = [
    "agent_message_chunk",
    "agent_thought_chunk",
    "tool_call",
    "tool_call_update",
    "plan",
    "usage_update",
]


def update(**fields: object) -> bytes:
    return line(method="session/update", params={"sessionId": "s", "update": fields})


def line(**fields: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}).encode() + b"\n"


@given(st.sampled_from(KINDS), FIELDS)
def test_a_wrong_shape_is_refused_by_name(kind: str, fields: dict[str, object]) -> None:
    for event in read("s", update(**fields, sessionUpdate=kind)):
        if isinstance(event, Malformed):
            assert event.why.startswith(("tool_call", kind))


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_nothing_escapes(chunks: list[bytes]) -> None:
    assert all(isinstance(event, Malformed | Unrecognised) for event in read("s", *chunks))


@given(st.sampled_from(["initialize", "new", "prompt"]), JSON)
def test_a_wrong_answer_ends_the_turn_or_serves(name: str, result: object) -> None:
    turn = AcpDialogue(REQUEST, "t", warm=False)
    good = {"initialize": {}, "new": {"sessionId": "s"}, "prompt": {"stopReason": "end_turn"}}
    events: list[EngineEvent] = []
    for step in good:
        events += turn.feed(line(id=f"t:{step}", result=result if step == name else good[step]))
    assert isinstance(events[-1], TurnCompleted | TurnFailed)
    assert sum(isinstance(event, TurnCompleted | TurnFailed) for event in events) == 1
    assert turn.feed(update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "x"})) == []


def test_what_is_not_known_is_named_and_refused() -> None:
    turn = warm("s")
    turn.due()
    assert turn.feed(line(id=5, method="_vendor/thing", params={})) == [Unrecognised("_vendor/thing")]
    assert turn.feed(update(sessionUpdate="dream"))[-1] == Unrecognised("session/update/dream")
    assert turn.feed(line(method="$/weather")) == [Unrecognised("$/weather")]
    assert len(turn.feed(line(id=6, method="session/request_permission", params={"x": 1}))) == 1
    refused = [json.loads(word.line) for word in turn.due()]
    assert [(one["id"], one["error"]["code"]) for one in refused] == [(5, -32601), (6, -32602)]


def test_a_question_that_the_agent_takes_back_is_resolved() -> None:
    turn = warm("s")
    call = {"toolCallId": "c", "title": "x"}
    options = [{"optionId": "o", "kind": "allow_once", "name": "O"}]
    params = {"sessionId": "s", "toolCall": call, "options": options}
    asked = turn.feed(line(id=1, method="session/request_permission", params=params))[-1]
    assert isinstance(asked, Asked)
    assert turn.feed(line(method="$/cancel_request", params={"requestId": 1})) == [Resolved(asked.key)]
    turn.due()
    turn.answer(asked.key, "o")
    assert turn.due() == []
