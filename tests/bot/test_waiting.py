"""What a chat sees of all that waits in it: one message for a conversation's line, and no second one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.chat import Flood
from core.model.events import TurnStarted
from core.store import prompts
from core.store.queue import Work
from tests.support import store as shelf
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    return work


async def is_busy(work: AtWork, *waiting: str) -> Work:
    """«one» runs, too short yet to be shown, and what is *waiting* comes after it."""
    work.chat.writes("one")
    await work.passes()
    (started,) = await work.starts()
    for words in waiting:
        work.chat.writes(words)
        await work.passes(0.02)
    return started


def numbers(count: int) -> list[str]:
    return [f"number {number}" for number in range(2, 2 + count)]


def shown(work: AtWork, words: str) -> list[str]:
    """The buttons under our only message that says that."""
    (found,) = [one for one in work.chat.shown.values() if words in one.words]
    return [button.label for button in found.what.buttons]


async def test_the_second_that_waits_makes_the_message_a_card_for_both(work: AtWork) -> None:
    await is_busy(work, "two")
    assert work.chat.reads() == ["Second in line, after one."]
    work.chat.writes("three")
    await work.passes(1.1)
    assert work.chat.reads() == ["2 wait, after one.\n2 two\n3 three"]
    assert work.chat.buttons() == ["Tell it now", "Move up 3", "Remove 2", "Remove 3"]
    assert work.chat.rung == []


async def test_a_hundred_that_wait_are_one_message_at_the_pace_of_the_room(work: AtWork) -> None:
    await is_busy(work)
    tasks, begun = len(asyncio.all_tasks()), len(work.chat.lines)
    for words in numbers(100):
        work.chat.writes(words)
    await work.passes(1.2)
    while work.chat.waiting or len(work.chat.acknowledged) < 101:
        await work.passes()
    await work.passes(5)
    assert len(asyncio.all_tasks()) <= tasks + 3
    calls = [line.call for line in work.chat.lines[begun:]]
    seconds = work.chat.lines[-1].at - work.chat.lines[begun].at
    assert calls.count("send") == 2  # the progress of what runs is the other one
    assert calls.count("edit") <= seconds + 1
    (card,) = [read for read in work.chat.reads() if "wait" in read]
    head, *listed, more = card.splitlines()
    assert head == "100 wait, after one."
    assert listed == [f"{n} number {n}" for n in range(2, 8)]
    assert more == "… and 94 more"
    assert shown(work, "100 wait")[-1] == "Remove the rest"


async def test_its_message_becomes_the_progress_of_the_one_whose_turn_comes(work: AtWork) -> None:
    first = await is_busy(work, "two", "three", "four")
    await work.ends(first)
    (second,) = await work.starts()
    await work.tells(second, TurnStarted())
    await work.passes(2.1)
    progress, answer, card = work.chat.reads()
    assert progress.startswith("⏳ Codex · shop · 0:0")
    assert (answer, card) == ("Done.", "2 wait, after two.\n3 three\n4 four")
    await work.ends(second)
    (third,) = await work.starts()
    await work.passes(3)
    await work.ends(third)
    (fourth,) = await work.starts()
    await work.passes(3)
    await work.ends(fourth)
    folded = [read[:1] for read in work.chat.reads() if read != "Done."]
    assert folded == ["✓", "✓", "✓"]
    assert work.chat.reads().count("Done.") == 4


async def test_short_turns_one_after_another_need_no_card_each(work: AtWork) -> None:
    await work.ends(await is_busy(work, *numbers(30)))
    assert await work.runs_all() == numbers(30)
    await work.passes(3)
    assert work.chat.reads().count("Done.") == 31
    assert [read[:1] for read in work.chat.reads() if read != "Done."] == ["✓"]
    assert work.chat.calls("send") == ["Second in line, after one. [Tell it now] [Remove]"]


async def test_what_is_removed_leaves_the_card_and_the_card_stays(work: AtWork) -> None:
    first = await is_busy(work, "two", "three", "four")
    await work.passes(1.1)
    work.chat.presses("Remove 2")
    await work.passes(0.2)
    assert work.chat.reads()[0] == "2 wait, after one.\n3 three\n4 four"
    work.chat.presses("Remove 4")
    await work.passes(2.1)
    assert work.chat.reads()[0] == "Second in line, after one."
    work.chat.presses("Remove")
    await work.passes(2.1)
    gone, *rest = [read for read in work.chat.reads() if "⏳" not in read]
    assert gone == "Removed before it began: three."
    assert rest == ["Removed: two.", "Removed: four.", "Removed: three."]
    await work.ends(first)
    assert [len(one.what.buttons) for one in work.chat.shown.values()] == [0] * 5 + [1]  # the answer's own


async def test_when_the_rest_is_removed_no_card_is_left(work: AtWork) -> None:
    await is_busy(work, *numbers(30))
    await work.passes(1.1)
    work.chat.presses("Remove the rest")
    await work.passes(3)
    reads = [read for read in work.chat.reads() if "⏳" not in read]
    assert reads == ["Removed before it began: number 2.", "30 waiting messages removed."]


async def test_what_was_moved_up_runs_first_and_the_card_goes_on(work: AtWork) -> None:
    first = await is_busy(work, "two", "three")
    await work.passes(1.1)
    work.chat.presses("Move up 3")
    await work.passes(2.1)
    assert work.chat.reads()[0] == "2 wait, after one.\n3 three\n2 two"
    await work.ends(first)
    (third,) = await work.starts()
    assert third.prompt.text == "three"
    await work.passes(2.5)
    assert work.chat.reads()[0] == "Second in line, after three."
    assert work.chat.reads()[-1].startswith("⏳")


async def test_what_keeps_the_first_stands_above_the_others(work: AtWork) -> None:
    await work.store.write(
        lambda db: shelf.running(db, shelf.a_conversation(db, shelf.a_project(db, "tv", ("salon",))), "Go")
    )
    await work.store.write(lambda db: db.execute("UPDATE projects SET groups = '[\"salon\"]'"))
    work.chat.writes("two")
    await work.passes(0.3)
    assert work.chat.reads() == ["Waits for salon: tv is at work there."]
    work.chat.writes("three")
    await work.passes(1.1)
    (card,) = work.chat.reads()
    assert card.splitlines() == ["Waits for salon: tv is at work there.", "2 two", "3 three"]


async def test_a_card_is_found_again_after_a_restart(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        first = await is_busy(work, "two", "three")
        await work.passes(1.1)
    async with at_work(tmp_path, chat, clock) as work:
        chat.writes("four")
        await work.passes(2.1)
        assert [read for read in chat.reads() if "wait" in read] == [
            "3 wait, after one.\n2 two\n3 three\n4 four"
        ]
        await work.ends(first)
        (second,) = await work.starts()
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(3)
        assert [read for read in chat.reads() if "wait" in read] == ["2 wait, after two.\n3 three\n4 four"]
        await work.ends(second)
        assert await work.runs_all() == ["three", "four"]
    assert chat.reads().count("Done.") == 4
    assert all(read == "Done." or read[0] == "✓" for read in chat.reads())


async def test_a_card_that_may_be_there_is_not_posted_twice(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    chat.troubles = [Trouble(None, call="send", arrives=True)]
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        await is_busy(work, "two")
    for _ in range(2):
        async with at_work(tmp_path, chat, clock) as work:
            chat.writes("more")
            await work.passes(1.1)
            assert [read for read in chat.reads() if "⏳" not in read] == ["Second in line, after one."]


async def test_what_was_dropped_while_roost_was_away_hands_the_card_on(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project()
        await is_busy(work, "two", "three", "four")
        await work.passes(1.1)
        shows = next(ref for ref, one in chat.shown.items() if "wait" in one.words)
    async with at_work(tmp_path, FakeChat(clock=clock, account="another"), clock) as other:
        (two,) = [one for one in await other.asked() if one.text == "two"]
        await other.store.write(prompts.cancel, two.id, now=clock.now())
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes(2.1)
        assert chat.shown[shows].words == "2 wait, after one.\n3 three\n4 four"
        others = [read for read in chat.reads() if "⏳" not in read and "wait" not in read]
        assert others == ["Removed before it began: two."]


async def test_a_card_that_a_flood_held_up_says_what_is_so_then(work: AtWork) -> None:
    work.chat.troubles = [Trouble(Flood(5.0), call="send", room=ROOM)]
    first = await is_busy(work, "two", "three", "four")
    await work.ends(first)
    await work.starts()
    work.chat.writes("/queue")
    await work.passes(8)
    told = [read for read in work.chat.reads() if "wait" in read or "line" in read]
    assert told == ["2 wait, after two.\n3 three\n4 four"]
    assert work.chat.intruded == []
