"""A board is one message: kept as things stand, at its own pace, through restarts, moves and deletions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Flood, NotSent, Refused, RoomAddress, Unknown, Why
from core.model.prompt import Status
from core.store import boards
from core.store.turns import Ending
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock

NOTHING = "shop\nNothing runs or waits."
FAILED = Ending(Status.FAILED, reason="engine.failed")
MAY_NOT = "I may not pin messages here"


@pytest.fixture
async def work(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[AtWork]:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        yield work
    assert chat.intruded == []


async def board_on(work: AtWork) -> None:
    work.chat.writes("/settings dashboard on")
    await work.passes(3)


def shown(work: AtWork, room: RoomAddress = ROOM) -> list[str]:
    return [read for read in work.chat.reads(room) if read.startswith("shop\n")]


async def test_it_is_sent_silently_pinned_and_kept_up_to_date(work: AtWork) -> None:
    await board_on(work)
    assert (shown(work), len(work.chat.pinned), work.chat.rung) == ([NOTHING], 1, [])
    work.chat.writes("Why is checkout slow?")
    await work.passes(0.2)
    (running,) = await work.starts()
    work.chat.writes("And the cart?")
    await work.passes(25)
    (now,) = shown(work)
    assert now.startswith("shop\n▸ untitled 1 · Codex at work since")
    assert now.endswith("1 waits")
    await work.ends(running, FAILED)
    await work.runs_all()
    work.chat.writes("/new")
    await work.passes(25)
    assert shown(work) == [NOTHING]
    assert len(work.chat.pinned) == 1


async def test_a_failure_stays_for_a_day(work: AtWork) -> None:
    await board_on(work)
    work.chat.writes("Go")
    await work.passes(0.2)
    (running,) = await work.starts()
    await work.ends(running, FAILED)
    await work.passes(25)
    assert "✗ untitled 1 · failed at" in shown(work)[0]
    work.clock.move(86_400)
    work.chat.writes("/status")
    await work.passes(25)
    assert shown(work) == [NOTHING]


async def test_its_edits_have_a_slow_pace_and_the_newest_wins(work: AtWork) -> None:
    await board_on(work)
    for at in range(30):
        work.chat.writes(f"/title number {at}" if at else "Go")
        await work.passes(0.2)
        await work.starts()
        await work.passes(2)
    edits = [said for said in work.chat.calls("edit") if said.startswith("shop\n")]
    assert 2 <= len(edits) <= 4
    await work.passes(25)
    assert "number 29" in shown(work)[0]


async def test_a_restart_goes_on_in_the_same_message(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        await board_on(work)
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(25)
        assert (shown(work), len(chat.pinned)) == ([NOTHING], 1)
        assert chat.calls("edit") == []


async def test_an_edit_whose_fate_nobody_knows_is_made_again(work: AtWork) -> None:
    await board_on(work)
    await work.passes(25)
    work.chat.troubles = [Trouble(Unknown(), call="edit", arrives=True)]
    work.chat.writes("Go")
    await work.passes(3)
    await work.runs_all()
    await work.passes(25)
    assert shown(work) == [NOTHING]


async def test_one_that_was_deleted_comes_back_pinned(work: AtWork) -> None:
    await board_on(work)
    (old,) = work.chat.pinned
    del work.chat.shown[old]
    work.chat.writes("Go")
    await work.passes(30)
    assert len(shown(work)) == 1
    assert len(work.chat.pinned) == 2
    assert work.chat.pinned[-1] in work.chat.shown


async def test_one_that_nobody_wants_goes(work: AtWork) -> None:
    await board_on(work)
    work.chat.writes("/settings dashboard off")
    await work.passes(3)
    assert (shown(work), work.chat.pinned) == ([], [])
    assert await work.store.read(boards.every, "fake", "roost") == []
    work.chat.writes("Go")
    await work.passes(25)
    assert shown(work) == []


async def test_one_that_is_too_old_to_delete_says_that_it_is_none(work: AtWork) -> None:
    await board_on(work)
    work.chat.troubles = [Trouble(Refused(why=Why.OTHER), call="delete")]
    work.chat.writes("/settings dashboard off")
    await work.passes(3)
    assert any(read.startswith("This was the dashboard.") for read in work.chat.reads())


async def test_without_the_right_to_pin_it_says_so_once_and_stays(work: AtWork) -> None:
    work.chat.troubles = [Trouble(Refused(why=Why.FORBIDDEN), call="pin")]
    await board_on(work)
    await work.passes(60)
    told = [read for read in work.chat.reads() if read.startswith(MAY_NOT)]
    assert (len(told), shown(work), work.chat.pinned) == (1, [NOTHING], [])
    await board_on(work)
    assert len(work.chat.pinned) == 1


@pytest.mark.parametrize("trouble", [NotSent(), Unknown(), Flood(5.0)])
async def test_pinning_is_tried_again_after_trouble(work: AtWork, trouble: Exception) -> None:
    work.chat.troubles = [Trouble(trouble, call="pin")]  # type: ignore[arg-type]
    await board_on(work)
    assert work.chat.pinned == []
    await work.passes(25)
    assert (len(work.chat.pinned), shown(work)) == (1, [NOTHING])


async def test_one_whose_fate_nobody_knows_is_sent_again_and_only_that_is_kept(work: AtWork) -> None:
    work.chat.troubles = [Trouble(Unknown(), call="send", arrives=True)]
    await board_on(work)
    await work.passes(5)
    assert len(work.chat.pinned) == 1
    assert (await _board(work)).message == work.chat.pinned[0]


async def test_a_chat_that_moved_has_its_board_there(work: AtWork) -> None:
    await board_on(work)
    work.chat.moves(ROOM.chat, "-1009")
    await work.passes(30)
    there = RoomAddress(ROOM.platform, ROOM.account, "-1009")
    assert shown(work, there) == [NOTHING]
    assert (await _board(work)).pinned


async def test_a_chat_that_shut_us_out_is_tried_more_and_more_rarely(work: AtWork) -> None:
    await board_on(work)
    before = len(work.chat.lines)
    work.chat.troubles = [Trouble(Refused(why=Why.FORBIDDEN), call="edit") for _ in range(99)]
    for at in range(60):
        work.chat.writes(f"/title number {at}" if at else "Go")
        await work.passes(20, step=1)
    tried = [line for line in work.chat.lines[before:] if line.call == "(edit)"]
    assert 3 <= len(tried) <= 7


async def _board(work: AtWork) -> boards.Board:
    (found,) = await work.store.read(boards.every, "fake", "roost")
    return found
