"""OpenCode's, Gemini's and Cursor's lines where no recording has them: wrong shapes, odd orders, restarts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.port import Decoder
from core.model.events import (
    OUTPUT_KEPT,
    SPARE,
    Denied,
    EngineEvent,
    Malformed,
    Message,
    Notice,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import ItemId, SessionId
from core.wire import cursor, gemini_stream, opencode_run
from core.wire.opencode_run import REJECTED
from core.wire.shapes import Handler

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
KEYS = {
    "opencode": ("sessionID", "part", "error", "timestamp"),
    "gemini": ("session_id", "role", "content", "tool_name", "tool_id", "status", "error", "message"),
    "cursor": ("session_id", "message", "call_id", "tool_call", "subtype", "result", "is_error"),
}
HANDLERS: Mapping[str, Mapping[str, Handler]] = {
    "opencode": opencode_run.HANDLERS,
    "gemini": gemini_stream.HANDLERS,
    "cursor": cursor.HANDLERS,
}
DECODERS: dict[str, Callable[[], Decoder]] = {
    "opencode": opencode_run.OpenCodeRunDecoder,
    "gemini": gemini_stream.GeminiStreamDecoder,
    "cursor": cursor.CursorDecoder,
}
SESSION = SessionId("ses_1")


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def read(program: str, *lines: bytes) -> list[EngineEvent]:
    decoder = DECODERS[program]()
    return [event for one in lines for event in decoder.feed(one)] + decoder.finish()


@given(data=st.data())
@pytest.mark.parametrize("program", DECODERS)
def test_a_wrong_shape_is_refused_by_name(program: str, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(sorted(HANDLERS[program])))
    fields = data.draw(st.dictionaries(st.sampled_from(KEYS[program]), JSON))
    raw = line(**{**fields, "type": kind})
    for event in read(program, raw):
        if isinstance(event, Malformed):
            assert event.why.startswith(kind)
            assert raw.decode().startswith(event.head)


@pytest.mark.parametrize("program", DECODERS)
def test_what_is_not_known_is_named(program: str) -> None:
    assert read(program, line(type="turn.paused")) == [Unrecognised("turn.paused")]


@pytest.mark.parametrize("name", ["", "--help", "a b", "../x", "x" * 300])
@pytest.mark.parametrize(
    ("program", "fields"),
    [
        ("opencode", {"type": "step_start", "field": "sessionID"}),
        ("gemini", {"type": "init", "field": "session_id"}),
        ("cursor", {"type": "system", "field": "session_id"}),
    ],
)
def test_a_session_whose_name_could_not_be_given_back_is_none(
    program: str, fields: dict[str, str], name: str
) -> None:
    (event,) = read(program, line(type=fields["type"], **{fields["field"]: name}))
    assert isinstance(event, Malformed)


# --- OpenCode ---------------------------------------------------------------------------------------------


def opencode(kind: str, **part: object) -> bytes:
    return line(type=kind, timestamp=1_000_000, sessionID=SESSION, part=part)


def tool(name: str, status: str, **state: object) -> bytes:
    return opencode("tool_use", tool=name, callID="c1", state={"status": status, **state})


def fault(name: str, **data: object) -> bytes:
    return line(type="error", timestamp=1_000_000, sessionID=SESSION, error={"name": name, "data": data})


BEGIN = opencode("step_start")
STOP = opencode("step_finish", reason="stop")
MORE = opencode("step_finish", reason="tool-calls")
HELLO = opencode("text", id="p1", text="Hello")
BEGUN = [SessionStarted(SESSION), TurnStarted()]


def ends(*lines: bytes) -> list[EngineEvent]:
    return [event for event in read("opencode", *lines) if isinstance(event, TurnCompleted | TurnFailed)]


def test_a_stop_that_another_step_follows_was_none() -> None:
    summary = opencode("text", id="p0", text="A summary")
    events = read("opencode", BEGIN, summary, STOP, BEGIN, HELLO, STOP)
    assert events[-1] == TurnCompleted()
    assert [event.text for event in events if isinstance(event, Message)] == ["A summary", "Hello"]
    assert sum(isinstance(event, TurnCompleted) for event in events) == 1


def test_a_step_that_asks_for_another_is_no_end() -> None:
    assert ends(BEGIN, MORE) == []
    assert ends(BEGIN, HELLO) == []


def test_an_error_that_the_turn_survives_is_a_warning() -> None:
    events = read("opencode", BEGIN, fault("ContextOverflowError", message="too long"), BEGIN, HELLO, STOP)
    assert Notice("ContextOverflowError: too long") in events
    assert events[-1] == TurnCompleted()


def test_the_last_error_counts() -> None:
    lines = fault("APIError", message="a", statusCode=500), fault("APIError", message="b", statusCode=429)
    events = read("opencode", *lines)
    assert events == [*BEGUN, Notice("a (HTTP 500)"), TurnFailed("b (HTTP 429)")]


@pytest.mark.parametrize(
    ("raw", "failed"),
    [
        (fault("UnknownError", message="m"), TurnFailed("m")),
        (fault("MessageAbortedError"), TurnFailed("MessageAbortedError")),
        (fault("ProviderAuthError", message="no key"), TurnFailed("ProviderAuthError: no key")),
        (
            fault("APIError", message="slow", statusCode=429, responseHeaders={"retry-after": "60"}),
            TurnFailed("slow (HTTP 429)", 1060.0),
        ),
        (
            fault("APIError", message="slow", statusCode=429, responseHeaders={"retry-after": "soon"}),
            TurnFailed("slow (HTTP 429)"),
        ),
    ],
)
def test_an_error_in_words(raw: bytes, failed: TurnFailed) -> None:
    assert read("opencode", raw)[-1] == failed


def test_a_rejection_ends_the_turn_even_beside_other_steps() -> None:
    rejected = tool("bash", "error", input={"command": "rm x"}, error=REJECTED)
    beside = tool("read", "completed", input={"filePath": "/a"})
    assert ends(BEGIN, rejected, beside, MORE) == [TurnFailed(REJECTED)]
    survived = read("opencode", BEGIN, rejected, MORE, BEGIN, HELLO, STOP)
    assert survived[-1] == TurnCompleted()
    assert Denied("rm x", REJECTED) in survived
    assert not [event for event in survived if isinstance(event, Notice)]


def test_what_may_be_the_end_is_not_consumed_before_it_is_known() -> None:
    decoder = opencode_run.OpenCodeRunDecoder()
    decoder.feed(BEGIN + HELLO + STOP)
    assert decoder.consumed == len(BEGIN + HELLO)
    decoder.feed(b"noise\n" + BEGIN)
    assert decoder.consumed == len(BEGIN + HELLO + STOP + b"noise\n" + BEGIN)


def test_a_synthetic_or_empty_text_is_no_message() -> None:
    assert read("opencode", opencode("text", id="p", text=" \n"))[1:] == []
    assert read("opencode", opencode("text", id="p", text="Go on", synthetic=True))[1:] == []


@pytest.mark.parametrize("arguments", [None, 5, [], {"command": 5}, {}])
def test_odd_arguments_cost_the_title_only(arguments: object) -> None:
    (step,) = read("opencode", tool("bash", "error", input=arguments, error="odd"))[1:]
    assert isinstance(step, ToolCall)
    assert (step.title, step.progress) == ("bash", Progress.FAILED)


def test_todos_that_are_none_are_a_step() -> None:
    (event,) = read("opencode", tool("todowrite", "completed", input={"todos": "x"}, title="2 todos"))[1:]
    assert isinstance(event, ToolCall)
    assert event.title == "2 todos"
    (plan,) = read("opencode", tool("todowrite", "completed", input={"todos": []}))[1:]
    assert plan == PlanUpdated(())


def test_of_a_long_output_the_end_is_kept() -> None:
    (step,) = read("opencode", tool("bash", "completed", input={}, output="a" * 9_000 + "end"))[1:]
    assert isinstance(step, ToolCall)
    assert len(step.output) == OUTPUT_KEPT + SPARE
    assert step.output.endswith("aend")


# --- Gemini -----------------------------------------------------------------------------------------------


def piece(text: str) -> bytes:
    return line(type="message", role="assistant", content=text, delta=True)


DONE = line(type="result", status="success", stats={"input_tokens": 1})


def test_what_gemini_had_said_before_it_was_ended_is_kept() -> None:
    assert read("gemini", piece("one "), piece("two")) == [
        TurnStarted(),
        Message(ItemId("answer-1"), "one two"),
    ]


def test_pieces_are_not_consumed_before_their_message_is_whole() -> None:
    decoder = gemini_stream.GeminiStreamDecoder()
    head = line(type="init", session_id="s")
    decoder.feed(head + piece("one ") + b"noise\n" + piece("two"))
    assert decoder.consumed == len(head)
    rest = piece("one ") + piece("two") + DONE
    assert Message(ItemId("answer-1"), "one two") in read("gemini", rest)


@pytest.mark.parametrize("stats", ["many", [], {"input_tokens": "many"}])
def test_tokens_that_cannot_be_counted_cost_no_answer(stats: object) -> None:
    events = read("gemini", piece("a"), line(type="result", status="success", stats=stats))
    assert events[-1] == TurnCompleted()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ('[API Error: {"error":{"code":429,"message":"slow","status":"X"}}]', "slow (429 X)"),
        ('[API Error: {"error":{"message":"slow"}}]', "slow"),
        ("[API Error: models/x is not found]", "models/x is not found"),
        ("Loop detected", "Loop detected"),
    ],
)
def test_gemini_fails_in_readable_words(said: str, told: str) -> None:
    failed = line(type="result", status="error", error={"type": "unknown", "message": said})
    assert read("gemini", failed, DONE, failed) == [TurnFailed(told)]


def test_a_warning_of_gemini_is_a_notice() -> None:
    warned = line(type="error", severity="warning", message="Loop detected")
    assert read("gemini", piece("a"), warned, piece("b"), DONE)[:3] == [
        TurnStarted(),
        Notice("Loop detected"),
        Message(ItemId("answer-1"), "ab"),
    ]


def test_a_result_without_its_call_is_a_step_under_the_tools_name() -> None:
    (step,) = read(
        "gemini", line(type="tool_result", tool_id="run_shell_command__1", status="success", output="hi")
    )
    assert isinstance(step, ToolCall)
    assert (step.kind, step.title, step.output) == ("execute", "run_shell_command", "hi")


# --- Cursor -----------------------------------------------------------------------------------------------


def says(text: str) -> bytes:
    return line(type="assistant", message={"content": [{"type": "text", "text": text}]})


def call(subtype: str, **tool_call: object) -> bytes:
    return line(type="tool_call", subtype=subtype, call_id="c", tool_call=tool_call)


def result(text: str, **more: object) -> bytes:
    return line(type="result", **{"subtype": "success", "is_error": False, "result": text, **more})


SHELL = {"args": {"command": "ls"}}


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([says("Looking. "), call("started", shellToolCall=SHELL), says("Done.")], "Done."),
        ([says("Looking. "), call("started", shellToolCall=SHELL), says("Do"), says("ne.")], "Done."),
        ([], "Looking. Done."),
        ([says("Something else")], "Looking. Done."),
    ],
)
def test_the_answer_is_what_came_after_the_last_step(lines: list[bytes], answer: str) -> None:
    assert read("cursor", *lines, result("Looking. Done."))[-1] == TurnCompleted(answer)


def test_a_result_that_is_an_error_is_a_failure_and_the_last_word() -> None:
    assert read("cursor", result("no", is_error=True), result("yes")) == [TurnFailed("no")]
    assert read("cursor", result("", subtype="error_during_execution")) == [
        TurnFailed("error_during_execution")
    ]
    assert read("cursor", result(""))[-1] == TurnCompleted()


@pytest.mark.parametrize("tool_call", [{}, {"oddToolCall": {}}, {"x": 5}, {"function": {"name": "f"}}])
def test_an_odd_step_is_a_step(tool_call: dict[str, object]) -> None:
    (step,) = read("cursor", line(type="tool_call", subtype="completed", call_id="c", tool_call=tool_call))[
        1:
    ]
    assert isinstance(step, ToolCall)
    assert step.title in ("tool", "odd", "f")
