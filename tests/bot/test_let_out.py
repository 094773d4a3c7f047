"""Somebody who is let out gets nothing more in their private chat, however far what they asked had come."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import NotSent, Refused, RoomAddress, Why
from core.model.prompt import Prompt, Status
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, FakeChat, Trouble
from tests.support.hand_clock import HandClock

BOBS = RoomAddress("fake", "roost", "1002")
GROUP = RoomAddress("fake", "roost", "-5")
SENT = ("deliver", "send", "edit", "typing", "acknowledge")


async def bob_works(work: AtWork) -> None:
    await work.project(room=BOBS)
    work.chat.writes("/allow 1002")
    await work.passes()


async def bob_asks(work: AtWork, *words: str, room: RoomAddress = BOBS) -> None:
    for each in words:
        work.chat.writes(each, room=room, person=BOB)
        await work.passes()


async def let_out(work: AtWork) -> None:
    work.chat.writes("/allow 1002 none")
    await work.until(lambda: "1002 is let out: I answer them no more." in work.chat.reads())


def bobs(chat: FakeChat) -> list[str]:
    """What Bob reads in private, without the words that let him in."""
    return [read for read in chat.reads(BOBS) if not read.startswith("You may ")]


def sent(chat: FakeChat) -> int:
    return len(chat.calls(*SENT)) + len(chat.calls(*(f"({call})" for call in SENT)))


def state(prompts: list[Prompt]) -> list[tuple[Status, bool]]:
    return [(one.status, one.cancelling) for one in prompts]


async def test_what_waits_is_set_aside_and_what_runs_is_stopped(work: AtWork) -> None:
    await bob_works(work)
    await bob_asks(work, "one", "two")
    (running,) = await work.starts()
    await work.passes(3)
    before, seen = sent(work.chat), bobs(work.chat)
    await let_out(work)
    assert state(await work.asked()) == [(Status.RUNNING, True), (Status.FAILED, False)]
    await work.passes(5)
    await work.ends(running)
    await work.passes(5)
    assert bobs(work.chat) == seen
    assert sent(work.chat) == before + 1  # the word to Ann
    assert await work.runs_all() == []


async def test_an_answer_that_was_on_its_way_stays_with_us(work: AtWork) -> None:
    await bob_works(work)
    await bob_asks(work, "one")
    work.chat.troubles = [Trouble(NotSent(), call="deliver", room=BOBS)]
    assert await work.runs_all() == ["one"]
    assert bobs(work.chat) == []
    await let_out(work)
    await work.passes(60)
    assert bobs(work.chat) == []


async def test_what_was_refused_does_not_come_when_a_stranger_writes(work: AtWork) -> None:
    await bob_works(work)
    await bob_asks(work, "one")
    work.chat.troubles = [Trouble(Refused(why=Why.FORBIDDEN), call="deliver", room=BOBS)]
    assert await work.runs_all() == ["one"]
    await let_out(work)
    await bob_asks(work, "Let me in")
    await work.passes(5)
    assert bobs(work.chat) == []


async def test_words_that_wait_for_a_project_are_forgotten(work: AtWork) -> None:
    await work.project("shop", room=None)
    await work.project("blog", room=None)
    work.chat.writes("/allow 1002")
    await work.passes()
    await bob_asks(work, "one")
    await let_out(work)
    work.chat.writes("/allow 1002")
    await work.passes()
    await bob_asks(work, "/project shop")
    assert bobs(work.chat)[-1] == "This room works in shop from now on."
    assert await work.words() == []


async def test_taken_out_of_the_configuration_is_let_out(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock, owners=(ANN.id, BOB.id)) as work:
        await work.project(room=BOBS)
        await bob_asks(work, "one", "two")
        (running,) = await work.starts()
        await work.passes(3)
        chat.troubles = [Trouble(NotSent(), call="deliver", room=BOBS)]
        await bob_asks(work, "/queue")
        seen = bobs(chat)
    async with at_work(tmp_path, chat, clock) as work:
        assert state(await work.asked()) == [(Status.RUNNING, True), (Status.FAILED, False)]
        await work.ends(running)
        await work.passes(60)
    assert bobs(chat) == seen


async def test_what_runs_in_groups_and_waits_in_the_chats_of_others_goes_on(work: AtWork) -> None:
    await work.project("shop")
    await work.project("blog", room=GROUP)
    work.chat.writes("/allow 1002 member *")
    await work.passes()
    await bob_asks(work, "one", room=GROUP)
    (running,) = await work.starts()
    work.chat.writes("two")
    await work.passes()
    await let_out(work)
    await work.ends(running)
    assert await work.runs_all() == ["two"]
    await work.until(lambda: "Done." in work.chat.reads())
    assert work.chat.reads(GROUP) == ["Done."]


@pytest.mark.parametrize("role", ["viewer", "member"])
async def test_who_is_made_something_else_still_reads_the_answer(work: AtWork, role: str) -> None:
    await bob_works(work)
    await bob_asks(work, "one")
    (running,) = await work.starts()
    work.chat.writes(f"/allow 1002 {role}")
    await work.passes()
    await work.ends(running)
    assert bobs(work.chat) == ["Done."]


async def let_in_again(work: AtWork) -> None:
    work.chat.writes("/allow 1002")
    await work.passes(0.3)


@pytest.mark.parametrize("restart", [False, True])
async def test_let_in_again_they_see_nothing_at_work_that_has_ended(
    tmp_path: Path, chat: FakeChat, clock: HandClock, *, restart: bool
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await bob_works(work)
        await bob_asks(work, "one", "two", "three")
        (running,) = await work.starts()
        await work.passes(3)
        assert [read[:1] for read in bobs(chat)] == ["⏳", "2"]
        await let_out(work)
        await work.ends(running)
        await work.passes(2)
        await bob_asks(work, "Let me in")
        await work.passes(2)
        assert [read[:1] for read in bobs(chat)] == ["⏳", "2"]
        if not restart:
            await let_in_again(work)
            await bob_asks(work, "/queue")
            await work.passes(2)
    if restart:
        async with at_work(tmp_path, chat, clock) as work:
            await let_in_again(work)
            await bob_asks(work, "/queue")
            await work.passes(2)
    turn, card, queue = bobs(chat)
    assert (card, turn[:1], queue) == ("Set aside before it began: two.", "■", "Nothing waits here.")
    theirs = [one for one in chat.shown.values() if one.room == BOBS]
    assert not any(one.what.buttons for one in theirs if not one.words.startswith("You may "))
