"""What waits in a chat and is dropped by somebody elsewhere is told there, once and quietly."""

from __future__ import annotations

import pytest

from bot.chat import RoomAddress
from core.store import prompts
from tests.support.at_work import AtWork
from tests.support.fake_chat import BOB

BOBS = RoomAddress("fake", "roost", "1002")


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """Ann's «one» runs, and Bob is in the same conversation."""
    await work.project()
    work.chat.writes("/allow 1002")
    work.chat.writes("one")
    await work.passes()
    await work.starts()
    for words in ("/project shop", "/conversations 1"):
        await bob_says(work, words)
    return work


async def bob_says(work: AtWork, words: str) -> None:
    work.chat.writes(words, room=BOBS, person=BOB)
    await work.passes(0.3)


async def wait(work: AtWork, *texts: str) -> None:
    for text in texts:
        work.chat.writes(text)
        await work.passes(0.1)
    await work.passes(2)


def told(work: AtWork) -> list[str]:
    """What Ann reads of what was removed."""
    return [read for read in work.chat.reads() if "emoved" in read]


async def test_one_of_several_is_told_by_a_word(work: AtWork) -> None:
    await wait(work, "two", "three")
    rung = list(work.chat.rung)
    await bob_says(work, "/queue drop 2")
    await work.passes(2)
    assert told(work) == ["Removed before it began: two."]
    assert "Second in line, after one." in work.chat.reads()
    assert work.chat.rung == rung
    assert work.chat.reads(BOBS)[-1] == "Removed: two."


async def test_the_last_one_is_told_by_its_own_message(work: AtWork) -> None:
    await wait(work, "two")
    await bob_says(work, "/cancel 2")
    await work.passes(2)
    assert told(work) == ["Removed before it began: two."]


async def test_many_at_once_are_one_word(work: AtWork) -> None:
    await wait(work, *(f"number {n}" for n in range(2, 40)))
    await bob_says(work, "/queue clear")
    await work.passes(3)
    assert told(work) == ["Removed before it began: number 2.", "38 waiting messages removed."]


async def test_a_command_in_the_terminal_is_elsewhere_too(work: AtWork) -> None:
    await wait(work, "two", "three")
    await work.store.write(prompts.cancel_all, now=work.clock.now())
    await work.passes(3)
    assert told(work) == ["Removed before it began: two.", "2 waiting messages removed."]


async def test_what_is_dropped_in_its_own_room_is_told_by_the_answer_alone(work: AtWork) -> None:
    await wait(work, "two", "three")
    work.chat.writes("/queue drop 2")
    await work.passes(2)
    assert told(work) == ["Removed: two."]


async def test_dropped_for_both_each_room_hears_of_its_own(work: AtWork) -> None:
    await wait(work, "two", "three")
    await bob_says(work, "bobs")
    await bob_says(work, "/queue clear")
    await work.passes(3)
    assert told(work)[-1] == "2 waiting messages removed."
    assert work.chat.reads(BOBS)[-1] == "3 waiting messages removed."
