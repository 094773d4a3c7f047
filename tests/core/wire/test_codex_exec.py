"""Codex's lines: no cut, no wrong shape and no noise gets in the way of a turn."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    EngineEvent,
    Malformed,
    Message,
    Notice,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import ItemId, SessionId
from core.wire.codex_exec import HANDLERS, CodexExecDecoder
from core.wire.codex_items import ITEMS
from core.wire.lines import HEAD_KEPT
from core.wire.shapes import KIND_KEPT

RECORDED = sorted((Path(__file__).parents[2] / "transcripts" / "codex_exec").glob("*.jsonl"))
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "id",
    "text",
    "message",
    "command",
    "changes",
    "items",
    "query",
    "server",
    "tool",
    "thread_id",
    "usage",
)


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def item(kind: str, **fields: object) -> bytes:
    return line(type="item.completed", item={"id": "item_0", "type": kind, **fields})


def read(*chunks: bytes, limit: int = 1_000_000) -> list[EngineEvent]:
    decoder = CodexExecDecoder(limit)
    return [event for chunk in chunks for event in decoder.feed(chunk)] + decoder.finish()


ERROR = line(type="error", message="too bad")
FAILED = line(type="turn.failed", error={"message": "too bad"})


@given(st.sampled_from(RECORDED), st.lists(st.integers(0, 5_000), max_size=20))
def test_the_cuts_of_the_bytes_make_no_difference(recorded: Path, places: list[int]) -> None:
    data = recorded.read_bytes()
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    chunks = [data[start:end] for start, end in pairwise(edges)]
    assert read(*chunks) == read(data)


@given(st.sampled_from(RECORDED), st.integers(0, 5_000))
def test_a_new_decoder_goes_on_where_the_old_one_had_consumed(recorded: Path, place: int) -> None:
    data = recorded.read_bytes()
    first = CodexExecDecoder()
    before = first.feed(data[: place % (len(data) + 1)])
    assert before + read(data[first.consumed :]) == read(data)


@given(st.sampled_from(sorted(HANDLERS)), st.dictionaries(st.sampled_from([*KEYS, "item", "error"]), JSON))
def test_a_wrong_shape_is_refused_by_name(kind: str, fields: dict[str, object]) -> None:
    raw = line(**{**fields, "type": kind})
    for event in read(raw):
        if isinstance(event, Malformed):
            assert event.why.startswith(kind)
            assert raw.decode().startswith(event.head)


@given(st.sampled_from(sorted(ITEMS)), st.dictionaries(st.sampled_from(KEYS), JSON))
def test_a_wrong_item_is_refused_by_name(kind: str, fields: dict[str, object]) -> None:
    (event,) = read(line(type="item.completed", item={**fields, "id": 5, "type": kind}))
    assert isinstance(event, Malformed)
    assert event.why.startswith("item.completed: ")


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_nothing_escapes(chunks: list[bytes]) -> None:
    assert all(isinstance(event, Malformed | Unrecognised) for event in read(*chunks, limit=50))


@pytest.mark.parametrize(
    "noise",
    [
        b"Reading prompt from stdin...",
        b"\x1b[33mWARN\x1b[0m something",
        b"\0\0\0",
        b"\xff\xfe",
        b"123",
        b"null",
        b'"text"',
        b"[]",
        b"{}",
        b'{"type": 5}',
        b'{"type":"turn.star',
        b'{"type":"turn.started"} and more',
        b"[" * 200_000,
        b'{"type":"turn.started","x":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b"x" * 1_000_001,
    ],
    ids=lambda noise: repr(noise[:20]),
)
def test_noise_is_noted_and_the_turn_goes_on(noise: bytes) -> None:
    noted, message, completed = read(
        noise + b"\n" + item("agent_message", text="Hello") + line(type="turn.completed")
    )
    assert isinstance(noted, Malformed)
    assert len(noted.head) <= HEAD_KEPT
    assert (message, completed) == (Message(ItemId("item_0"), "Hello"), TurnCompleted())


def test_what_is_not_known_is_named() -> None:
    assert read(line(type="turn.paused"), item("dream"), item("agent_message", text="a", mood="good")) == [
        Unrecognised("turn.paused"),
        Unrecognised("item.completed/dream"),
        Message(ItemId("item_0"), "a"),
    ]
    assert read(line(type="x" * 5_000)) == [Unrecognised("x" * KIND_KEPT)]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (b"caf\xe9", "caf\ufffd"),
        (b"a\0b", "ab"),
        (rb"a\u0000b", "ab"),
        (rb"a\\u0000b", r"a\u0000b"),
        (rb"a\ud83d\ude00b", "a\U0001f600b"),
        (rb"a\ud83db \udc00", "a\ufffdb \ufffd"),
        (b"a\x1b[1mb", "a [1mb"),
        ("\u20ac\u2028\u202e".encode(), "\u20ac\u2028\u202e"),
    ],
)
def test_bad_signs_are_replaced_where_they_stand(written: bytes, shown: str) -> None:
    raw = b'{"type":"item.completed","item":{"id":"i\\u00e9","type":"agent_message","text":"%b"}}'
    assert read(raw % written) == [Message(ItemId("ié"), shown)]


def test_a_failure_is_told_once() -> None:
    assert read(ERROR + FAILED) == [TurnFailed("too bad")]
    assert read(ERROR, FAILED) == [TurnFailed("too bad")]


def test_a_warning_stays_a_warning() -> None:
    message = item("agent_message", text="whole")
    assert read(ERROR + message) == [Notice("too bad"), Message(ItemId("item_0"), "whole")]
    assert read(item("error", message="too bad") + ERROR + ERROR)[1:] == [Notice("too bad")] * 2
    assert read(ERROR + line(type="turn.failed", error={"message": "worse"})) == [
        Notice("too bad"),
        TurnFailed("worse"),
    ]


def test_a_warning_in_passing_is_told_at_once() -> None:
    decoder = CodexExecDecoder()
    assert decoder.feed(line(type="error", message="Reconnecting... 1/5")) == [Notice("Reconnecting... 1/5")]


def test_a_warning_that_is_held_back_is_not_consumed_yet() -> None:
    decoder = CodexExecDecoder()
    started = line(type="turn.started")
    assert decoder.feed(started + ERROR) == [TurnStarted()]
    assert decoder.consumed == len(started)
    assert decoder.finish() == [Notice("too bad")]
    assert decoder.consumed == len(started + ERROR)


def test_of_a_long_output_the_end_is_kept() -> None:
    (step,) = read(item("command_execution", command="x", aggregated_output="a" * 9_000 + "end"))
    assert isinstance(step, ToolCall)
    assert len(step.output) == OUTPUT_KEPT + SPARE
    assert step.output.endswith("aend")


def test_a_last_line_without_its_end_counts() -> None:
    decoder = CodexExecDecoder()
    assert decoder.feed(line(type="thread.started", thread_id="t").rstrip()) == []
    assert decoder.finish() == [SessionStarted(SessionId("t"))]


@pytest.mark.parametrize("name", ["", "--help", "-", "a b", "x" * 300_000, "../x"])
def test_a_session_whose_name_could_not_be_given_back_is_none(name: str) -> None:
    (event,) = read(line(type="thread.started", thread_id=name))
    assert isinstance(event, Malformed)


@pytest.mark.parametrize("usage", ["many", [], {"input_tokens": "many"}])
def test_tokens_that_cannot_be_counted_cost_no_answer(usage: object) -> None:
    assert read(line(type="turn.completed", usage=usage)) == [TurnCompleted()]
