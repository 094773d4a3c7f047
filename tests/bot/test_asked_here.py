"""What was asked in a room is stopped, dropped and asked again from there, whatever the room shows by now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.chat import RoomAddress
from core.model.prompt import Status
from core.store import projects
from core.store.queue import Work
from core.store.turns import Ending
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN

OTHER = RoomAddress("fake", "roost", "-7")
NOTHING = "Nothing is running here."
UNKNOWN = "There is no such message here. /queue shows what waits."


async def says(work: AtWork, text: str, *, room: RoomAddress | None = None) -> str:
    """What is read last a moment after *text* was said."""
    where = room or RoomAddress("fake", "roost", ANN.id)
    work.chat.writes(text, room=where)
    await work.passes(0.3)
    return (work.chat.reads(where) or [""])[-1]


async def is_left(work: AtWork, leave: str) -> Work:
    """«one» runs and «two» waits in shop, which the room shows no more."""
    shop = await work.project()
    await work.project("blog", room=None)
    for words in ("one", "two"):
        await says(work, words)
    (started,) = await work.starts()
    await work.passes(2)
    if leave == "switched":
        await says(work, "/project blog")
    else:
        await work.store.write(projects.change, replace(shop, archived=True))
    return started


@pytest.mark.parametrize("leave", ["switched", "archived"])
async def test_its_buttons_reach_it(work: AtWork, leave: str) -> None:
    started = await is_left(work, leave)
    work.chat.presses("Remove")
    await work.passes(0.3)
    work.chat.presses("Stop")
    await work.passes(0.3)
    one, two = await work.asked()
    assert (one.cancelling, two.status) == (True, Status.CANCELLED)
    await work.ends(started)
    assert UNKNOWN not in work.chat.reads()


@pytest.mark.parametrize("leave", ["switched", "archived"])
async def test_a_cancel_without_a_number_finds_it(work: AtWork, leave: str) -> None:
    started = await is_left(work, leave)
    assert await says(work, "/cancel") != NOTHING
    assert [one.cancelling for one in await work.asked()] == [True, False]
    await work.ends(started)
    assert await says(work, "/cancel") == "Removed before it began: two."
    assert await says(work, "/cancel") == NOTHING


@pytest.mark.parametrize("leave", ["switched", "archived"])
async def test_all_is_all_that_was_asked_here(work: AtWork, leave: str) -> None:
    await is_left(work, leave)
    assert await says(work, "/cancel all") == "Removed before it began: two."
    one, two = await work.asked()
    assert (one.cancelling, two.status) == (True, Status.CANCELLED)


async def test_the_conversation_that_is_shown_comes_first(work: AtWork) -> None:
    await is_left(work, "switched")
    await says(work, "three")
    assert await says(work, "/cancel") == "Removed before it began: three."
    assert not (await work.asked())[0].cancelling


async def test_of_two_that_run_the_last_to_begin_is_stopped_and_then_the_other(work: AtWork) -> None:
    await is_left(work, "switched")
    await says(work, "three")
    await work.starts()
    await work.project("wiki", room=None)
    await says(work, "/project wiki")
    for stopping in ([False, False, True], [True, False, True]):
        await says(work, "/cancel")
        assert [one.cancelling for one in await work.asked()] == stopping


async def test_what_failed_is_tried_again_in_its_own_project(work: AtWork) -> None:
    started = await is_left(work, "switched")
    await work.ends(started, Ending(Status.FAILED, reason="turn.exited"))
    await says(work, "/queue drop 2")
    work.chat.presses("Try again")
    await work.passes(0.3)
    again = (await work.asked())[-1]
    assert (again.text, again.retry_of, again.conversation) == ("one", 1, started.conversation.id)


async def test_a_project_that_was_put_away_takes_nothing_new(work: AtWork) -> None:
    started = await is_left(work, "archived")
    await work.ends(started, Ending(Status.FAILED, reason="turn.exited"))
    assert await says(work, "/queue again 1") == (
        "The project shop is put away. In the terminal, roost project unarchive shop brings it back."
    )
    assert await work.words() == ["one", "two"]


async def test_another_room_reaches_nothing_of_it(work: AtWork) -> None:
    started = await is_left(work, "switched")
    for words in ("/cancel 1", "/queue drop 2", "/queue up 2", "/queue again 1"):
        assert await says(work, words, room=OTHER) == UNKNOWN
    for words in ("/cancel", "/cancel all"):
        assert await says(work, words, room=OTHER) == NOTHING
    assert [one.cancelling for one in await work.asked()] == [False, False]
    await work.ends(started)


async def test_stopping_in_a_room_without_a_project_leaves_what_waits_for_one(work: AtWork) -> None:
    await is_left(work, "archived")
    await says(work, "three")
    work.chat.presses("Stop")
    await work.passes(0.3)
    assert work.chat.reads()[-1] != "1 waiting message removed."
    assert await says(work, "/cancel all") == "2 waiting messages removed."
