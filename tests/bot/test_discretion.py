"""Who is in one project reads no other's name, whatever their prompts wait for; they read how many."""

from __future__ import annotations

import pytest

from bot.access import Rights, Role
from bot.chat import RoomAddress
from bot.discretion import Discretion
from bot.replies.queue import ForAnswer, ForGroup, ForPlace, InLine, WaitsFor, reason, veiled
from bot.texts import Texts
from core.store import conversations
from tests.support import store as shelf
from tests.support.at_work import AtWork
from tests.support.fake_chat import ANN, BOB, visible

ANNS, BOBS = (RoomAddress("fake", "roost", one) for one in ("1001", "1002"))
TV, BLOG = (RoomAddress("fake", "roost", chat) for chat in ("-1", "-2"))


@pytest.fixture
async def work(work: AtWork) -> AtWork:
    """Two projects that never run together, each with a group; Bob is in one of them."""
    for name, room in (("tv-remote", TV), ("blog", BLOG)):
        made = await work.store.write(shelf.a_project, name, ("salon",))
        place = await work.store.write(conversations.room, room.platform, room.account, room.chat)
        await work.store.write(conversations.bind, place.id, made.id)
    work.chat.writes("/allow 1002", room=BLOG)
    await work.passes()
    work.chat.writes("films", room=TV)
    await work.passes()
    await work.starts()
    return work


@pytest.mark.parametrize(
    ("room", "person", "said"),
    [
        (ANNS, ANN, "Waits for salon: tv-remote is at work there."),
        (BOBS, BOB, "Waits for salon: another project is at work there."),
        (BLOG, ANN, "Waits for salon: another project is at work there."),
    ],
    ids=["an owner", "a member of the other", "a group, where anybody may read"],
)
async def test_a_name_is_for_who_may_know_it(
    work: AtWork, room: RoomAddress, person: object, said: str
) -> None:
    who = ANN if person is ANN else BOB
    work.chat.writes("/project blog", room=room, person=who)
    work.chat.writes("Go", room=room, person=who)
    await work.passes(3)
    assert work.chat.reads(room)[-1] == said


async def test_a_board_keeps_them_back_too(work: AtWork) -> None:
    work.chat.writes("Go", room=BLOG)
    work.chat.writes("/settings dashboard on", room=BLOG)
    await work.passes(5)
    (board,) = [read for read in work.chat.reads(BLOG) if "blog" in read and "1 wait" in read.lower()]
    assert "tv-remote" not in board


def test_a_group_is_known_by_nothing_but_its_own_project() -> None:
    """Whoever reads along there, the rights of one person say nothing about the others."""
    everywhere = Discretion(lambda room: "", lambda person: Rights(Role.OWNER))
    db = shelf.connected()
    own, _ = shelf.a_project(db, "blog"), shelf.a_project(db, "tv")
    assert everywhere.known(db, BLOG, own.id) == {"blog"}


@pytest.mark.parametrize(
    ("waits_for", "said"),
    [
        (ForPlace(3, ("shop", "blog", "tv")), "3 of 3 agents are at work (blog, 2 others)."),
        (ForPlace(2, ("shop", "tv")), "Waits for a free place: 2 of 2 agents are at work."),
        (ForPlace(2, ("shop", "blog")), "2 of 2 agents are at work (blog, 1 other)."),
        (ForPlace(1, ("blog",)), "1 of 1 agents is at work (blog)."),
        (ForGroup("salon", "tv"), "Waits for salon: another project is at work there."),
        (ForGroup("salon", "blog"), "Waits for salon: blog is at work there."),
        (ForAnswer("tv", "secret plans"), "Waits for the answer to what is asked in another project."),
        (InLine(1, "mine"), "Second in line, after mine."),
    ],
)
def test_what_is_kept_back_is_counted_or_left_out(waits_for: WaitsFor, said: str) -> None:
    kept = veiled(waits_for, {"blog"})
    assert kept
    assert visible(reason(kept, Texts("en", strict=True))).endswith(said)
    assert veiled(kept, {"blog"}) == kept
