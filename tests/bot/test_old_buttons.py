"""A button that stops or drops things is about what it was offered for, however late it is pressed."""

from __future__ import annotations

import pytest

from bot.chat import RoomAddress
from core.model.prompt import Status
from tests.support import store as shelf
from tests.support.at_work import AtWork


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    await work.project()
    return work


async def says(work: AtWork, *texts: str) -> None:
    for text in texts:
        work.chat.writes(text)
        await work.passes(0.1)


async def presses(work: AtWork, label: str) -> str:
    """What is read last in return."""
    work.chat.presses(label)
    await work.passes(0.3)
    return work.chat.reads()[-1]


async def open_words(work: AtWork) -> list[str]:
    return [one.text for one in await work.asked() if not (one.status.ended or one.cancelling)]


async def test_the_rest_is_what_waited_then_in_that_conversation(work: AtWork) -> None:
    await says(work, "run", *(f"old {n}" for n in range(5)), "/queue")
    await work.starts()
    await says(work, "old 5", "/new other", "new 0", "new 1")
    assert await presses(work, "Remove the rest") == "5 waiting messages removed."
    assert await open_words(work) == ["run", "old 5", "new 0", "new 1"]
    assert await presses(work, "Remove the rest") == "Nothing waits here."


async def test_the_card_in_the_room_carries_its_line(work: AtWork) -> None:
    await says(work, "run")
    await work.starts()
    await says(work, *(f"old {n}" for n in range(5)))
    await work.passes(1.2)
    carried = [one.intent for shown in work.chat.shown.values() for one in shown.what.buttons]
    newest = (await work.asked())[-1]
    assert f"/queue clear {newest.conversation} {newest.id}" in carried


async def test_a_card_from_before_a_project_was_chosen_switches_it_no_more(work: AtWork) -> None:
    room = RoomAddress("fake", "roost", "-5")
    await work.project("blog", room=None)
    work.chat.writes("/project", room=room)
    await work.passes(0.3)
    for words in ("/project shop", "Go"):
        work.chat.writes(words, room=room)
        await work.passes(0.3)
    work.chat.presses("blog", room=room)
    await work.passes(0.3)
    said = "That was offered before: this room works in shop by now. To switch to blog:"
    assert work.chat.reads(room)[-1] == said
    work.chat.presses("blog", room=room)
    await work.passes(0.3)
    assert work.chat.reads(room)[-1] == "This room works in blog from now on."


async def test_after_a_stop_the_rest_is_what_waited_at_the_end(work: AtWork) -> None:
    await says(work, "run", "old 0", "old 1")
    (running,) = await work.starts()
    await says(work, "/cancel")
    await work.ends(running)
    await says(work, "new 0")
    assert await presses(work, "Remove the rest") == "2 waiting messages removed."
    assert await open_words(work) == ["new 0"]


async def test_typed_it_means_what_waits_now(work: AtWork) -> None:
    await says(work, "run", "old 0")
    await work.starts()
    await says(work, "/queue clear")
    assert await open_words(work) == ["run"]


async def test_a_line_of_another_room_is_out_of_reach(work: AtWork) -> None:
    await says(work, "run", "old 0")
    (running,) = await work.starts()
    blog = await work.project("blog", room=None)
    there = await work.store.write(lambda db: shelf.a_conversation(db, blog))
    await work.store.write(lambda db: shelf.submit(db, there, "theirs"))
    await says(work, f"/queue clear {there.id} 99", f"/cancel all {there.id} 99")
    assert await open_words(work) == ["run", "old 0", "theirs"]
    await work.ends(running)


OFFERED = [
    ("/cancle", "/cancel", ["old", "new"]),
    ("/cancle all", "/cancel", ["new"]),
    ("/qeue clear", "/queue", ["run", "new"]),
]


@pytest.mark.parametrize(("slip", "label", "left"), OFFERED)
async def test_what_was_probably_meant_is_about_what_there_was_then(
    work: AtWork, slip: str, label: str, left: list[str]
) -> None:
    await says(work, "run", "old")
    await work.starts()
    await says(work, slip, "new")
    await presses(work, label)
    assert await open_words(work) == left


@pytest.mark.parametrize("slip", ["/cancle", "/cancle all", "/qeue clear"])
async def test_where_it_would_have_reached_nothing_there_is_no_button(work: AtWork, slip: str) -> None:
    await says(work, slip)
    assert work.chat.reads()[-1].startswith("Perhaps you meant")
    assert work.chat.buttons() == []


async def test_the_offer_of_a_cancel_expires_with_what_ran(work: AtWork) -> None:
    await says(work, "run")
    (running,) = await work.starts()
    await says(work, "/cancle")
    await work.ends(running)
    await says(work, "long work")
    await work.starts()
    assert await presses(work, "/cancel") == "That had already ended."
    assert (await work.asked())[-1].status is Status.RUNNING
