"""What was asked in a room is found there, stopped and told of, when the room shows another conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.access import Rights, Role
from bot.chat import RoomAddress
from core.model.prompt import Status
from tests.support.office import Office, open_office

OTHER = RoomAddress("fake", "roost", "-7")
NOTHING = ["Nothing is running here."]


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """Where prompts are answered as in a terminal: by whoever reads their events."""
    async with open_office(tmp_path) as opened:
        yield opened


async def is_left(office: Office, leave: str) -> None:
    """«slow 60» runs, and two wait behind it, in a conversation that the room shows no more."""
    await office.project("blog")
    await office.project()
    await office.says("/title the shop")
    for words in ("slow 60", "echo two", "echo three"):
        await office.says(words)
    await office.starts()
    office.clock.wall += 65
    await office.says(leave)


@pytest.mark.parametrize("leave", ["/new", "/project blog"])
async def test_stop_stops_it(office: Office, leave: str) -> None:
    await is_left(office, leave)
    assert await office.says("/stop") == []
    assert (await office.prompt(0)).cancelling


async def test_all_is_all_that_was_asked_here(office: Office) -> None:
    await is_left(office, "/new")
    assert await office.says("/cancel all") == ["2 waiting messages removed."]
    assert (await office.prompt(0)).cancelling


async def test_its_button_reaches_it_in_another_project(office: Office) -> None:
    await is_left(office, "/project blog")
    assert await office.says(f"/cancel {office.took[0].id}") == []
    assert (await office.prompt(0)).cancelling


async def test_the_queue_tells_of_it_and_gives_the_ways(office: Office) -> None:
    await is_left(office, "/new")
    assert (await office.says("/queue"))[0].splitlines() == [
        "Nothing waits in this conversation.",
        "slow 60 was asked here and is at work in the shop · 1:05.",
        "2 messages of this room wait in the shop.",
    ]
    assert office.chat.buttons() == ["Stop", "the shop"]
    assert await office.presses("the shop") == ["Carrying on: the shop."]


async def test_status_tells_of_it_too(office: Office) -> None:
    await is_left(office, "/new")
    lines = (await office.says("/status"))[0].splitlines()
    assert lines[2:4] == [
        "Nothing runs in this conversation.",
        "slow 60 was asked here and is at work in the shop · 1:05.",
    ]
    assert await office.presses("Stop") == []
    assert (await office.prompt(0)).cancelling


async def test_of_another_project_its_name_is_told(office: Office) -> None:
    await is_left(office, "/project blog")
    assert "at work in shop · the shop · 1:05." in (await office.says("/queue"))[0]
    assert office.chat.buttons() == ["Stop"]


async def test_others_in_a_room_are_told_of_its_project_only(office: Office) -> None:
    await is_left(office, "/project blog")
    office.desk = replace(office.desk, own=lambda room, person: False)
    assert await office.says("/queue") == ["Nothing waits here."]


async def test_another_room_is_told_of_nothing_and_stops_nothing(office: Office) -> None:
    await is_left(office, "/new")
    await office.says("/project shop", room=OTHER)
    assert await office.says("/queue", room=OTHER) == ["Nothing waits here."]
    for words in ("/stop", "/cancel all"):
        assert await office.says(words, room=OTHER) == NOTHING
    assert not (await office.prompt(0)).cancelling
    assert (await office.prompt(1)).status is Status.QUEUED


async def test_who_may_not_work_there_is_told_of_nothing(office: Office) -> None:
    await is_left(office, "/new")
    office.desk = replace(office.desk, rights=lambda person: Rights(Role.VIEWER))
    assert "slow 60" not in (await office.says("/status"))[0]
