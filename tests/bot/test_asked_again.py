"""`/queue again N` and `/queue run N`: whoever types them is told what is run, and reaches nothing else's."""

from __future__ import annotations

import pytest

from bot.chat import Person, RoomAddress
from core.model.prompt import Status
from core.store.turns import Ending
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

GROUP, OTHER = (RoomAddress("fake", "roost", one) for one in ("-1", "-2"))
NOT_ASIDE = (
    "/queue run runs only what was set aside because its author may not have agents work here any more."
)
UNKNOWN = "There is no such message here. /queue shows what waits."


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """A group in which Bob may work, in the one project there is."""
    await work.project("shop", room=GROUP)
    await says(work, "/allow 1002 member")
    return work


async def says(
    work: AtWork, words: str, person: Person = ANN, room: RoomAddress = GROUP, **more: str
) -> list[str]:
    """What is read there in return."""
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=person, **more)  # type: ignore[arg-type]
    await work.passes()
    return work.chat.reads(room)[before:]


async def asks(work: AtWork, words: str, ending: Ending | None = None) -> None:
    await says(work, words)
    (started,) = await work.starts()
    await work.ends(started, ending or Ending(Status.DONE, f"{words}: done."))


async def is_set_aside(work: AtWork) -> None:
    await says(work, "Fix the tests", BOB)
    await says(work, "/allow 1002 viewer")


@pytest.mark.parametrize("status", [Status.DONE, Status.FAILED, Status.CANCELLED])
async def test_what_was_not_set_aside_is_not_run(work: AtWork, status: Status) -> None:
    await asks(work, "Pay the bill", Ending(status, reason="engine.failed"))
    assert await says(work, "/queue run 1") == [NOT_ASIDE]
    assert await work.words() == ["Pay the bill"]


async def test_nor_what_waits_or_runs(work: AtWork) -> None:
    await says(work, "one")
    await work.starts()
    await says(work, "two")
    for number in (1, 2):
        assert await says(work, f"/queue run {number}") == [NOT_ASIDE]
    assert await work.words() == ["one", "two"]


async def test_what_was_set_aside_is_run_once_by_its_first_words(work: AtWork) -> None:
    await is_set_aside(work)
    assert await says(work, "/queue run 1") == ["Will be run: Fix the tests."]
    assert await says(work, "/queue run 1") == ["That is at work already. /cancel stops it."]
    assert await work.runs_all() == ["Fix the tests"]
    assert await says(work, "/queue run 1") == ["That was run already."]
    assert await work.runs_all() == []


async def test_what_waits_for_an_owner_is_asked_again_by_no_member(work: AtWork) -> None:
    await is_set_aside(work)
    await says(work, "/allow 1003 member")
    carol = Person("1003", "Carol")
    assert await says(work, "/queue again 1", carol) == ["Only an owner can do that."]
    assert await says(work, "/queue again 1") == ["Asked again: Fix the tests."]


@pytest.mark.parametrize("words", ["/queue again 1", "/queue again"])
async def test_what_is_asked_again_is_said(work: AtWork, words: str) -> None:
    await asks(work, "Pay the bill")
    assert await says(work, words) == ["Asked again: Pay the bill."]
    assert await work.runs_all() == ["Pay the bill"]


async def test_pressed_beneath_its_answer_it_needs_no_word(work: AtWork) -> None:
    await asks(work, "Pay the bill")
    before = work.chat.reads(GROUP)
    work.chat.presses("Ask again", room=GROUP)
    await work.passes()
    assert work.chat.reads(GROUP) == before
    assert await work.words() == ["Pay the bill"] * 2


@pytest.mark.parametrize("verb", ["again", "run"])
async def test_nothing_of_another_project_is_reached(work: AtWork, verb: str) -> None:
    await asks(work, "one")
    await is_set_aside(work)
    await work.project("blog", room=OTHER)
    for number in (1, 2):
        assert await says(work, f"/queue {verb} {number}", room=OTHER) == [UNKNOWN]
    assert await work.words() == ["one", "Fix the tests"]
