"""What is said in a chat that gets another name is acted on and answered where it is now."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.chat import RoomAddress, Toward
from core.store import conversations, prompts
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import FakeChat
from tests.support.hand_clock import HandClock

GROUP = RoomAddress("fake", "roost", "-5")
MOVED = RoomAddress("fake", "roost", "-1005")


def begun(title: str) -> str:
    return f"{title}\nA new conversation in shop. What is to be done?"


async def test_what_waits_in_a_chat_that_moves_is_acted_on_where_it_is_now(work: AtWork) -> None:
    chat, clock = work.chat, work.clock
    await work.project(room=GROUP)
    chat.writes("before", room=GROUP, alone=False, toward=Toward.US, at=clock.now() - 60)
    chat.writes("/queue", room=GROUP, alone=False)
    chat.moves(GROUP.chat, MOVED.chat)
    await work.passes(1)
    (started,) = await work.starts()
    await work.ends(started)
    assert chat.reads(GROUP) == []
    assert chat.replies(MOVED) == [("1 before", None), ("Done.", None)]
    assert chat.acknowledged == []
    assert chat.calls("(deliver)", "(typing)") == []
    asked = chat.writes("after", room=MOVED, alone=False, toward=Toward.US)
    await work.passes()
    (again,) = await work.starts()
    assert (again.conversation, chat.acknowledged) == (started.conversation, [asked])


async def test_a_command_whose_chat_moves_while_it_is_done_replies_to_nobody_elses_message(
    work: AtWork,
) -> None:
    await work.project(room=GROUP)
    address = (GROUP.platform, GROUP.account)

    def moves() -> None:
        """As another step of ours does it, before the one in which the command is done."""
        work.chat.moves(GROUP.chat, MOVED.chat)
        with closing(sqlite3.connect(work.store.path, isolation_level=None)) as db:
            db.row_factory = sqlite3.Row
            conversations.move(db, *address, GROUP.chat, MOVED.chat)

    work.meanwhile = moves
    work.chat.writes("/new Later", room=GROUP, alone=False)
    await work.passes(1)
    assert work.chat.replies(MOVED) == [(begun("Later"), None)]
    asked = work.chat.writes("/new Sooner", room=MOVED, alone=False)
    await work.passes(1)
    assert work.chat.replies(MOVED)[1:] == [(begun("Sooner"), asked)]


async def test_what_waits_in_a_room_that_becomes_one_with_another_stays_one_card(work: AtWork) -> None:
    await work.project(room=GROUP)
    await work.project("blog", room=MOVED)
    for words in ("one", "two", "three"):
        work.chat.writes(words, room=MOVED, alone=False, toward=Toward.US)
        await work.passes()
        await work.starts()
    await work.passes(1.1)
    _, second, _ = await work.asked()
    work.chat.moves(GROUP.chat, MOVED.chat)
    await work.passes(1)
    await work.store.write(prompts.cancel, second.id, now=work.clock.now())
    await work.passes(2.1)
    cards = [read for read in work.chat.reads(MOVED) if "⏳" not in read]
    assert cards == ["Second in line, after one.", "Removed before it began: two."]


async def runs_and_moves(work: AtWork) -> None:
    """«one» runs in the group, and its message was left behind when that moved."""
    await work.project(room=GROUP)
    work.chat.writes("one", room=GROUP, alone=False, toward=Toward.US)
    await work.passes()
    await work.starts()
    await work.passes(2)
    work.chat.moves(GROUP.chat, MOVED.chat)
    await work.passes(3)


async def test_the_button_of_a_message_that_was_left_behind_still_stops_its_turn(work: AtWork) -> None:
    await runs_and_moves(work)
    before = work.chat.reads(MOVED)
    work.chat.presses("Stop", room=GROUP)
    await work.passes(0.3)
    assert [one.cancelling for one in await work.asked()] == [True]
    assert [read for read in work.chat.reads(MOVED) if "⏳" not in read] == [
        read for read in before if "⏳" not in read
    ]


async def test_it_does_so_after_a_restart(tmp_path: Path, chat: FakeChat, clock: HandClock) -> None:
    async with at_work(tmp_path, chat, clock) as work:
        await runs_and_moves(work)
    async with at_work(tmp_path, chat, clock) as work:
        chat.presses("Stop", room=GROUP)
        await work.passes(0.3)
        assert [one.cancelling for one in await work.asked()] == [True]


async def test_a_late_word_under_the_old_name_is_heard_in_the_room(work: AtWork) -> None:
    await runs_and_moves(work)
    work.chat.writes("/queue", room=GROUP, alone=False)
    await work.passes(1)
    assert work.chat.replies(MOVED)[-1][0].startswith("▸ one")
    assert work.chat.replies(MOVED)[-1][1] is None
