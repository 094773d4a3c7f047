"""A new conversation has a thread of its own where there are threads, and is called as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import ChatError, Flood, NotSent, Refused, RoomAddress, Toward, Unknown, Why
from core.model.events import SessionStarted
from core.model.ids import SessionId
from core.store import conversations
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.store import DONE

GROUP = RoomAddress("fake", "roost", "-5")
NEW = "A new conversation in shop. What is to be done?"


async def says(work: AtWork, text: str, room: RoomAddress = GROUP) -> None:
    work.chat.writes(text, room=room, alone=False, threads=True, toward=Toward.US)
    await work.passes()


def thread(work: AtWork, title: str) -> RoomAddress:
    """The only thread that is called so."""
    (found,) = [room for room, name in work.chat.threads.items() if name == title]
    return found


async def test_a_new_conversation_gets_a_thread_with_its_title(work: AtWork) -> None:
    await work.project(room=GROUP)
    await says(work, "before")
    await says(work, "/new Checkout is slow")
    own = thread(work, "Checkout is slow")
    assert work.chat.reads(own) == [f"Checkout is slow\n{NEW}"]
    assert work.chat.reads(GROUP)[-1] == "Checkout is slow has a topic of its own."
    work.chat.writes("why?", room=own, alone=False)
    await says(work, "after")
    before, why, after = await work.asked()
    assert (before.conversation, why.conversation) == (after.conversation, before.conversation + 1)


async def test_where_a_thread_begins_in_its_room_nothing_else_tells_of_it(work: AtWork) -> None:
    work.chat.limits = replace(work.chat.limits, rooted=True)
    await work.project(room=GROUP)
    await says(work, "/new Checkout is slow")
    assert work.chat.reads(thread(work, "Checkout is slow")) == [f"Checkout is slow\n{NEW}"]
    assert work.chat.reads(GROUP) == []


async def test_a_thread_is_called_as_its_conversation_once_that_has_a_title(work: AtWork) -> None:
    await work.project(room=GROUP)
    await says(work, "/new")
    own = thread(work, "New conversation")
    await says(work, "why is checkout slow?", own)
    (started,) = await work.starts()
    await work.ends(started, replace(DONE, title="Checkout is slow"))
    assert work.chat.threads == {own: "Checkout is slow"}
    await says(work, "/title The basket", own)
    assert work.chat.threads == {own: "The basket"}
    assert len(work.chat.calls("rename_thread")) == 2


async def test_a_thread_that_cannot_be_renamed_is_let_be(work: AtWork) -> None:
    await work.project(room=GROUP)
    await says(work, "/new")
    own = thread(work, "New conversation")
    work.chat.troubles.append(Trouble(Refused(why=Why.FORBIDDEN), call="rename_thread"))
    await says(work, "/title The basket", own)
    await says(work, "why?", own)
    assert work.chat.threads == {own: "New conversation"}
    assert len(work.chat.calls("(rename_thread)")) == 1


async def test_without_the_right_it_goes_on_where_it_was_asked_for(work: AtWork) -> None:
    await work.project(room=GROUP)
    await says(work, "before")
    work.chat.troubles.append(Trouble(Refused(why=Why.THREAD), call="open_thread"))
    await says(work, "/new Checkout")
    assert work.chat.reads(GROUP)[-1] == (
        f"Checkout\n{NEW}\nI may not open topics here, so it goes on in this one."
        " As an admin who may manage topics, I could."
    )
    await says(work, "after")
    before, after = await work.asked()
    assert before.conversation != after.conversation


async def test_in_a_chat_of_ones_own_nobody_is_told_of_admins(work: AtWork) -> None:
    """Telegram lets a person switch the topics of a private chat off."""
    await work.project()
    work.chat.troubles.append(Trouble(Refused(why=Why.THREAD), call="open_thread"))
    work.chat.writes("/new Checkout", threads=True)
    await work.passes()
    assert work.chat.reads()[-1] == (
        f"Checkout\n{NEW}\nTopics can’t be opened here any more, so it goes on in this chat."
    )


@pytest.mark.parametrize("trouble", [NotSent(), Flood(5.0), Unknown()])
async def test_trouble_on_the_way_loses_no_conversation(work: AtWork, trouble: ChatError) -> None:
    await work.project(room=GROUP)
    work.chat.troubles.append(Trouble(trouble, call="open_thread"))
    await says(work, "/new Checkout")
    await work.passes(10)
    assert work.chat.reads(thread(work, "Checkout")) == [f"Checkout\n{NEW}"]


async def test_killed_before_it_was_opened_it_is_opened_after_a_restart(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    chat.troubles.append(Trouble(None, call="open_thread"))
    async with at_work(tmp_path, chat, clock) as work:
        await work.project(room=GROUP)
        await says(work, "/new Checkout")
        assert chat.threads == {}
    async with at_work(tmp_path, chat, clock) as work:
        await work.passes()
        own = thread(work, "Checkout")
        await says(work, "why?", own)
        (asked,) = await work.asked()
        found = await work.store.read(conversations.get, asked.conversation)
        assert found.title == "Checkout"


async def test_a_fork_has_a_thread_too_and_leaves_the_room_as_it_was(work: AtWork) -> None:
    await work.project(room=GROUP)
    await says(work, "before")
    (started,) = await work.starts()
    await work.tells(started, SessionStarted(SessionId("s-1")))
    await work.ends(started)
    await says(work, "/fork Another way")
    assert thread(work, "Another way").thread
    await says(work, "after")
    before, after = await work.asked()
    assert before.conversation == after.conversation


async def test_where_there_are_no_threads_a_new_conversation_takes_the_place_of_the_old(work: AtWork) -> None:
    await work.project(room=GROUP)
    for text in ("before", "/new", "after"):
        work.chat.writes(text, room=GROUP, alone=False, toward=Toward.US)
        await work.passes()
    before, after = await work.asked()
    assert before.conversation != after.conversation
    assert work.chat.threads == {}
