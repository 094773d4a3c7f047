"""Case 49: a result that is called a success and says that it is an error is a failure, with that reason."""

from __future__ import annotations

import pytest

from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from core.engines.port import Engine, Failure
from core.model.events import EngineEvent, Message, SessionStarted, TurnFailed
from core.model.ids import SessionId
from tests.cases.oneshots import CHAT, lines, read

WORDS = "API Error: Rate limit reached"
CURSOR = lines(
    {"type": "system", "subtype": "init", "session_id": CHAT, "model": "m"},
    {"type": "result", "subtype": "success", "is_error": True, "result": WORDS, "session_id": CHAT},
)
GEMINI = lines(
    {"type": "init", "session_id": CHAT, "model": "m"},
    {"type": "result", "status": "error", "error": {"type": "unknown", "message": f"[{WORDS}]"}},
)
OPENCODE = lines(
    {"type": "error", "sessionID": CHAT, "error": {"name": "APIError", "data": {"message": WORDS}}},
)


@pytest.mark.parametrize(
    ("engine", "said"), [(Cursor(), CURSOR), (GeminiStream(), GEMINI), (OpenCodeRun(), OPENCODE)]
)
def test_it_is_a_failure_with_that_reason_and_the_session_is_kept(engine: Engine, said: bytes) -> None:
    events: list[EngineEvent] = read(engine, said)
    assert events[0] == SessionStarted(SessionId(CHAT))
    failed = events[-1]
    assert isinstance(failed, TurnFailed)
    assert "Rate limit reached" in failed.text
    assert engine.sort(failed.text, resumed=True) is Failure.RATE_LIMIT
    assert not [event for event in events if isinstance(event, Message)]
