"""Rooms show the same where an owner agreed to what that means for who reads there, and while it is so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Joined, Person, Standing
from core.model.prompt import Source
from tests.support.fake_chat import ANN, BOB
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

CHANGED = "This room shows only its own again"
MEMBER = Person("@max:here", "Max")


@pytest.fixture
async def worlds(tmp_path: Path, clock: HandClock) -> AsyncIterator[Worlds]:
    """The room there is encrypted."""
    here, there = chats(clock, encrypted=True)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        yield worlds


async def is_asked(worlds: Worlds) -> None:
    for there in (False, True):
        await worlds.says("/settings mirror on", there=there)


async def is_apart(worlds: Worlds) -> bool:
    """Whether what is asked in either is seen there alone."""
    reads = [len(worlds.reads(there=there)) for there in (False, True)]
    await worlds.answered("here")
    await worlds.answered("there", there=True)
    one, two = (await worlds.work.asked())[-2:]
    assert one.conversation != two.conversation
    new = [worlds.reads(there=there)[had:] for there, had in zip((False, True), reads, strict=True)]
    return [words for words in new if len(words) == 1] == [["Done."], ["Done."]]


@pytest.mark.parametrize(("there", "command"), [(False, "/settings"), (True, "!settings")])
async def test_each_room_reads_commands_as_they_are_written_there(
    worlds: Worlds, there: bool, command: str
) -> None:
    await worlds.says("/settings mirror on", there=there)
    assert worlds.reads(there=there)[-1].endswith(f"Say {command} mirror on in the other room too.")


async def test_an_owner_is_told_what_it_means_and_agrees(worlds: Worlds) -> None:
    await is_asked(worlds)
    question = worlds.reads(there=True)[-1]
    assert "Matrix (encrypted) and Telegram show the same of shop" in question
    assert "not encrypted from end to end: Telegram, and everybody in those rooms, can read it" in question
    assert worlds.there.buttons(THERE) == [AGREE, REFUSE]
    assert await is_apart(worlds)
    worlds.there.presses(AGREE, room=THERE, person=ZOE)
    await worlds.work.passes(0.3)
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-2:] == ["Zoe, from Matrix:\n\nGo", "Done."]
    assert (await worlds.of_mirrors())[-1] == ("on", ZOE.id, "Zoe")


async def test_it_doesn_t_matter_which_of_them_is_asked_first(worlds: Worlds) -> None:
    await worlds.says("!settings mirror on", there=True)
    await worlds.says("/settings mirror on")
    assert worlds.here.buttons(HERE) == [AGREE, REFUSE]
    assert await is_apart(worlds)


async def test_a_refusal_leaves_it_off(worlds: Worlds) -> None:
    await is_asked(worlds)
    await worlds.presses(REFUSE, there=True)
    assert await is_apart(worlds)
    assert (await worlds.of_mirrors())[-1] == ("off", "", "")


async def test_only_an_owner_has_it_so_or_agrees(worlds: Worlds) -> None:
    await worlds.says(f"!allow {MEMBER.id} member", there=True)
    await worlds.says("!settings mirror on", there=True, person=MEMBER)
    assert "only an owner" in worlds.reads(there=True)[-1].lower()
    await is_asked(worlds)
    for person in (MEMBER, Person("@sam:here", "Sam")):
        worlds.there.presses(AGREE, room=THERE, person=person)
        await worlds.work.passes(0.3)
    assert await is_apart(worlds)


async def test_a_press_that_anybody_may_have_made_up_agrees_to_nothing(worlds: Worlds) -> None:
    await is_asked(worlds)
    worlds.there.presses(AGREE, room=THERE, person=ZOE, forgeable=True)
    await worlds.work.passes(0.3)
    assert await is_apart(worlds)


async def test_a_button_is_for_once(worlds: Worlds) -> None:
    await worlds.says("/settings mirror on")
    for _ in range(2):
        await worlds.says("!settings mirror on", there=True)
    await worlds.presses(AGREE, there=True)
    questions = [shown for shown in worlds.there.shown.values() if shown.what.buttons]
    assert len(questions) == 1  # the other one says what was decided
    await worlds.says("!settings mirror off", there=True)
    await worlds.presses(AGREE, there=True)
    assert any(read.startswith("That was settled") for read in worlds.reads(there=True))
    assert not any(shown.what.buttons for shown in worlds.there.shown.values())
    assert await is_apart(worlds)


async def test_one_agreed_to_in_another_room_is_asked_anew(worlds: Worlds) -> None:
    """It would mean more than what was said."""
    await is_asked(worlds)
    third = replace(HERE, chat="-300")
    for words in ("/project shop", "/settings mirror on"):
        worlds.here.writes(words, room=third)
        await worlds.work.passes(0.3)
    await worlds.presses(AGREE, there=True)
    assert worlds.reads(there=True)[-1].startswith("That was settled")
    assert await is_apart(worlds)


async def test_nothing_said_before_is_known_elsewhere(worlds: Worlds) -> None:
    await worlds.answered("secret", there=True)
    await worlds.shares()
    await worlds.answered("Go")
    before, after = await worlds.work.asked()
    assert before.conversation != after.conversation


async def test_a_room_that_is_encrypted_by_now_shows_nothing_elsewhere_until_it_is_agreed(
    tmp_path: Path, clock: HandClock
) -> None:
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        await worlds.shares()
        await worlds.answered("Go", there=True)
        there.encrypted.add(THERE)
        assert await is_apart_but_for(worlds, CHANGED)
        await worlds.presses(AGREE, there=True)
        await worlds.answered("Go", there=True)
        assert worlds.reads()[-2:] == ["Zoe, from Matrix:\n\nGo", "Done."]


async def is_apart_but_for(worlds: Worlds, question: str) -> bool:
    """As `is_apart`, once a question was put and the other room told."""
    await worlds.says("secret", there=True)
    assert any(question in words for words in worlds.reads(there=True))
    assert worlds.reads()[-1].startswith("What is said here is no longer shown in Matrix")
    assert await worlds.work.runs_all() == ["secret"]
    assert "secret" not in "".join(worlds.reads())
    return await is_apart(worlds)


async def test_a_stranger_who_joins_is_a_reason_to_ask_again(worlds: Worlds) -> None:
    await worlds.shares()
    await worlds.joins(STRANGER)
    assert any(CHANGED in words for words in worlds.reads())
    assert await is_apart(worlds)
    await worlds.presses(AGREE)
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-1] == "Done."


async def test_taken_out_and_back_in_it_is_asked_anew(worlds: Worlds) -> None:
    await worlds.shares()
    for inside in (False, True):
        standing = Standing(Source("", "", ""), HERE, ANN, "Shop", inside=inside, new=inside)
        worlds.here.happens(standing)
        await worlds.work.passes(0.3)
    assert any(CHANGED in words for words in worlds.reads())
    assert await is_apart(worlds)


async def test_anybody_at_all_who_can_read_is_a_reason_too(worlds: Worlds) -> None:
    await worlds.shares()
    worlds.here.writes("hm", room=HERE, public=True, alone=False)
    await worlds.work.passes(0.3)
    assert "anybody at all can read it" in "".join(worlds.reads())
    assert await is_apart(worlds)


async def test_somebody_who_works_there_anyway_is_none(worlds: Worlds) -> None:
    await worlds.shares()
    await worlds.says(f"/allow {BOB.id} member")
    await worlds.joins(BOB)
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-1] == "Done."


async def test_somebody_who_is_let_out_is_a_reason_to_show_nothing_more(worlds: Worlds) -> None:
    """They may be there still, of which not every chat tells. An owner has it so anew."""
    await worlds.shares()
    await worlds.says(f"/allow {BOB.id} member")
    await worlds.joins(BOB)
    await worlds.says(f"/allow {BOB.id} none")
    assert any(CHANGED in words for words in worlds.reads())
    assert worlds.reads(there=True)[-1].startswith("What is said here is no longer shown in Telegram")
    assert await is_apart(worlds)
    await worlds.says("/settings mirror on")
    await worlds.presses(AGREE)
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-1] == "Done."


async def test_somebody_who_never_saw_it_is_let_out_without_a_word(worlds: Worlds) -> None:
    await worlds.shares()
    await worlds.work.project("blog", room=None)
    await worlds.says(f"/allow {BOB.id} member blog")
    await worlds.says(f"/allow {BOB.id} none blog")
    await worlds.answered("Go", there=True)
    assert worlds.reads()[-1] == "Done."


async def test_where_all_are_encrypted_nothing_is_said_of_those_that_are_not(
    tmp_path: Path, clock: HandClock
) -> None:
    here, there = chats(clock, encrypted=True)
    here.encrypted.add(HERE)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        await is_asked(worlds)
        question = worlds.reads(there=True)[-1]
        assert "everybody in one of them can read what is said" in question
        assert "not encrypted" not in question


async def test_that_it_is_open_to_all_is_enough(worlds: Worlds) -> None:
    """Nobody said anything there since."""
    await worlds.shares()
    worlds.here.happens(Joined(Source("", "", ""), HERE, "Shop", (), public=True))
    await worlds.work.passes(0.3)
    assert "anybody at all can read it" in "".join(worlds.reads())
    assert await is_apart(worlds)


async def test_a_stranger_in_the_group_says_nothing_to_the_other(worlds: Worlds) -> None:
    await worlds.shares()
    before = worlds.reads(there=True)
    await worlds.says("Go", person=STRANGER)
    assert await worlds.work.asked() == []
    assert worlds.reads(there=True) == before


async def test_a_room_that_is_about_something_else_by_now_shows_that_alone(worlds: Worlds) -> None:
    await worlds.shares()
    await worlds.work.project("blog", room=None)
    await worlds.says("/project blog")
    assert worlds.reads(there=True)[-1].startswith("What is said here is no longer shown in Telegram")
    assert await is_apart(worlds)


async def test_a_private_chat_sees_no_more_than_its_person_may(worlds: Worlds) -> None:
    """Bob's, which Ann, an owner, made one of them while she wrote there."""
    bobs = replace(HERE, chat=BOB.id)
    await worlds.says(f"/allow {BOB.id} owner")
    for words in ("/project shop", "/settings mirror on"):
        worlds.here.writes(words, room=bobs, person=BOB)
        await worlds.work.passes(0.3)
    await worlds.says("!settings mirror on", there=True)
    await worlds.presses(AGREE, there=True)
    await worlds.says("Go", there=True)
    assert worlds.here.reads(bobs)[-1] == "Zoe, from Matrix:\n\nGo"
    before = worlds.here.reads(bobs)
    await worlds.says(f"/allow {BOB.id} none")
    assert await worlds.work.runs_all() == ["Go"]
    await worlds.answered("secret", there=True)
    assert not [
        words for words in worlds.here.reads(bobs)[len(before) :] if "Done" in words or "secret" in words
    ]
