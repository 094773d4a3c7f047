"""An answer that is being written is a draft where the room wants that: paced, cleared, and given up."""

from __future__ import annotations

import pytest

from bot.chat import Refused, Unknown, Why
from bot.drafting import FADES_SECONDS
from core.model.events import Message, MessageDelta, Progress, ToolCall, ToolKind, TurnStarted
from core.model.ids import ItemId
from core.model.prompt import Status
from core.store.queue import Work
from core.store.turns import Ending
from tests.support.at_work import AtWork
from tests.support.fake_chat import Trouble

HEAD = "⏳ Codex · shop · 0:0"


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    work.chat.writes("/settings drafts on")
    await work.passes(1)
    assert work.chat.reads()[0].startswith("Drafts: on.")
    work.chat.shown.clear()
    return work


async def begun(work: AtWork, words: str) -> Work:
    work.chat.writes("Go")
    await work.passes()
    (started,) = await work.starts()
    await work.tells(started, TurnStarted(), *said(words))
    await work.passes(2)
    return started


def said(words: str) -> list[MessageDelta]:
    return [MessageDelta(ItemId("1"), words)]


async def test_words_are_in_the_draft_and_steps_in_the_message(work: AtWork) -> None:
    started = await begun(work, "It is **sl")
    assert work.chat.reads() == [f"{HEAD}1"]
    assert work.chat.drafted == "It is sl…"
    await work.tells(started, *said("ow** be"))
    await work.passes(1.5)
    assert work.chat.drafted == "It is slow be…"
    assert work.chat.reads() == [f"{HEAD}1"]
    ran = ToolCall(ItemId("2"), ToolKind.EXECUTE, "pytest", Progress.COMPLETED)
    await work.tells(started, ran)
    await work.passes(1.5)
    assert work.chat.reads() == [f"{HEAD}1\n✓ Ran pytest"]


async def test_the_draft_goes_before_the_answer_comes(work: AtWork) -> None:
    started = await begun(work, "It is sl")
    await work.ends(started, Ending(Status.DONE, "It is slow."))
    await work.passes(2)
    calls = [line.call for line in work.chat.lines if line.call in ("draft", "deliver")]
    assert calls[-2:] == ["draft", "deliver"]
    assert (work.chat.drafted, work.chat.reads()) == ("", ["✓ 0:02", "It is slow."])


async def test_a_draft_keeps_to_the_pace_and_is_sent_again_before_it_fades(work: AtWork) -> None:
    started = await begun(work, "a ")
    for _ in range(40):
        await work.tells(started, *said("word "))
        await work.passes(0.1)
    assert 3 <= len(work.chat.calls("draft")) <= 2 + 5
    await work.passes(3)
    before = len(work.chat.calls("draft"))
    await work.passes(FADES_SECONDS * 2 + 3)
    assert len(work.chat.calls("draft")) == before + 2


async def test_where_drafts_are_refused_the_words_stand_beneath_the_steps(work: AtWork) -> None:
    work.chat.troubles = [Trouble(Refused("no such call", Why.UNKNOWN), call="draft")]
    started = await begun(work, "It is sl")
    work.chat.has_drafts = False  # as Telegram's adapter says from then on
    await work.tells(started, *said("ow"))
    await work.passes(1.5)
    assert work.chat.reads()[0].split("\n")[2:] == ["It is slow…"]
    assert work.chat.calls("draft") == []


async def test_a_draft_that_is_lost_costs_nothing(work: AtWork) -> None:
    work.chat.troubles = [Trouble(Unknown("timed out"), call="draft") for _ in range(3)]
    started = await begun(work, "It is sl")
    await work.ends(started, Ending(Status.DONE, "It is slow."))
    await work.passes(2)
    assert work.chat.reads() == ["✓ 0:02", "It is slow."]


async def test_without_the_wish_there_is_no_draft(work: AtWork) -> None:
    work.chat.writes("/settings drafts off")
    await work.passes(1)
    work.chat.shown.clear()
    await begun(work, "It is sl")
    assert work.chat.calls("draft") == []
    assert work.chat.reads() == [f"{HEAD}1\n\nIt is sl…"]


async def test_between_two_drafts_the_clock_goes_on(work: AtWork) -> None:
    started = await begun(work, "Looking")
    await work.passes(3)
    assert work.chat.reads() == [f"{HEAD}1"]
    await work.tells(started, Message(ItemId("1"), "Looking."))
    await work.passes(1.5)
    assert work.chat.reads()[0] > f"{HEAD}4"
