"""Claude Code's lines: one turn for each process, its steps, and its plans in both shapes."""

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
    EngineEvent,
    Message,
    PlanEntry,
    PlanUpdated,
    Progress,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnCompleted,
    TurnStarted,
    Usage,
)
from core.model.ids import ItemId, SessionId
from core.wire.claude import ClaudeDecoder
from tests.support.claude_lines import INIT, line, result, says, state

RECORDED = sorted((Path(__file__).parents[2] / "transcripts" / "claude").glob("*.jsonl"))


def read(*chunks: bytes) -> list[EngineEvent]:
    decoder = ClaudeDecoder()
    return [event for chunk in chunks for event in decoder.feed(chunk)] + decoder.finish()


def uses(item: str, name: str, given: object, parent: str | None = None) -> bytes:
    block = {"type": "tool_use", "id": item, "name": name, "input": given}
    return line(type="assistant", message={"id": "m", "content": [block]}, parent_tool_use_id=parent)


def done(item: str, said: object, *, failed: bool = False) -> bytes:
    block = {"type": "tool_result", "tool_use_id": item, "content": said, "is_error": failed}
    return line(type="user", message={"role": "user", "content": [block]})


def plans(*lines: bytes) -> list[tuple[PlanEntry, ...]]:
    return [event.entries for event in read(*lines) if isinstance(event, PlanUpdated)]


@given(st.sampled_from(RECORDED), st.lists(st.integers(0, 12_000), max_size=20))
def test_the_cuts_of_the_bytes_make_no_difference(recorded: Path, places: list[int]) -> None:
    data = recorded.read_bytes()
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    assert read(*(data[start:end] for start, end in pairwise(edges))) == read(data)


@pytest.mark.parametrize(
    ("name", "given", "kind", "title", "paths"),
    [
        ("Bash", {"command": "ls"}, ToolKind.EXECUTE, "ls", ()),
        ("Read", {"file_path": "/a"}, ToolKind.READ, "/a", ("/a",)),
        ("NotebookEdit", {"notebook_path": "/a"}, ToolKind.EDIT, "/a", ("/a",)),
        ("Grep", {"pattern": "x"}, ToolKind.SEARCH, "x", ()),
        ("WebFetch", {"url": "https://a.example"}, ToolKind.FETCH, "https://a.example", ()),
        ("Task", {"description": "look"}, ToolKind.OTHER, "look", ()),
        ("mcp__db__drop_all", {}, ToolKind.OTHER, "db.drop_all", ()),
        ("Bash", {"command": 5}, ToolKind.EXECUTE, "Bash", ()),
        ("Bash", "ls", ToolKind.EXECUTE, "Bash", ()),
    ],
)
def test_a_step_says_what_it_does(
    name: str, given: object, kind: ToolKind, title: str, paths: tuple[str, ...]
) -> None:
    started, call = read(uses("u", name, given))
    assert started == TurnStarted()
    assert call == ToolCall(ItemId("u"), kind, title, Progress.IN_PROGRESS, paths=paths)


@pytest.mark.parametrize(
    ("said", "failed", "output", "code"),
    [
        ("hi", False, "hi", 0),
        ("(Bash completed with no output)", False, "", 0),
        ("Exit code 3\nno", True, "no", 3),
        ("<tool_use_error>bad</tool_use_error>", True, "bad", None),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], False, "a\nb", 0),
        ("x" * 9_000, False, "x" * (OUTPUT_KEPT + SPARE), 0),
    ],
)
def test_a_command_tells_what_came_of_it(said: object, failed: bool, output: str, code: int | None) -> None:
    *_, call = read(uses("u", "Bash", {"command": "ls"}), done("u", said, failed=failed))
    progress = Progress.FAILED if failed else Progress.COMPLETED
    assert call == ToolCall(ItemId("u"), ToolKind.EXECUTE, "ls", progress, output, code)


def test_steps_of_a_sub_agent_are_steps_and_its_words_are_none_of_the_turns() -> None:
    events = read(says("secret", parent="u"), uses("v", "Bash", {"command": "ls"}, parent="u"))
    assert [type(event) for event in events] == [TurnStarted, ToolCall]


def test_a_list_written_whole() -> None:
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}, "c"]
    expected = (PlanEntry("a", Progress.COMPLETED), PlanEntry("b", Progress.IN_PROGRESS))
    assert plans(uses("u", "TodoWrite", {"todos": todos})) == [expected]
    assert plans(uses("u", "TodoWrite", {"todos": None})) == [()]


def test_a_list_of_tasks() -> None:
    lines = [uses("u", "TaskCreate", {"subject": "a"}), done("u", "Task #7 created successfully: a")]
    update = [
        uses("v", "TaskUpdate", {"taskId": "7", "status": "completed"}),
        done("v", "Updated task #7 status"),
    ]
    assert plans(*lines, *update) == [
        (PlanEntry("a", Progress.PENDING),),
        (PlanEntry("a", Progress.COMPLETED),),
    ]
    drop = [uses("w", "TaskUpdate", {"taskId": "7", "status": "deleted"}), done("w", "Deleted")]
    assert plans(*lines, *drop)[-1] == ()
    unknown = [uses("v", "TaskUpdate", {"taskId": "9", "status": "completed"}), done("v", "Updated")]
    assert plans(*unknown) == []


def test_the_tasks_of_an_earlier_turn_are_known_from_their_list() -> None:
    listed = "#1 [completed] write\n#2 [pending] check [blocked by #1]"
    assert plans(uses("u", "TaskList", {}), done("u", listed)) == [
        (PlanEntry("write", Progress.COMPLETED), PlanEntry("check", Progress.PENDING))
    ]


def test_a_refusal_is_told_once() -> None:
    denied = line(
        type="system", subtype="permission_denied", tool_name="Bash", tool_use_id="u", message="No."
    )
    denials = [{"tool_name": "Bash", "tool_use_id": "u"}, {"tool_name": "Write", "tool_use_id": "w"}]
    events = read(uses("u", "Bash", {"command": "ls"}), denied, result(permission_denials=denials))
    assert [e for e in events if isinstance(e, Denied)] == [Denied("ls", "No."), Denied("Write")]


def test_tokens_of_any_shape_cost_no_answer() -> None:
    assert read(result(usage="many", modelUsage=[1], permission_denials=7)) == [
        TurnStarted(),
        TurnCompleted(),
    ]
    counted = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 2}
    *_, usage, _ = read(INIT, result(usage=counted, modelUsage={"opus": {"contextWindow": 99}}))
    assert usage == Usage(15, 5, 2, window=99)


def test_the_answer_is_the_results_where_it_is_not_the_last_message() -> None:
    assert read(says("a"), result(result="a\n"))[-1] == TurnCompleted()
    assert read(says("a"), result(result="b"))[-1] == TurnCompleted("b")


def test_a_process_speaks_again_after_its_sub_agents() -> None:
    agent = line(
        type="system", subtype="task_started", tool_use_id="u", task_type="local_agent", is_backgrounded=True
    )
    decoder = ClaudeDecoder()
    begun = state("running") + INIT + agent + says("a")
    assert decoder.feed(begun + result())[-1] == Message(ItemId("ma:0"), "a")
    assert decoder.consumed == len(begun)
    assert decoder.feed(says("b") + result()) == [Message(ItemId("mb:0"), "b")]
    assert decoder.feed(state("idle") + says("c")) == [TurnCompleted()]
    assert decoder.finish() == []


def test_the_session_is_told_once() -> None:
    assert read(INIT, INIT) == [SessionStarted(SessionId("s1"))]
