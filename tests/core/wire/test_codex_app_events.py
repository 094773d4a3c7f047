"""What is heard of a turn over Codex's app server, and that nothing gets in its way."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    Denied,
    Malformed,
    Message,
    MessageDelta,
    Notice,
    Progress,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import ItemId
from core.wire.codex_app import CodexAppDialogue
from core.wire.codex_app_asks import ASKS
from core.wire.codex_app_items import ITEMS
from tests.core.wire.app_server import (
    CAMEL,
    COMMAND,
    ERROR,
    RECORDED,
    REQUEST,
    RUNNING,
    SESSION,
    begun,
    ended,
    item,
    line,
    note,
    placed,
    put,
    read,
)
from tests.core.wire.test_codex_exec import JSON


def test_what_a_sub_agent_does_is_not_ours() -> None:
    child = (RUNNING + item("completed", "agentMessage", text="mine") + ended("completed")).replace(
        b"s-1", b"s-2"
    )
    others = b"".join(part + b"\n" for part in child.splitlines() if b'"id": "t/' not in part)
    call: dict[str, object] = {
        "type": "collabAgentToolCall",
        "id": "i",
        "tool": "spawnAgent",
        "status": "completed",
        "prompt": "look",
        "agentsStates": {},
    }
    events = read(RUNNING + others + placed("item/completed", item=call) + ended("completed"))
    started, took, step, done = events
    assert (started, took, done) == (SessionStarted(SESSION), TurnStarted(), TurnCompleted())
    assert isinstance(step, ToolCall)
    assert (step.title, step.output) == ("spawnAgent", "look")


def test_another_turn_of_the_thread_is_not_ours() -> None:
    earlier = (item("completed", "agentMessage", text="old") + ended("interrupted")).replace(b"u-1", b"u-0")
    assert begun().feed(earlier) == []


def test_the_growing_output_is_told_once_a_second_and_its_end_is_kept() -> None:
    dialogue = begun()
    dialogue.feed(item("started", "commandExecution", "c", command="make", status="inProgress"))
    steps = [
        step
        for at, delta in [(10, "a"), (10.5, "b"), (11, "c" * 9_000), (11.2, "end")]
        for step in dialogue.feed(placed("item/commandExecution/outputDelta", at=at, itemId="c", delta=delta))
    ]
    outputs = [step.output for step in steps if isinstance(step, ToolCall)]
    assert outputs == ["a", "c" * (OUTPUT_KEPT + SPARE)]
    (last,) = dialogue.feed(item("completed", "commandExecution", "c", command="make", status="failed"))
    assert isinstance(last, ToolCall)
    assert (last.progress, last.output[-4:]) == (Progress.FAILED, "cend")


def test_what_the_engine_itself_forbids_is_shown() -> None:
    declined = item("completed", "commandExecution", "c", command="rm", status="declined")
    step, denied = begun().feed(declined)
    assert isinstance(step, ToolCall)
    assert denied == Denied("rm")
    dialogue = begun()
    put(dialogue, COMMAND)
    assert len(dialogue.feed(declined.replace(b'"c"', b'"c-1"'))) == 1


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ERROR, "too bad"),
        ({"message": "hm", "codexErrorInfo": "usageLimitExceeded"}, "hm (usage limit)"),
        ({"message": "hm", "codexErrorInfo": {"httpConnectionFailed": {"httpStatusCode": 401}}}, "hm (401)"),
        ({"message": "429!", "codexErrorInfo": {"x": {"httpStatusCode": 429}}}, "429!"),
        ({"message": "hm", "codexErrorInfo": {"x": {"httpStatusCode": 500}}}, "hm"),
        ({"message": "hm", "codexErrorInfo": "other"}, "hm"),
    ],
)
def test_a_failure_is_told_in_words_that_sort(error: dict[str, object], text: str) -> None:
    warning = placed("error", error=error, willRetry=False)
    assert begun().feed(warning + ended("failed", error=error)) == [TurnFailed(text)]
    assert begun().feed(warning + ended("failed", error=None)) == [TurnFailed(text)]


def test_what_is_tried_again_is_a_notice() -> None:
    assert begun().feed(placed("error", error=ERROR, willRetry=True)) == [Notice("too bad")]


def test_a_closed_session_is_the_end() -> None:
    assert begun().feed(note("thread/closed", threadId="s-2")) == []
    assert begun().feed(note("thread/closed", threadId="s-1")) == [TurnFailed("thread closed")]


def test_nothing_comes_after_the_end_and_the_next_turn_begins_there() -> None:
    dialogue = begun()
    end = ended("completed")
    before = dialogue.consumed
    assert dialogue.feed(end + item("completed", "agentMessage", text="late")) == [TurnCompleted()]
    assert dialogue.consumed == before + len(end)
    assert dialogue.feed(ended("failed")) == dialogue.finish() == []
    dialogue.steer("x", "m")
    dialogue.interrupt()
    assert dialogue.due() == []


@given(st.sampled_from(RECORDED), st.lists(st.integers(0, 20_000), max_size=20))
def test_the_cuts_of_the_bytes_make_no_difference(recorded: Path, places: list[int]) -> None:
    data = recorded.read_bytes()
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    assert read(*(data[start:end] for start, end in pairwise(edges))) == read(data)


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem)
def test_one_terminal_event_and_it_is_last(recorded: Path) -> None:
    events = read(recorded.read_bytes())
    assert [event for event in events if isinstance(event, TurnCompleted | TurnFailed)] == events[-1:]
    assert not [event for event in events if isinstance(event, Unrecognised | Malformed)]


@given(st.sampled_from(sorted(ITEMS)), st.dictionaries(st.sampled_from(CAMEL), JSON))
def test_a_wrong_item_is_refused_by_name(kind: str, fields: dict[str, object]) -> None:
    wrong = placed("item/completed", item={**fields, "type": kind, "id": 5})
    (event,) = begun().feed(wrong)
    assert isinstance(event, Malformed)
    assert event.why.startswith("item/completed: ")


METHODS = sorted({*CodexAppDialogue(REQUEST, "t").handlers, *ASKS})


@given(st.sampled_from(METHODS), st.dictionaries(st.sampled_from(CAMEL), JSON), st.booleans())
def test_a_wrong_shape_is_refused_by_name(method: str, params: dict[str, object], asks: bool) -> None:
    named: dict[str, object] = {"id": 3} if asks else {}
    for event in begun().feed(line(**named, method=method, params=params)):
        if isinstance(event, Malformed):
            assert event.why.startswith(method)


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_nothing_escapes(chunks: list[bytes]) -> None:
    dialogue = CodexAppDialogue(REQUEST, "t", limit=50)
    events = [event for chunk in chunks for event in dialogue.feed(chunk)] + dialogue.finish()
    assert all(isinstance(event, Malformed | Unrecognised) for event in events)


@pytest.mark.parametrize(
    "noise",
    [
        b"Reading additional input...",
        b"\x1b[33mWARN\x1b[0m something",
        b"\0\0\0",
        b"\xff\xfe",
        b"123",
        b"null",
        b"[]",
        b"{}",
        b'{"method": 5}',
        b'{"method":"turn/comp',
        b'{"method":"turn/completed"} and more',
        b"[" * 200_000,
        b'{"method":"x","params":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b"x" * 1_000_001,
    ],
    ids=lambda noise: repr(noise[:20]),
)
def test_noise_is_noted_and_the_turn_goes_on(noise: bytes) -> None:
    _, _, *noted, message, completed = read(
        RUNNING + noise + b"\n" + item("completed", "agentMessage", text="Hello") + ended("completed")
    )
    assert all(isinstance(event, Malformed | Unrecognised) for event in noted)
    assert (message, completed) == (Message(ItemId("i"), "Hello"), TurnCompleted())


@pytest.mark.parametrize(
    ("written", "shown"),
    [(b"caf\xe9", "caf\ufffd"), (rb"a\u0000b", "ab"), (rb"a\ud83db", "a\ufffdb"), (b"a\x1b[1mb", "a [1mb")],
)
def test_bad_signs_are_replaced_where_they_stand(written: bytes, shown: str) -> None:
    raw = placed("item/agentMessage/delta", itemId="i", delta="WORDS").replace(b"WORDS", written)
    assert begun().feed(raw) == [MessageDelta(ItemId("i"), shown)]
