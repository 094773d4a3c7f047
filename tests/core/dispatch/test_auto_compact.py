"""A context that is nearly full is compacted by itself between two turns, where a conversation wants that."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model.prompt import Kind, Prompt, Status
from core.store import conversations, prompts
from tests.support.play_agent import Play, Step
from tests.support.whole import THREAD, Whole, configured, roost, until

WINDOW = 200_000
COMPACTED: Step = {
    "json": {
        "type": "system",
        "subtype": "compact_boundary",
        "session_id": THREAD,
        "compact_metadata": {"trigger": "manual", "pre_tokens": 180_000, "post_tokens": 31_000},
    }
}


def turn(*steps: Step, text: str = "Done.", tokens: int = 0, error: bool = False) -> list[Step]:
    """What one start of Claude Code says; *tokens* are in its context at the end."""
    init = {"type": "system", "subtype": "init", "session_id": THREAD, "model": "opus"}
    usage = {"input_tokens": tokens, "output_tokens": 10}
    message = {"id": "m1", "content": [{"type": "text", "text": text}], "model": "opus", "usage": usage}
    result = {
        "type": "result",
        "subtype": "success",
        "is_error": error,
        "result": text,
        "session_id": THREAD,
        "usage": usage,
        "modelUsage": {"opus": {"contextWindow": WINDOW}},
    }
    says: list[Step] = [] if error else [{"json": {"type": "assistant", "message": message}}]
    return [{"json": init}, *steps, *says, {"json": result}]


NEARLY = turn(text="Nearly full.", tokens=171_000)
PLENTY = turn(text="Plenty of room.", tokens=169_000)


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path / "play")


def config(home: Path, play: Play) -> Path:
    return configured(home, play.command, 'transport = "exec"\n', engine="claude")


async def wanted(whole: Whole, *, on: bool = True) -> None:
    await whole.app.store.write(conversations.set_auto_compact, whole.conversation, on=on)


async def every(whole: Whole) -> list[Prompt]:
    """All prompts, in the order in which they were stored, once nothing runs or waits."""

    async def over() -> bool:
        return not await whole.app.store.read(prompts.every_open)

    await until(over)
    return await whole.app.store.read(
        lambda db: [prompts.get(db, row["id"]) for row in db.execute("SELECT id FROM prompts ORDER BY id")]
    )


def order(play: Play) -> list[str]:
    """The first words that each start was given."""
    return [start.stdin.decode().partition("\n")[0] for start in play.starts]


READ: Step = {"read_stdin": "eof"}


async def test_it_comes_once_and_before_what_waits(tmp_path: Path, play: Play) -> None:
    play.steps(READ, {"wait_for": str(tmp_path / "go")}, *NEARLY, start=1)
    play.steps(READ, *turn(COMPACTED, text=""), start=2)
    play.steps(READ, *PLENTY)
    async with roost(config(tmp_path, play), engine="claude") as whole:
        await wanted(whole)
        await whole.submit("One")
        await whole.submit("Two")
        (tmp_path / "go").touch()
        asked = await every(whole)
        assert order(play) == ["One", "/compact", "Two"]
        assert [one.kind for one in asked] == [Kind.WORDS, Kind.WORDS, Kind.COMPACT]
        assert {one.status for one in asked} == {Status.DONE}
        baseline = (await whole.talk()).baseline
        assert baseline
        assert baseline.turns == 1


async def test_one_that_fails_holds_nothing_up_and_is_not_followed_by_another(
    tmp_path: Path, play: Play
) -> None:
    play.steps(READ, {"wait_for": str(tmp_path / "go")}, *NEARLY, start=1)
    play.steps(READ, *turn(text="Compaction failed", tokens=171_000, error=True), start=2)
    play.steps(READ, *PLENTY)
    async with roost(config(tmp_path, play), engine="claude") as whole:
        await wanted(whole)
        await whole.submit("One")
        waits = await whole.submit("Two")
        (tmp_path / "go").touch()
        assert (await whole.ended(waits)).status is Status.DONE
        failed = (await every(whole))[-1]
        assert (failed.kind, failed.status) == (Kind.COMPACT, Status.FAILED)
        assert order(play) == ["One", "/compact", "Two"]


async def test_a_compaction_that_makes_no_room_is_tried_again_only_after_a_turn(
    tmp_path: Path, play: Play
) -> None:
    play.steps(READ, *NEARLY)
    async with roost(config(tmp_path, play), engine="claude") as whole:
        await wanted(whole)
        await whole.ask("One")
        await every(whole)
        await whole.ask("Two")
        await every(whole)
        assert order(play) == ["One", "/compact", "Two", "/compact"]


async def test_a_turn_that_failed_for_want_of_room_is_followed_by_one(tmp_path: Path, play: Play) -> None:
    play.steps(READ, *turn(text="Prompt is too long", error=True), start=1)
    play.steps(READ, *turn(COMPACTED, text=""), start=2)
    async with roost(config(tmp_path, play), engine="claude") as whole:
        await wanted(whole)
        assert (await whole.ask("One")).reason == "engine.context_compact"
        await every(whole)
        assert order(play) == ["One", "/compact"]


async def test_it_does_not_come_with_room_left_nor_unless_it_is_wanted(tmp_path: Path, play: Play) -> None:
    play.steps(READ, *NEARLY, start=1)
    play.steps(READ, *PLENTY)
    async with roost(config(tmp_path, play), engine="claude") as whole:
        await whole.ask("Off")
        await wanted(whole)
        await whole.ask("Room")
        await wanted(whole, on=False)
        await every(whole)
        assert order(play) == ["Off", "Room"]
