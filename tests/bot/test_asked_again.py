"""A question that nobody answers rings once more, and no third time."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.model.events import Asked, AskKind, Choice, Grant, Resolved, TurnStarted
from core.store.queue import Work
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import FakeChat
from tests.support.hand_clock import HandClock

QUESTION = Asked("q", AskKind.COMMAND, "git push", (Choice("once", Grant.ONCE), Choice("no", Grant.DENY)))
STILL = "This still waits for an answer."


@pytest.fixture
async def asked(work: AtWork) -> Work:
    """A turn whose agent has just asked."""
    await work.project()
    return await asks(work)


async def asks(work: AtWork) -> Work:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted(), QUESTION)
    await work.passes(1)
    assert len(work.chat.rung) == 1
    return started


async def test_it_rings_once_more_after_ten_minutes(work: AtWork, asked: Work) -> None:
    await work.passes(590, step=10)
    assert STILL not in work.chat.reads()
    await work.passes(20, step=10)
    assert work.chat.rung[1:] == [STILL]
    await work.passes(3_600, step=60)
    assert work.chat.rung[1:] == [STILL]


async def test_what_was_settled_rings_no_more(work: AtWork, asked: Work) -> None:
    await work.passes(300, step=10)
    await work.tells(asked, Resolved("q"))
    await work.passes(600, step=10)
    assert STILL not in work.chat.reads()


async def test_what_was_answered_rings_no_more(work: AtWork, asked: Work) -> None:
    """Also where its agent has not taken the answer yet."""
    work.chat.presses("Once")
    await work.passes(900, step=10)
    assert STILL not in work.chat.reads()


async def test_a_restart_neither_forgets_it_nor_rings_twice(tmp_path: Path) -> None:
    chat, clock = FakeChat(), HandClock()
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        await asks(work)
        await work.passes(60, step=10)
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(1_200, step=10)
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(1_200, step=10)
    assert chat.rung[1:] == [STILL]
