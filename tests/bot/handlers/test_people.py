"""Owners let people in and out of a chat, see who is there, and others don't."""

from __future__ import annotations

import pytest

from bot.chat import RoomAddress
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB

BOBS = RoomAddress("fake", "roost", "1002")


async def says(work: AtWork, words: str, *, bob: bool = False) -> list[str]:
    """What is said in return to Ann, or to Bob."""
    room = BOBS if bob else RoomAddress("fake", "roost", "1001")
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=BOB if bob else ANN)
    await work.passes()
    return work.chat.reads(room)[before:]


async def test_somebody_who_is_let_in_can_begin_at_once(work: AtWork) -> None:
    await work.project(room=BOBS)
    assert await says(work, "/allow 1002") == ["1002 may work with me from now on."]
    assert await says(work, "Go", bob=True) == []
    assert await work.words() == ["Go"]


async def test_who_may_only_look_on_looks_on(work: AtWork) -> None:
    await work.project(room=BOBS)
    assert await says(work, "/allow 1002 Viewer") == ["1002 may look on from now on."]
    assert await says(work, "/queue", bob=True) == ["Nothing waits here."]
    assert await says(work, "Go", bob=True) == ["Only a member or an owner can do that."]


async def test_who_is_let_out_is_a_stranger_again(work: AtWork) -> None:
    await says(work, "/allow 1002")
    assert await says(work, "/allow 1002 none") == ["1002 is let out: I answer them no more."]
    assert await says(work, "/queue", bob=True) == []
    assert await says(work, "/allow") == ["1001 · owner"]


async def test_the_list_names_everybody(work: AtWork) -> None:
    await says(work, "Knock", bob=True)
    await says(work, "/allow 1002")
    await says(work, "/allow 1003 owner")
    assert await says(work, "/allow") == ["1001 · owner\n1002 · Bob · member\n1003 · owner"]


@pytest.mark.parametrize("words", ["/allow", "/allow 1002 owner", "/allow 1001 none"])
async def test_only_an_owner_does_that(work: AtWork, words: str) -> None:
    await says(work, "/allow 1002 member")
    assert await says(work, words, bob=True) == ["Only an owner can do that."]


async def test_owners_of_the_configuration_stay_owners(work: AtWork) -> None:
    said = ["1001 is an owner by the configuration: allowed_users there."]
    assert await says(work, "/allow 1001 viewer") == said


async def test_there_is_always_an_owner(work: AtWork) -> None:
    await says(work, "/allow 1002 owner")
    told = await says(work, "/allow 1002 member", bob=True)
    assert told[1:] == ["1002 may work with me from now on."]


@pytest.mark.parametrize("words", ["/allow 1002 boss", "/allow 1002 owner please"])
async def test_how_it_is_written_is_told(work: AtWork, words: str) -> None:
    (said,) = await says(work, words)
    assert said.startswith("It is written like this: /allow · /allow ID")


@pytest.mark.parametrize("number", ["0", "77", "9" * 30, "9" * 3900])
async def test_a_number_that_no_project_has_lets_nobody_in(work: AtWork, number: str) -> None:
    (said,) = await says(work, f"/allow 1002 member #{number}")
    assert said.startswith("There is no project called ")
    assert await says(work, "/queue", bob=True) == []
