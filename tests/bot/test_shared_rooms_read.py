"""Who reads along in rooms that are to show the same is told before they do, and seen when somebody goes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import NotSent
from tests.support.fake_chat import ANN, BOB, Trouble
from tests.support.hand_clock import HandClock
from tests.support.worlds import (
    AGREE,
    HERE,
    REFUSE,
    STRANGER,
    THERE,
    ZOE,
    Worlds,
    about_shop,
    chats,
    two_worlds,
)

THIRD = replace(HERE, chat="-300")
CHANGED = "This room shows only its own again"


@pytest.fixture
async def worlds(tmp_path: Path, clock: HandClock) -> AsyncIterator[Worlds]:
    """Neither room is encrypted; whoever owns this is in each, and nobody else."""
    here, there = chats(clock)
    here.inside |= {HERE.chat: {ANN.id}, THIRD.chat: {ANN.id}}
    there.inside[THERE.chat] = {ZOE.id}
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        yield worlds


async def wanted(worlds: Worlds) -> str:
    """What is said to the owner who had it so in the second of them."""
    for there in (False, True):
        await worlds.says("/settings mirror on", there=there)
    return worlds.reads(there=True)[-1]


async def is_shared(worlds: Worlds, words: str = "Go") -> bool:
    before = len(worlds.reads(there=True))
    await worlds.answered(words)
    return any(words in read for read in worlds.reads(there=True)[before:])


async def third_shares(worlds: Worlds) -> None:
    for words in ("/project shop", "/settings mirror on"):
        worlds.here.writes(words, room=THIRD)
        await worlds.work.passes(0.3)


async def test_where_nobody_else_reads_nothing_is_asked(worlds: Worlds) -> None:
    assert "show the same of shop from now on" in await wanted(worlds)
    assert await is_shared(worlds)


async def test_who_reads_along_already_is_counted_before_an_owner_agrees(worlds: Worlds) -> None:
    worlds.here.inside[HERE.chat] |= {"3003", "3004"}
    worlds.there.inside[THERE.chat].add("@sam:here")
    question = await wanted(worlds)
    assert "In Telegram, 2 other members who aren’t allowed in shop could read along" in question
    assert "In Matrix, 1 other member who isn’t allowed in shop could read along" in question
    assert worlds.there.buttons(THERE) == [AGREE, REFUSE]
    assert not await is_shared(worlds)
    await worlds.presses(AGREE, there=True)
    assert await is_shared(worlds, "again")


async def test_without_a_yes_it_stays_off(worlds: Worlds) -> None:
    worlds.here.inside[HERE.chat].add(STRANGER.id)
    await wanted(worlds)
    await worlds.presses(REFUSE, there=True)
    assert not await is_shared(worlds)


async def test_who_is_allowed_in_the_project_is_no_stranger(worlds: Worlds) -> None:
    worlds.here.inside[HERE.chat].add(BOB.id)
    await worlds.says(f"/allow {BOB.id} viewer shop")
    assert "show the same of shop from now on" in await wanted(worlds)


async def test_who_is_allowed_in_another_project_alone_is_one(worlds: Worlds) -> None:
    await worlds.work.project("blog", room=None)
    worlds.here.inside[HERE.chat].add(BOB.id)
    await worlds.says(f"/allow {BOB.id} member blog")
    assert "1 other member who isn’t allowed in shop" in await wanted(worlds)


async def test_where_a_chat_tells_nothing_that_is_said(worlds: Worlds) -> None:
    worlds.here.troubles = [Trouble(NotSent(), call="readers") for _ in range(2)]
    question = await wanted(worlds)
    assert "Who is in Telegram can’t be seen now" in question
    assert not await is_shared(worlds)


async def test_an_owner_agrees_to_no_more_than_they_read(worlds: Worlds) -> None:
    """Others come in between the question and the yes, and the chat doesn't tell of it by itself."""
    worlds.here.inside[HERE.chat].add("3003")
    await wanted(worlds)
    worlds.here.inside[HERE.chat].add("3004")
    await worlds.presses(AGREE, there=True)
    asked = worlds.reads(there=True)[-1]
    assert asked.startswith("Since this was asked, things have changed.")
    assert "2 other members" in asked
    assert not await is_shared(worlds)
    await worlds.presses(AGREE, there=True)
    assert await is_shared(worlds, "again")


async def test_a_stranger_who_joins_is_counted_in_what_is_asked_again(worlds: Worlds) -> None:
    await wanted(worlds)
    worlds.here.inside[HERE.chat].add(STRANGER.id)
    await worlds.joins(STRANGER)
    assert any(CHANGED in read and "1 other member who isn’t allowed" in read for read in worlds.reads())
    assert not await is_shared(worlds)
    await worlds.presses(AGREE)
    assert await is_shared(worlds, "again")


async def test_one_who_is_let_out_ends_it_only_where_they_may_read(worlds: Worlds) -> None:
    worlds.here.inside[THIRD.chat].add(BOB.id)
    await worlds.says(f"/allow {BOB.id} member")
    await wanted(worlds)
    await third_shares(worlds)
    await worlds.says(f"/allow {BOB.id} none")
    assert any(CHANGED in read for read in worlds.here.reads(THIRD))
    assert not any(CHANGED in read for read in worlds.reads())
    said = worlds.reads()
    assert any(f"shows only its own again, for {BOB.id} may still read there" in read for read in said)
    before = len(worlds.here.reads(THIRD))
    assert await is_shared(worlds)
    assert worlds.here.reads(THIRD)[before:] == []


async def test_one_who_never_was_there_is_let_out_without_a_word(worlds: Worlds) -> None:
    await worlds.says(f"/allow {BOB.id} member")
    await wanted(worlds)
    await worlds.says(f"/allow {BOB.id} none")
    assert not any("only its own again" in read for read in worlds.reads())
    assert await is_shared(worlds)


async def test_where_nobody_knows_whether_they_are_there_it_ends(worlds: Worlds) -> None:
    await worlds.says(f"/allow {BOB.id} member")
    await wanted(worlds)
    worlds.here.troubles = [Trouble(NotSent(), call="readers")]
    await worlds.says(f"/allow {BOB.id} none")
    assert any("may still read there" in read for read in worlds.reads())
    assert not await is_shared(worlds)


@pytest.mark.parametrize("there", [True, False], ids=["inside", "elsewhere"])
async def test_an_owner_whom_the_settings_name_no_more_is_let_out_at_the_start(
    tmp_path: Path, clock: HandClock, *, there: bool
) -> None:
    here, other = chats(clock)
    here.inside[HERE.chat] = {ANN.id, BOB.id} if there else {ANN.id}
    other.inside[THERE.chat] = {ZOE.id}
    async with two_worlds(tmp_path, here, other, clock, owners=(ANN.id, BOB.id)) as worlds:
        await about_shop(worlds)
        await wanted(worlds)
        assert await is_shared(worlds)
    async with two_worlds(tmp_path, here, other, clock) as worlds:
        await worlds.work.passes(1)
        told = [read for read in here.reads(replace(HERE, chat=ANN.id)) if "may still read there" in read]
        assert (len(told), await is_shared(worlds, "again")) == ((1, False) if there else (0, True))
    async with two_worlds(tmp_path, here, other, clock) as worlds:
        await worlds.work.passes(1)
        assert len([read for read in here.reads(replace(HERE, chat=ANN.id)) if "may still" in read]) == there
