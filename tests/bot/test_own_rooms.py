"""A project that is added gets a room of its own, once, whatever happens meanwhile; and everybody is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Flood, NotSent, Refused, RoomAddress, Unknown, Why
from core.store import own_rooms, projects
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock

GROUP = RoomAddress("fake", "roost", "-5")
MADE = "blog has a room of its own on Fake now. You are invited into it."
HERE = "This room works in blog: whatever you write here is for its agent."


@pytest.fixture
async def work(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[AtWork]:
    async with at_work(tmp_path / "data", chat, clock, rooms_on=("fake",)) as work:
        yield work


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "blog"
    made.mkdir()
    return made


async def added(work: AtWork, folder: Path, room: RoomAddress = ROOM) -> None:
    work.chat.writes(f"/project add blog {folder}", room=room)
    await work.passes(2)


def own(chat: FakeChat) -> RoomAddress:
    (name,) = chat.made
    return RoomAddress("fake", "roost", f"-{name}")


async def test_it_is_there_bound_and_told(work: AtWork, folder: Path) -> None:
    await added(work, folder)
    assert list(work.chat.made.values()) == [("blog", ANN.id)]
    assert work.chat.reads()[-1] == MADE
    assert work.chat.reads(own(work.chat)) == [HERE]
    assert work.chat.rung == []
    work.chat.writes("Why is it slow?", room=own(work.chat))
    await work.passes()
    (started,) = await work.starts()
    assert (started.prompt.text, started.project.name) == ("Why is it slow?", "blog")


async def test_a_room_of_one_s_own_goes_on_with_its_project(work: AtWork, folder: Path) -> None:
    await work.project()
    await added(work, folder)
    assert work.chat.reads() == [
        "blog is there. I make a room for it and invite you; this room goes on with shop.",
        MADE,
    ]
    work.chat.writes("Why is it slow?")
    await work.passes()
    (started,) = await work.starts()
    assert started.project.name == "shop"


async def test_a_group_in_which_it_was_added_is_its_room(work: AtWork, folder: Path) -> None:
    await added(work, folder, GROUP)
    assert work.chat.made == {}


async def test_without_the_setting_there_is_none(
    tmp_path: Path, chat: FakeChat, clock: HandClock, folder: Path
) -> None:
    async with at_work(tmp_path / "data", chat, clock) as work:
        await added(work, folder)
        assert chat.made == {}
        shop = await work.project()
        await work.store.write(own_rooms.want, shop, "fake")
        await work.passes(5)
        assert chat.made == {}


async def test_projects_from_before_get_none(work: AtWork) -> None:
    await work.project(room=None)
    await work.passes(5)
    assert work.chat.made == {}


@pytest.mark.parametrize("trouble", [NotSent(), Unknown(), Flood(30)], ids=["away", "unknown", "flood"])
async def test_a_platform_that_is_away_is_asked_again(
    work: AtWork, folder: Path, trouble: NotSent | Unknown
) -> None:
    """Whether it had made the room or not, there is one."""
    for _ in range(3):
        work.chat.troubles.append(Trouble(trouble, "make_room", arrives=isinstance(trouble, Unknown)))
    await added(work, folder)
    assert MADE not in work.chat.reads()
    await work.passes(120, step=1)
    assert len(work.chat.made) == 1
    assert work.chat.reads().count(MADE) == 1
    assert work.chat.reads(own(work.chat)) == [HERE]


async def test_after_a_restart_it_goes_on(
    tmp_path: Path, chat: FakeChat, clock: HandClock, folder: Path
) -> None:
    async with at_work(tmp_path / "data", chat, clock, rooms_on=("fake",)) as work:
        chat.troubles.append(Trouble(None, "make_room"))
        await added(work, folder)
    async with at_work(tmp_path / "data", chat, clock, rooms_on=("fake",)) as work:
        await work.passes(2)
        assert len(chat.made) == 1
        assert chat.reads().count(MADE) == 1


async def test_who_becomes_an_owner_later_is_asked_in_too(work: AtWork, folder: Path) -> None:
    """Once the platform is there again; a member is not."""
    await added(work, folder)
    work.chat.troubles.append(Trouble(NotSent(), "ask_in"))
    work.chat.writes(f"/allow {BOB.id} owner")
    work.chat.writes("/allow 1003 member")
    await work.passes(10, step=1)
    assert list(work.chat.made.values()) == [("blog", ANN.id, BOB.id)]


async def test_a_name_that_is_somebody_else_s_is_given_up(work: AtWork, folder: Path) -> None:
    """Not at once: what we made may still be on its way."""
    for _ in range(5):
        work.chat.troubles.append(Trouble(Refused(why=Why.GONE), "make_room"))
    work.chat.writes(f"/project add blog {folder}")
    await work.passes(0.3)
    (before,) = await work.store.read(own_rooms.wanted, "fake")
    await work.passes(300, step=1)
    assert len(work.chat.made) == 1
    assert before.name not in work.chat.made


async def test_where_none_can_be_made_that_is_told(work: AtWork, folder: Path) -> None:
    work.chat.troubles.append(Trouble(Refused("403 no rooms"), "make_room"))
    await added(work, folder)
    assert work.chat.reads()[-1].startswith("I could not make a room for blog on Fake: 403 no rooms.")
    await work.passes(30, step=1)
    assert work.chat.made == {}


async def test_where_nobody_asked_owners_are_told(work: AtWork) -> None:
    shop = await work.project(room=None)
    work.chat.troubles.append(Trouble(Refused("403 no rooms"), "make_room"))
    await work.store.write(own_rooms.want, shop, "fake")
    await work.passes(2)
    assert work.chat.reads()[-1].startswith("I could not make a room for shop on Fake: 403 no rooms.")


async def test_it_waits_until_somebody_owns_us_there(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with at_work(tmp_path / "data", chat, clock, owners=(), rooms_on=("fake",)) as work:
        shop = await work.project(room=None)
        await work.store.write(own_rooms.want, shop, "fake")
        await work.passes(2)
        assert chat.made == {}
    async with at_work(tmp_path / "data", chat, clock, rooms_on=("fake",)) as work:
        await work.passes(2)
        assert len(chat.made) == 1


async def test_a_project_that_goes_leaves_its_room_which_is_told(work: AtWork, folder: Path) -> None:
    await added(work, folder)
    blog = await work.store.read(projects.named, "blog")
    await work.store.write(projects.change, replace(blog, archived=True))
    await work.passes(2)
    assert work.chat.reads(own(work.chat))[1].startswith("blog was put away. This room stays as it is")
    await work.store.write(projects.remove, blog.id)
    await work.passes(2)
    assert work.chat.reads(own(work.chat))[2].startswith("blog is no project of mine any more.")
    assert len(work.chat.reads(own(work.chat))) == 3


async def test_a_project_that_is_put_away_meanwhile_gets_its_room_when_it_is_back(
    work: AtWork, folder: Path
) -> None:
    work.chat.troubles.append(Trouble(NotSent(), "make_room"))
    await added(work, folder)
    blog = await work.store.read(projects.named, "blog")
    await work.store.write(projects.change, replace(blog, archived=True))
    await work.passes(30, step=1)
    assert work.chat.made == {}
    await work.store.write(projects.change, blog)
    await work.passes(30, step=1)
    assert work.chat.reads(own(work.chat)) == [HERE]


async def test_what_was_asked_for_elsewhere_is_told_there(
    tmp_path: Path, chat: FakeChat, clock: HandClock, folder: Path
) -> None:
    """Added on one platform, made on another."""
    async with at_work(tmp_path / "data", chat, clock, rooms_on=("other",)) as work:
        await added(work, folder)
        assert MADE not in chat.reads()
        (wanted,) = await work.store.read(own_rooms.wanted, "other")
        await work.store.write(own_rooms.made, wanted.id, "other", "us", "!blog")
        await work.passes(2)
        assert chat.reads()[-1] == MADE.replace("Fake", "Other")
