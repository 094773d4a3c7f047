"""Claude Code spoken to: what is said and told in a turn, however the bytes arrive."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.port import Dialogue
from core.model.events import (
    Malformed,
    Message,
    Notice,
    SessionStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
)
from core.model.ids import ItemId, SessionId
from core.model.launch import Word
from core.wire.claude_dialogue import ClaudeDialogue
from core.wire.claude_words import keys
from core.wire.lines import Lines
from tests.support.claude_lines import INIT, REQUEST, asks, dialogue, lifecycle, line, result, says, state

RECORDED = sorted((Path(__file__).parents[2] / "transcripts" / "claude_spoken").glob("*.jsonl"))
TERMINAL = (TurnCompleted, TurnFailed)
SAID = {"role": "user", "content": "Hello"}


def of_recording(path: Path) -> ClaudeDialogue:
    warm = path.stem.endswith("_warm")
    return dialogue(turn="t2" if warm else "t1", warm=warm)


def told(words: list[Word]) -> list[object]:
    return [json.loads(word.line) for word in words]


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_turn_is_the_events_beside_it(recorded: Path) -> None:
    """The words that became due by themselves stand below the events."""
    spoken = of_recording(recorded)
    events = [*spoken.feed(recorded.read_bytes()), *spoken.finish()]
    found = "".join(f"{one!r}\n" for one in [*events, *spoken.due()])
    expected = recorded.with_suffix(".events")
    if os.environ.get("ROOST_UPDATE_TRANSCRIPTS"):
        expected.write_text(found)
    assert found == expected.read_text()
    assert [isinstance(event, TERMINAL) for event in events].index(True) == len(events) - 1
    assert not spoken.feed(recorded.read_bytes())


@given(recorded=st.sampled_from(RECORDED), cuts=st.lists(st.integers(0, 25_000), max_size=8))
def test_it_does_not_matter_how_the_bytes_are_cut(recorded: Path, cuts: list[int]) -> None:
    data = recorded.read_bytes()
    whole, parts = of_recording(recorded), of_recording(recorded)
    edges = [0, *sorted(cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges)]
    assert [event for piece in pieces for event in parts.feed(piece)] == whole.feed(data)
    assert parts.consumed == whole.consumed
    assert parts.due() == whole.due()


@given(recorded=st.sampled_from(RECORDED), noise=st.binary(max_size=30), at=st.integers(0, 60))
def test_noise_between_the_lines_breaks_nothing(recorded: Path, noise: bytes, at: int) -> None:
    lines = [one for one in Lines().feed(recorded.read_bytes()) if isinstance(one, bytes)]
    lines.insert(min(at, len(lines) - 1), b"\x1b[33m" + noise.replace(b"\n", b""))
    spoken, quiet = of_recording(recorded), of_recording(recorded)
    events = spoken.feed(b"\n".join(lines) + b"\n")
    assert [e for e in events if not isinstance(e, Malformed)] == quiet.feed(recorded.read_bytes())


@given(st.lists(st.binary(max_size=60)))
def test_nothing_raises(pieces: list[bytes]) -> None:
    spoken = dialogue()
    for piece in pieces:
        spoken.feed(b'{"type":"assistant",' + piece + b"\n" + piece)
    spoken.finish()


@pytest.mark.parametrize(
    ("shape", "named"),
    [
        (line(type="assistant"), "message"),
        (line(type="assistant", message={"id": "m", "content": "text"}), "content"),
        (line(type="user", message={}), "content"),
        (line(type="result"), "subtype"),
        (line(type="stream_event"), "event"),
        (line(type="system"), "subtype"),
        (line(type="system", subtype="init"), "session_id"),
        (line(type="system", subtype="init", session_id="--yes"), "session_id"),
        (line(type="system", subtype="api_retry"), "attempt"),
        (line(type="control_request", request_id="r"), "request"),
        (line(type="command_lifecycle", state="queued"), "command_uuid"),
        (line(type="rate_limit_event"), "rate_limit_info"),
    ],
)
def test_a_wrong_shape_is_refused_by_name(shape: bytes, named: str) -> None:
    (event,) = dialogue().feed(shape)
    assert isinstance(event, Malformed)
    assert f"`{named}`" in event.why or f"$.{named}" in event.why or f".{named}`" in event.why


def test_what_is_unknown_is_named() -> None:
    lines = line(type="dream") + line(type="system", subtype="mood")
    assert dialogue().feed(lines) == [Unrecognised("dream"), Unrecognised("system/mood")]


# --- the words ----------------------------------------------------------------------------------------------


def test_the_first_words_are_the_prompt() -> None:
    spoken: Dialogue = dialogue()
    assert told(spoken.due()) == [{"type": "user", "uuid": "t1:prompt", "message": SAID}]
    assert spoken.due() == []


def test_pictures_are_named_behind_the_prompt() -> None:
    (word,) = dialogue(replace(REQUEST, images=("/a b.png", "/c.png"))).due()
    assert json.loads(word.line)["message"]["content"] == 'Hello\n\n@"/a b.png"\n@"/c.png"'


def test_every_word_tells_its_key() -> None:
    spoken = dialogue()
    spoken.steer("And that", "k1")
    spoken.interrupt()
    spoken.feed(
        asks("r1", "Bash", {"command": "ls"})
        + line(type="control_request", request_id="r2", request={"subtype": "dream"})
    )
    spoken.answer("r1", "once")
    words = spoken.due()
    assert [word.key for word in words] == [
        "t1:prompt",
        "t1:steer:k1",
        "t1:interrupt",
        "answer:r2",
        "answer:r1",
    ]
    inp = b"".join(word.line for word in words)
    assert keys(inp) == {word.key for word in words}
    assert keys(inp[:-1]) == {word.key for word in words[:-1]}


@given(st.binary(max_size=100))
def test_keys_of_anything(data: bytes) -> None:
    assert keys(data + b"\n" + dialogue().due()[0].line) >= {"t1:prompt"}


def test_an_interrupt_is_told_once_and_drops_what_waits() -> None:
    spoken = dialogue()
    spoken.due()
    spoken.interrupt()
    spoken.interrupt()
    request = {"subtype": "interrupt", "cancel_queued": True}
    assert told(spoken.due()) == [
        {"type": "control_request", "request_id": "t1:interrupt", "request": request}
    ]


def test_nothing_is_told_after_the_end() -> None:
    spoken = dialogue()
    spoken.due()
    assert spoken.feed(result("t1:prompt"))[-1] == TurnCompleted()
    spoken.interrupt()
    spoken.steer("x", "k")
    spoken.answer("r", "once")
    assert spoken.due() == []


# --- where a turn begins and ends ---------------------------------------------------------------------------


def test_a_result_of_what_nobody_asked_ends_nothing() -> None:
    spoken = dialogue(warm=True)
    foreign = INIT + says("bg") + result(origin={"kind": "task-notification"})
    assert spoken.feed(state("running") + foreign) == []
    assert spoken.feed(lifecycle("t1:prompt", "started") + INIT) == [SessionStarted(SessionId("s1"))]
    answer = Message(ItemId("ma:0"), "a")
    assert spoken.feed(says("a") + result("t1:prompt")) == [TurnStarted(), answer, TurnCompleted()]


def test_a_prompt_taken_up_by_a_turn_under_way_is_answered_by_its_result() -> None:
    spoken = dialogue(warm=True)
    events = spoken.feed(lifecycle("t1:prompt", "started") + says("a") + result("other", "t1:prompt"))
    assert events == [
        SessionStarted(SessionId("s1")),
        TurnStarted(),
        Message(ItemId("ma:0"), "a"),
        TurnCompleted(),
    ]


def test_the_turn_goes_on_until_what_was_added_is_answered() -> None:
    spoken = dialogue()
    spoken.feed(INIT + says("a"))
    spoken.steer("And that", "k1")
    assert spoken.feed(result("t1:prompt")) == []
    assert spoken.feed(says("b") + result("t1:steer:k1"))[-1] == TurnCompleted()


def test_a_new_dialogue_knows_of_what_was_added_from_the_programs_own_word() -> None:
    spoken = dialogue()
    spoken.feed(INIT + lifecycle("t1:steer:k1", "queued") + result("t1:prompt"))
    assert spoken.feed(lifecycle("t1:steer:k1", "cancelled")) == [TurnCompleted()]


@pytest.mark.parametrize("how", ["cancelled", "discarded", "refused"])
def test_a_prompt_that_is_never_run_fails(how: str) -> None:
    spoken = dialogue()
    assert spoken.feed(lifecycle("t1:prompt", "queued") + lifecycle("t1:prompt", how)) == [
        TurnFailed(f"prompt {how}")
    ]


AGENT = line(
    type="system", subtype="task_started", tool_use_id="u", task_type="local_agent", is_backgrounded=True
)
REPORT = line(type="system", subtype="task_notification", tool_use_id="u", status="completed", summary="x")
NOTIFIED = {"origin": {"kind": "task-notification"}}


def test_a_turn_with_sub_agents_goes_on_until_the_program_is_idle() -> None:
    spoken = dialogue()
    spoken.feed(state("running") + INIT + AGENT + says("a"))
    assert TurnCompleted() not in spoken.feed(result("t1:prompt") + REPORT)
    assert TurnCompleted() not in spoken.feed(says("b") + result(**NOTIFIED))
    assert spoken.feed(state("idle")) == [TurnCompleted()]


@pytest.mark.parametrize(("heard", "over"), [(False, False), (True, True)])
def test_a_report_that_was_not_heard_yet_is_awaited(heard: bool, over: bool) -> None:
    spoken = dialogue()
    spoken.feed(state("running") + INIT + AGENT + says("a") + REPORT)
    if heard:
        spoken.feed(line(type="system", subtype="status", status="requesting"))
    assert (TurnCompleted() in spoken.feed(result("t1:prompt"))) is over


def test_an_end_that_is_held_is_told_when_the_program_ends() -> None:
    spoken = dialogue()
    spoken.feed(state("running") + AGENT + says("a"))
    assert spoken.feed(result("t1:prompt")) == []
    assert spoken.finish() == [TurnCompleted()]


def test_what_follows_the_end_is_left_for_the_next_turn() -> None:
    spoken, end = dialogue(), result("t1:prompt")
    assert spoken.feed(end + INIT + says("more"))[-1] == TurnCompleted()
    assert spoken.consumed == len(end)


def test_internal_lines_are_no_reason() -> None:
    spoken = dialogue()
    interrupted = {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}
    errors = ["[ede_diagnostic] x"]
    events = spoken.feed(
        line(type="user", message=interrupted)
        + result("t1:prompt", subtype="error_during_execution", is_error=True, result=None, errors=errors)
    )
    assert events[-1] == TurnFailed("[Request interrupted by user]")


def test_an_error_to_a_request_of_ours_is_told() -> None:
    response = {"subtype": "error", "request_id": "t1:interrupt", "error": "No."}
    assert dialogue().feed(line(type="control_response", response=response)) == [Notice("No.")]
