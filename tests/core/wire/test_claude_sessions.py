"""The files of Claude Code's sessions, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.ids import SessionId
from core.model.sessions import SessionInfo
from core.wire.claude_sessions import TITLE_KEPT, folder, history, info
from tests.support.claude_lines import line

AT = "2026-11-30T13:43:41.070Z"
THEN = 1_796_046_221.07


def user(content: object, **fields: object) -> bytes:
    base: dict[str, object] = {"type": "user", "sessionId": "s1", "cwd": "/p", "timestamp": AT}
    return line(**{**base, "message": {"role": "user", "content": content}, **fields})


def agent(*blocks: object) -> bytes:
    return line(type="assistant", sessionId="s1", message={"role": "assistant", "content": blocks})


OWN = (
    line(type="queue-operation", sessionId="s1", content="Hello"),
    user("<command-name>/compact</command-name>"),
    user("hidden", isMeta=True),
    user("of a sub-agent", isSidechain=True),
    user([{"type": "tool_result", "tool_use_id": "u", "content": "x"}]),
    b"no json",
    b'{"type":"user","message":{"content":5}}',
    b"",
)
TALK = (
    *OWN,
    user("Hello\nthere"),
    agent({"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi."}),
)


@pytest.mark.parametrize(
    ("more", "title"),
    [
        ((), "Hello there"),
        ((line(type="summary", summary="Sum"),), "Sum"),
        ((line(type="ai-title", aiTitle="Greetings"), line(type="summary", summary="Sum")), "Greetings"),
        ((line(type="custom-title", customTitle="Mine"), line(type="ai-title", aiTitle="G")), "Mine"),
    ],
)
def test_what_a_file_tells(more: tuple[bytes, ...], title: str) -> None:
    assert info([*TALK, *more]) == SessionInfo(SessionId("s1"), title, THEN, "/p")


def test_a_title_is_short() -> None:
    found = info([user("x" * 1_000)])
    assert found
    assert len(found.title) == TITLE_KEPT


def test_a_file_without_a_prompt_is_no_session() -> None:
    assert info(OWN) is None
    assert info([]) is None


def test_its_history() -> None:
    said = [("user", "Hello\nthere"), ("assistant", "Hi.")]
    assert history(TALK, 9) == said
    assert history(TALK, 1) == said[1:]
    assert history(TALK, 0) == []


def test_where_it_lies() -> None:
    assert folder("/home/me/my_proj.x") == "-home-me-my-proj-x"


@given(st.lists(st.binary(max_size=80)))
def test_nothing_raises(lines: list[bytes]) -> None:
    assert info(lines) is None
    assert history(lines, 5) == []
