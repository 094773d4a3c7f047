"""What somebody asked who may not ask it any more is not run; an owner decides, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import NotSent, Person, RoomAddress
from core.model.prompt import Prompt, Status
from core.model.reasons import NO_RIGHT
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, FakeChat, Trouble
from tests.support.hand_clock import HandClock

ANNS, BOBS = (RoomAddress("fake", "roost", one) for one in ("1001", "1002"))
GROUP = RoomAddress("fake", "roost", "-1")
MAY_NOT = "Bob may not have agents work in shop any more."
CANT = ["Only a member or an owner can do that.", "Only an owner can do that."]


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """A group in which Bob may work."""
    await work.project("shop", room=GROUP)
    await says(work, "/allow 1002 member", ANN)
    return work


async def says(work: AtWork, words: str, person: Person = BOB, room: RoomAddress = GROUP) -> list[str]:
    """What is read there in return."""
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=person)
    await work.passes()
    return work.chat.reads(room)[before:]


async def asks(work: AtWork, *words: str, person: Person = BOB, room: RoomAddress = GROUP) -> None:
    for each in words:
        await says(work, each, person, room)


async def presses(work: AtWork, label: str, person: Person, room: RoomAddress = GROUP) -> list[str]:
    before = len(work.chat.reads(room))
    work.chat.presses(label, room=room, person=person)
    await work.passes()
    return work.chat.reads(room)[before:]


def aside(prompts: list[Prompt]) -> list[str]:
    return [one.text for one in prompts if (one.status, one.reason) == (Status.FAILED, NO_RIGHT)]


def told(chat: FakeChat, room: RoomAddress = GROUP) -> list[str]:
    return [read for read in chat.reads(room) if read.startswith(MAY_NOT)]


@pytest.mark.parametrize("role", ["viewer", "none"])
async def test_what_waits_is_set_aside_in_one_sentence_and_what_runs_goes_on(work: AtWork, role: str) -> None:
    await asks(work, "one", "two", "three")
    (running,) = await work.starts()
    await says(work, f"/allow 1002 {role}", ANN)
    await work.passes(1)
    assert aside(await work.asked()) == ["two", "three"]
    (said,) = told(work.chat)
    assert said == f"{MAY_NOT} 2 messages of theirs were not run; an owner can run them:\n2 two\n3 three"
    assert work.chat.rung == [said]
    assert work.chat.buttons(GROUP) == ["Run it 2", "Run it 3"]
    assert [one.cancelling for one in await work.asked()] == [False] * 3
    await work.ends(running)
    await work.passes(1)
    assert work.chat.reads(GROUP)[-1] == "Done."
    assert await work.runs_all() == []


async def test_an_owner_runs_it_and_nobody_else_does(work: AtWork) -> None:
    await asks(work, "Fix the tests")
    await says(work, "/allow 1002 viewer", ANN)
    await work.passes(1)
    assert told(work.chat) == [
        f"{MAY_NOT} What they had asked was not run; an owner can run it:\n1 Fix the tests"
    ]
    assert await presses(work, "Run it", BOB) == []
    assert work.chat.alerts == CANT[1:]
    assert await says(work, "/queue again 1") == CANT[:1]
    assert await work.runs_all() == []
    assert await presses(work, "Run it", ANN) == []
    assert await work.runs_all() == ["Fix the tests"]
    first, again = await work.asked()
    assert (again.retry_of, again.author, again.person) == (first.id, "Bob", ANN.id)
    assert work.chat.reads(GROUP)[-1] == "Done."


async def test_what_others_asked_and_what_was_asked_elsewhere_goes_on(work: AtWork) -> None:
    blog = RoomAddress("fake", "roost", "-2")
    await work.project("blog", room=blog)
    await says(work, "/allow 1002 member", ANN, blog)
    await asks(work, "theirs", room=blog)
    await asks(work, "mine", person=ANN)
    await asks(work, "one")
    await says(work, "/allow 1002 viewer", ANN)
    assert aside(await work.asked()) == ["one"]
    assert sorted(await work.runs_all()) == ["mine", "theirs"]


async def test_what_shows_the_line_goes_on_without_it(work: AtWork) -> None:
    await asks(work, "mine", person=ANN)
    await work.starts()
    await asks(work, "one")
    await asks(work, "mine too", person=ANN)
    await work.passes(3)
    await says(work, "/allow 1002 viewer", ANN)
    await work.passes(3)
    assert "Second in line, after mine." in work.chat.reads(GROUP)
    assert not any("one" in read.split() for read in work.chat.reads(GROUP) if not read.startswith(MAY_NOT))


async def test_who_is_alone_there_is_told_and_an_owner_runs_it_where_the_project_is(work: AtWork) -> None:
    await says(work, "/project shop", BOB, BOBS)
    await asks(work, "one", room=BOBS)
    await says(work, "/allow 1002 viewer", ANN)
    await work.passes(1)
    assert work.chat.reads(BOBS)[-1].startswith(MAY_NOT)
    assert work.chat.buttons(BOBS) == []
    assert await says(work, "/queue run 1", BOB, BOBS) == CANT[1:]
    await says(work, "/queue run 1", ANN)
    assert await work.runs_all() == ["one"]
    assert work.chat.reads(GROUP)[-1] == "Done."


async def test_a_stranger_is_told_nothing_and_an_owner_can_run_it_all_the_same(work: AtWork) -> None:
    await says(work, "/project shop", BOB, BOBS)
    await asks(work, "one", room=BOBS)
    before = work.chat.reads(BOBS)
    await says(work, "/allow 1002 none", ANN)
    await work.passes(1)
    assert aside(await work.asked()) == ["one"]
    assert work.chat.reads(BOBS) == before
    await says(work, "/queue run 1", ANN)
    assert await work.runs_all() == ["one"]


async def test_it_is_told_though_roost_died_with_the_change(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await work.project("shop", room=GROUP)
        await says(work, "/allow 1002 member", ANN)
        await asks(work, "one")
        chat.troubles = [Trouble(NotSent(), call="deliver", room=GROUP) for _ in range(2)]
        await says(work, "/allow 1002 viewer", ANN)
        assert aside(await work.asked()) == ["one"]
        assert told(chat) == []
    for _ in range(2):
        async with at_work(tmp_path, chat, clock) as work:
            await work.passes(5)
            assert await work.runs_all() == []
    assert len(told(chat)) == 1


async def test_taken_out_of_the_settings_it_is_set_aside_at_the_next_start(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path, chat, clock, owners=(ANN.id, BOB.id)) as work:
        await work.project("shop", room=GROUP)
        await asks(work, "one", "two")
        await asks(work, "mine", person=ANN)
    for _ in range(2):
        async with at_work(tmp_path, chat, clock) as work:
            await work.passes(2)
            assert aside(await work.asked()) == ["one", "two"]
            assert chat.buttons(GROUP)[:1] == ["Run it 1"]
    assert len(told(chat)) == 1
    async with at_work(tmp_path, chat, clock) as work:
        assert await work.runs_all() == ["mine"]
