"""What is typed in a terminal goes in, and what waits for a project runs once there is one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import RoomAddress
from bot.terminal.scene import bring, enter, scene
from bot.terminal.talk import Talking, tasks
from core.model.ids import ProjectId
from core.store import conversations, inbox, projects, prompts, threads
from tests.support import store as shelf
from tests.support.office import Office, open_office
from tests.support.screens import MemoryScreen

ROOM = RoomAddress("terminal", "ann", "")
WAITS = "Which project is this for? Your message waits, and runs once one is chosen."
CHOICES = "1 blog · 2 shop · New project: /project add"


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    """With two projects, of which the terminal's room shows none."""
    async with open_office(tmp_path / "data") as opened:
        for name in ("shop", "blog"):
            await opened.store.write(shelf.a_project, name)
        yield opened


async def types(office: Office, *lines: str, room: RoomAddress = ROOM) -> list[str]:
    """What stands on the screen of somebody who types these lines, and leaves."""
    screen = MemoryScreen()
    async with tasks() as group:
        talking = Talking(room, office.desk, office.desk.words(""), screen, group, live=False)
        talking.desk = replace(talking.desk, took=office.desk.took)
        for line in lines:
            talking.chat.typed(line)
        talking.chat.close()
        await talking.act()
    return screen.kept


async def parked(office: Office) -> tuple[str, ...]:
    return (await office.store.write(scene, ROOM)).parked


async def test_what_was_typed_first_waits_and_runs_once_its_project_is_chosen(office: Office) -> None:
    said = await types(office, "fix the tests", "and the docs", "2")
    assert said == [
        f"{WAITS}\n{CHOICES}",
        f"{WAITS}\n{CHOICES}",
        "This room works in shop from now on.",
    ]
    assert [one.text for one in office.took] == ["fix the tests", "and the docs"]
    project = await office.store.read(prompts.project_of, office.took[0].id)
    assert (project, await parked(office)) == (1, ())


async def test_a_number_that_was_not_offered_is_no_prompt(office: Office) -> None:
    said = await types(office, "/project", "3", "2", "3")
    assert said[1] == "There is no 3 among what was offered. Choose one of those, or write in words."
    assert [one.text for one in office.took] == ["3"]


async def test_it_waits_for_the_next_time_too(office: Office) -> None:
    await types(office, "fix the tests")
    assert await parked(office) == ("fix the tests",)
    assert await types(office, "/steer and the docs") == [f"{WAITS}\n{CHOICES}"]
    listed = "Which project is this for? 2 messages wait for one:\n· fix the tests\n· /steer and the docs"
    assert await types(office, "/queue") == [f"{listed}\n{CHOICES}"]
    assert office.took == []
    await types(office, "/project shop")
    assert [one.text for one in office.took] == ["fix the tests", "and the docs"]


async def test_killed_between_the_choice_and_its_prompt_it_runs_at_the_next_time(office: Office) -> None:
    await types(office, "fix the tests")
    room = await office.store.write(conversations.room, ROOM.platform, ROOM.account, ROOM.chat)
    await office.store.write(threads.choose, room.id, ProjectId(1))
    await types(office)
    await types(office)
    assert [one.text for one in office.took] == ["fix the tests"]
    assert await office.store.read(inbox.waiting, room.id) == []


async def test_what_waits_is_told_to_who_looks(office: Office) -> None:
    assert await types(office, "fix the tests", "/queue") == [
        f"{WAITS}\n{CHOICES}",
        f"Which project is this for? 1 message waits for one:\n· fix the tests\n{CHOICES}",
    ]


@pytest.mark.parametrize(
    "command",
    [*("/status", "/project", "/conversations", "/fork", "/diff", "/new", "/get a.txt", "/queue again")],
)
async def test_a_command_is_none_of_what_waits(office: Office, command: str) -> None:
    (alone,) = await types(office, command)
    assert not alone.startswith(WAITS)
    assert (await types(office, "fix the tests", command))[1] == alone
    assert await parked(office) == ("fix the tests",)


@pytest.mark.parametrize("slip", ["/stpo", "/cancle", "/qeue clear"])
async def test_of_what_would_reach_nothing_nothing_is_asked(office: Office, slip: str) -> None:
    (_, said) = await types(office, "/project shop", slip)
    assert said.startswith("Perhaps you meant /")
    assert "?" not in said


async def test_asked_again_where_nothing_was_asked(office: Office) -> None:
    (_, said) = await types(office, "/project shop", "/queue again")
    assert said == "Nothing has ended here yet that could be asked again."


@pytest.mark.parametrize("command", ["/cancel", "/queue clear"])
async def test_what_waits_is_dropped_by_a_word(office: Office, command: str) -> None:
    said = await types(office, "fix the tests", command)
    assert said[1:] == ["1 waiting message removed."]
    assert await parked(office) == ()


async def test_another_language_is_spoken_from_then_on(office: Office) -> None:
    said = await types(office, "/project shop", "/settings language fr", "/get a.txt", "/settings view")
    assert said[1:2] == ["Langue : Français."]
    assert said[-1].startswith("Cette conversation n’a qu’une façon")
    async with tasks() as group:
        talking = Talking(ROOM, office.desk, office.desk.words(""), MemoryScreen(), group, live=False)
        assert (await talking.scene()).language == "fr"
        assert talking.show.texts.language == "fr"


@pytest.mark.parametrize(
    ("typed", "meant"), [("/qiut", "/quit"), ("/Quitt", "/quit"), ("/exti", "/exit"), ("/quit now", "/quit")]
)
async def test_a_near_miss_of_the_way_out_is_asked_about(office: Office, typed: str, meant: str) -> None:
    assert await types(office, "/project shop", typed) == [
        "This room works in shop from now on.",
        f"Did you mean {meant}?",
    ]
    assert office.took == []


async def test_without_its_sign_it_is_a_word_like_others(office: Office) -> None:
    await types(office, "/project shop", "quit", "exit")
    assert [one.text for one in office.took] == ["quit", "exit"]


async def test_what_means_nothing_here_is_not_offered(office: Office) -> None:
    (said,) = await types(office, "/settings")
    assert [line.partition(":")[0] for line in said.splitlines()[:-1]] == [
        *("Auto-compact", "Language", "Notifications")
    ]


@pytest.mark.parametrize("command", ["/status", "/conversations", "/model", "/diff", "/get a.txt", "/fork"])
async def test_a_command_that_takes_a_project_lists_them(office: Office, command: str) -> None:
    assert await types(office, command) == [f"Which project?\n{CHOICES}"]


async def test_it_waits_for_a_project_that_is_named_at_the_next_start_too(office: Office) -> None:
    await types(office, "fix the tests", "and the docs")
    shop = await office.store.read(projects.named, "shop")
    there = replace(ROOM, chat=str(shop.id))
    await office.store.write(enter, there, shop, "")
    await office.store.write(bring, ROOM, to=there)
    await types(office, room=there)
    assert [one.text for one in office.took] == ["fix the tests", "and the docs"]
    assert await office.store.read(prompts.project_of, office.took[1].id) == shop.id
    assert await parked(office) == ()
