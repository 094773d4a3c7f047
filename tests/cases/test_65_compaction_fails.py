"""Case 65: a context that stays full is told as such, and costs neither the session nor what waits."""

from __future__ import annotations

from pathlib import Path

from core.engines.codex import Codex
from core.engines.port import Failure
from core.model.events import TurnFailed
from core.model.prompt import Status
from tests.cases.oneshots import THREAD, lines, read
from tests.support.play_agent import Play, Step
from tests.support.whole import BEGUN, STARTED, configured, roost

FULL = (
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before "
    "retrying."
)
COMPACTED = {"type": "item.completed", "item": {"id": "i1", "type": "context_compaction"}}
ERROR = {"type": "error", "message": 'Error running remote compact task: {"code":"context_length_exceeded"}'}
FAILED = {"type": "turn.failed", "error": {"message": FULL}}


def test_the_reason_is_the_full_context() -> None:
    events = read(Codex(), lines({"type": "thread.started", "thread_id": THREAD}, COMPACTED, ERROR, FAILED))
    assert events[-1] == TurnFailed(FULL)
    assert Codex().sort(FULL, resumed=True) is Failure.CONTEXT_FULL
    assert Codex().sort(str(ERROR["message"]), resumed=True) is Failure.CONTEXT_FULL


async def test_a_person_is_offered_a_new_conversation_and_the_session_stays(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    steps: list[Step] = [
        STARTED,
        BEGUN,
        *({"json": line} for line in (COMPACTED, ERROR, FAILED)),
        {"exit": 1},
    ]
    play.steps(*steps)
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        assert (prompt.status, prompt.reason) == (Status.FAILED, "engine.context_full")
        assert "/new" in await whole.shown(prompt.id)
        assert (await whole.talk()).session == THREAD
    assert len(play.starts) == 1


async def test_compactions_without_end_can_be_cancelled(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(STARTED, BEGUN, *([{"json": COMPACTED}] * 50), {"sleep": 60})
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.submit("Go")
        await whole.cancel(prompt)
        assert (await whole.ended(prompt)).status is Status.CANCELLED
