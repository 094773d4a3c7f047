"""A room works in one project, and can be given another."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from bot.access import Role
from bot.telegram.buttons import keyboard
from tests.support.office import Office, open_office


async def test_without_one_those_that_there_are_can_be_picked(office: Office) -> None:
    await office.project("shop")
    await office.project("blog", archived=True)
    (said,) = await office.says("/project")
    assert said.splitlines() == [
        "The project blog is put away. In the terminal, roost project unarchive blog brings it back.",
        "Which project?",
    ]
    assert office.chat.buttons() == ["shop", "New project"]
    assert await office.presses("shop") == ["This room works in shop from now on."]
    assert await office.says("/project") == ["This room works in shop: /srv/shop."]


async def test_a_name_of_any_length_can_be_picked_by_its_button(office: Office) -> None:
    name = "é" * 40
    await office.project(name)
    await office.project("shop")
    await office.says("/project")
    (button,) = office.chat.carried()
    assert keyboard([button]) is not None
    assert await office.presses(name) == [f"This room works in {name} from now on."]


async def test_a_number_that_is_no_project_s(office: Office) -> None:
    await office.project("blog", archived=True)
    for words, answer in (("#1", "The project blog is put away"), ("#77", "There is no project called")):
        (said,) = await office.says(f"/project {words}")
        assert said.startswith(answer)
    (said,) = await office.says("/project #one")
    assert said.startswith("It is written like this")


async def test_picking_another_leaves_the_conversation_behind(office: Office) -> None:
    await office.project("blog")
    await office.project("shop")
    await office.says("one")
    assert await office.says("/project BLOG") == ["This room works in blog from now on."]
    await office.says("two")
    assert office.took[0].conversation != office.took[1].conversation


async def test_picking_the_same_one_changes_nothing(office: Office) -> None:
    await office.project("shop")
    await office.says("one")
    await office.says("/project shop")
    await office.says("two")
    assert office.took[0].conversation == office.took[1].conversation


async def test_one_that_was_put_away_names_its_way_back(office: Office) -> None:
    await office.project("blog", archived=True)
    assert await office.says("/project blog") == [
        "The project blog is put away. In the terminal, roost project unarchive blog brings it back."
    ]


async def test_an_owner_adds_one_and_the_room_works_there(office: Office, tmp_path: Path) -> None:
    folder = tmp_path.parent / "shop"
    folder.mkdir(exist_ok=True)
    assert await office.says(f"/project add shop {folder}") == ["shop is there, and this room works in it."]
    assert await office.says("/project") == [f"This room works in shop: {folder}."]
    assert await office.says(f"/project add till {folder}") == ["That folder is project shop already."]
    other = tmp_path.parent / "till"
    other.mkdir(exist_ok=True)
    assert await office.says(f"/project add shop {other}") == [
        "There is already a project called shop. Choose another name."
    ]


TAKEN = "There is already a project called shop. Choose another name."
NO_NAME = (
    "can’t be a project’s name."
    " Use letters, digits, -, _ and ., at most 40, and begin with a letter or digit."
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("my,shop /tmp", f"my,shop {NO_NAME}"),
        ("--help /tmp", f"--help {NO_NAME}"),
        ("_x /tmp", f"_x {NO_NAME}"),
        ("shop ~nobody-here/shop", "~nobody-here/shop is not a whole path. Begin it with / or ~."),
        ("shop shop", "shop is not a whole path. Begin it with / or ~."),
        ("shop /nowhere/shop", "There is nothing at /nowhere/shop. Make the folder, or give another path."),
    ],
)
async def test_what_can_be_none_is_refused(office: Office, words: str, said: str) -> None:
    assert await office.says(f"/project add {words}") == [said]


async def test_roosts_own_data_is_no_project(office: Office, tmp_path: Path) -> None:
    assert await office.says(f"/project add own {tmp_path}") == [
        f"{tmp_path} lies in Roost’s own data, which no agent may reach. Choose another folder."
    ]


async def test_who_may_not_is_told_or_ignored(tmp_path: Path) -> None:
    for role, said in ((Role.MEMBER, ["Only an owner can do that."]), (Role.STRANGER, [])):
        async with open_office(tmp_path, role=role) as office:
            assert await office.says("/project add shop /tmp") == said


async def test_who_looks_on_gives_no_prompts(tmp_path: Path) -> None:
    async with open_office(tmp_path, role=Role.VIEWER, language="fr") as office:
        await office.project()
        assert await office.says("vas-y") == ["Seul un membre ou un propriétaire peut faire cela."]
        assert office.took == []


# --- a new one --------------------------------------------------------------------------------------------


@pytest.fixture
async def settled(office: Office, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where Ann's projects are: one of them is known, three more folders are there, and what can be none."""
    home = tmp_path_factory.mktemp("c")
    for at, name in enumerate(("shop", "blog", "tv", ".cache", "with space")):
        (home / name).mkdir()
        os.utime(home / name, (at, at))
    (home / "notes.txt").write_text("no folder")
    await office.says(f"/project add shop {home / 'shop'}")
    return home


async def test_a_folder_beside_the_others_is_a_press_away(office: Office, settled: Path) -> None:
    (said,) = await office.says("/project add")
    assert said.splitlines() == [
        f"Which folder of {settled} is it?",
        f"/project add NAME makes a new one in {settled}; /project add NAME PATH takes one elsewhere.",
    ]
    assert office.chat.buttons() == ["tv", "blog"]  # what changed last comes first
    await office.presses("blog")
    (said,) = await office.says("/project")
    assert said == f"This room works in blog: {settled / 'blog'}."
    await office.says("/project add")
    assert office.chat.buttons() == ["tv"]


async def test_a_name_alone_is_a_new_folder_beside_the_others(office: Office, settled: Path) -> None:
    assert await office.says("/project add fresh") == [f"This room works in fresh: {settled / 'fresh'}."]
    assert (settled / "fresh").is_dir()
    assert await office.says("/project add shop") == [TAKEN]
    assert await office.says("/project add ../away") == [f"../away {NO_NAME}"]
    assert not (settled.parent / "away").exists()
    assert (await office.says("/project add notes.txt"))[0].startswith(
        f"{settled / 'notes.txt'} can’t be made"
    )


async def test_in_a_group_nobody_reads_what_folders_there_are(office: Office, settled: Path) -> None:
    office.desk = replace(office.desk, own=lambda room, person: False)
    (said,) = await office.says("/project add")
    assert (said.splitlines()[0].startswith("/project add NAME"), office.chat.buttons()) == (True, [])
    assert "tv" not in said


async def test_only_an_owner_is_offered_to_make_one(tmp_path: Path) -> None:
    for role, offered in ((Role.OWNER, ["New project"]), (Role.MEMBER, [])):
        async with open_office(tmp_path / role, role=role) as office:
            await office.says("/project")
            assert office.chat.buttons() == offered
            assert (await office.says("/project add") == ["Only an owner can do that."]) == (not offered)
