"""Case 49: a result that is called a success and says that it is an error is a failure, with that reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engines.claude import Claude
from core.engines.cursor import Cursor
from core.engines.gemini_stream import GeminiStream
from core.engines.opencode_run import OpenCodeRun
from core.engines.port import Engine, Failure
from core.model.events import EngineEvent, Message, Retrying, SessionStarted, TurnFailed
from core.model.ids import SessionId
from core.model.prompt import Status
from core.store import conversations
from tests.cases.oneshots import CHAT, lines, read
from tests.support.play_agent import Play, Step
from tests.support.whole import Room, SwiftClock, configured, roost

WORDS = "API Error: Rate limit reached"
CURSOR = lines(
    {"type": "system", "subtype": "init", "session_id": CHAT, "model": "m"},
    {"type": "result", "subtype": "success", "is_error": True, "result": WORDS, "session_id": CHAT},
)
GEMINI = lines(
    {"type": "init", "session_id": CHAT, "model": "m"},
    {"type": "result", "status": "error", "error": {"type": "unknown", "message": f"[{WORDS}]"}},
)
CLAUDE = lines(
    {"type": "system", "subtype": "init", "session_id": CHAT, "model": "m"},
    {"type": "result", "subtype": "success", "is_error": True, "result": WORDS, "session_id": CHAT},
)
OPENCODE = lines(
    {"type": "error", "sessionID": CHAT, "error": {"name": "APIError", "data": {"message": WORDS}}},
)


@pytest.mark.parametrize(
    ("engine", "said"),
    [(Claude(), CLAUDE), (Cursor(), CURSOR), (GeminiStream(), GEMINI), (OpenCodeRun(), OPENCODE)],
)
def test_it_is_a_failure_with_that_reason_and_the_session_is_kept(engine: Engine, said: bytes) -> None:
    events: list[EngineEvent] = read(engine, said)
    assert events[0] == SessionStarted(SessionId(CHAT))
    failed = events[-1]
    assert isinstance(failed, TurnFailed)
    assert "Rate limit reached" in failed.text
    assert engine.sort(failed.text, resumed=True) is Failure.RATE_LIMIT
    assert not [event for event in events if isinstance(event, Message)]


INIT: Step = {"json": {"type": "system", "subtype": "init", "session_id": CHAT, "model": "m"}}


def result(text: str, *, fails: bool) -> list[Step]:
    """A turn of Claude Code that calls itself a success."""
    said = {"subtype": "success", "is_error": fails, "result": text, "session_id": CHAT}
    return [INIT, {"json": {"type": "result", **said}}, {"exit": 0}]


async def test_a_person_sees_a_failure_and_what_waits_resumes_the_session(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    for start in range(1, 5):  # the first try, and one after each wait
        play.steps(*result(WORDS, fails=True), start=start)
    play.steps(*result("Fine.", fails=False))
    config = configured(tmp_path, play.command, 'transport = "exec"\n', engine="claude")
    async with roost(config, clock=SwiftClock(), engine="claude") as whole:
        room = Room(whole)
        first, second = [await whole.submit(text) for text in ("one", "two")]
        failed = await whole.ended(first)
        assert (failed.status, failed.reason) == (Status.FAILED, "engine.rate_limit")
        assert WORDS in await whole.shown(first)
        assert await whole.app.store.read(conversations.answer_to, first) is None
        assert sum(isinstance(event, Retrying) for event in await whole.events(first)) == 3
        assert (await whole.ended(second)).status is Status.DONE
        assert (await whole.talk()).session == CHAT
        assert "what ran last failed" not in (await room.says("/status"))[0]
        play.steps(*result("Not logged in", fails=True))
        await whole.ask()
        assert "what ran last failed" in (await room.says("/status"))[0]
    assert ["--resume" in start.argv for start in play.starts][-2:] == [True, True]
