"""Topics and threads of a room that shows the same as others: each is seen there under its title."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import MessageRef, Named
from core.model.prompt import Source
from core.store import conversations
from tests.support.fake_chat import ANN, FakeChat
from tests.support.hand_clock import HandClock
from tests.support.worlds import HERE, THERE, ZOE, Worlds, about_shop, chats, two_worlds

TOPIC = replace(HERE, thread="7")
IN_CART = "Ann, from Telegram, in Cart:\n\nWhy?"


@pytest.fixture
async def worlds(tmp_path: Path, clock: HandClock) -> AsyncIterator[Worlds]:
    """There is a topic here that is called Cart."""
    here, there = chats(clock)
    async with two_worlds(tmp_path, here, there, clock) as worlds:
        await about_shop(worlds)
        yield worlds


async def begins(worlds: Worlds, name: str = "Cart") -> None:
    project = await worlds.work.store.read(lambda db: db.execute("SELECT id FROM projects").fetchone()[0])
    address = (TOPIC.platform, TOPIC.account, TOPIC.chat, TOPIC.thread)
    place = await worlds.work.store.write(conversations.room, *address)
    await worlds.work.store.write(conversations.bind, place.id, project)
    worlds.here.happens(Named(Source("", "", ""), TOPIC, ANN, name))
    await worlds.work.passes(0.3)


@pytest.fixture
async def shared(worlds: Worlds) -> Worlds:
    """It begins once they show the same."""
    await worlds.shares()
    await begins(worlds)
    return worlds


async def asks(worlds: Worlds, words: str = "Why?") -> None:
    worlds.here.writes(words, room=TOPIC)
    await worlds.work.passes(0.3)
    assert await worlds.work.runs_all() == [words]


def told(chat: FakeChat, words: str) -> MessageRef:
    return next(ref for ref, shown in chat.shown.items() if shown.words == words)


async def test_that_is_said_to_who_wants_it_and_to_the_others(worlds: Worlds) -> None:
    await worlds.shares()
    for there in (False, True):
        assert "A topic or a thread that begins from now on" in worlds.reads(there=there)[-1]


async def test_a_turn_in_a_topic_is_seen_in_the_other_room_under_its_title(shared: Worlds) -> None:
    main = shared.reads()
    await asks(shared)
    assert shared.reads(there=True)[-2:] == [IN_CART, "Done."]
    assert shared.here.reads(TOPIC) == ["Done."]
    assert shared.reads() == main


async def test_a_reply_there_goes_on_in_the_topic(shared: Worlds) -> None:
    await asks(shared)
    shared.there.writes("And how?", room=THERE, person=ZOE, reply_to=told(shared.there, IN_CART))
    await shared.work.passes(0.3)
    assert await shared.work.runs_all() == ["And how?"]
    assert shared.here.reads(TOPIC)[-2:] == ["Zoe, from Matrix:\n\nAnd how?", "Done."]
    assert shared.reads(there=True)[-1] == "Done."
    await shared.answered("Go", there=True)
    assert shared.reads()[-1] == "Done."
    one, two, three = await shared.work.asked()
    assert one.conversation == two.conversation != three.conversation


async def test_it_is_stopped_from_there(shared: Worlds) -> None:
    shared.here.writes("Why?", room=TOPIC)
    await shared.work.passes(0.3)
    await shared.work.starts()
    await shared.work.passes(3)
    await shared.presses("Stop", there=True)
    assert (await shared.work.asked())[0].cancelling


async def test_one_that_was_there_before_stays_where_it_is_until_it_begins_anew(worlds: Worlds) -> None:
    """What was said in it nobody agreed to show."""
    await begins(worlds)
    await asks(worlds)
    await worlds.work.passes(1)
    await worlds.shares()
    before = worlds.reads(there=True)
    await asks(worlds)
    assert worlds.reads(there=True) == before
    worlds.here.writes("/new", room=TOPIC)
    await worlds.work.passes(0.3)
    await asks(worlds)
    assert worlds.reads(there=True)[-1] == "Done."


async def test_nothing_of_it_is_shown_once_the_rooms_have_parted(shared: Worlds) -> None:
    await asks(shared)
    first = told(shared.there, IN_CART)
    shared.here.writes("Why?", room=TOPIC)
    await shared.work.passes(0.3)
    (work,) = await shared.work.starts()
    await shared.says("!settings mirror off", there=True)
    before = shared.reads(there=True)
    await shared.work.ends(work)
    await asks(shared)
    assert shared.reads(there=True) == before
    topic = shared.here.reads(TOPIC)
    shared.there.writes("And how?", room=THERE, person=ZOE, reply_to=first)
    await shared.work.passes(0.3)
    assert await shared.work.runs_all() == ["And how?"]
    assert shared.here.reads(TOPIC) == topic


async def test_nor_is_it_asked_again_from_there(shared: Worlds) -> None:
    await asks(shared)
    await shared.says("!settings mirror off", there=True)
    await shared.says("!queue again 1", there=True)
    assert shared.reads(there=True)[-1] == "There is no such message here. !queue shows what waits."
    assert await shared.work.words() == ["Why?"]


async def test_a_topic_can_stay_apart(shared: Worlds) -> None:
    await asks(shared)
    shared.here.writes("/settings mirror off", room=TOPIC)
    await shared.work.passes(0.3)
    assert shared.here.reads(TOPIC)[-1] == "Nothing of this topic is shown elsewhere from now on."
    before = shared.reads(there=True)
    await asks(shared)
    assert shared.reads(there=True) == before
    await shared.answered("Go")
    assert shared.reads(there=True)[-1] == "Done."


async def test_what_was_agreed_to_before_threads_were_shown_means_none(shared: Worlds) -> None:
    await shared.work.store.write(lambda db: db.execute("UPDATE mirrors SET threads = 0").rowcount)
    before = shared.reads(there=True)
    await asks(shared)
    assert shared.reads(there=True) == before


async def test_one_in_the_other_world_is_seen_here_too(shared: Worlds) -> None:
    thread = replace(THERE, thread="$root")
    shared.there.writes("/project shop", room=thread, person=ZOE)
    shared.there.writes("Why?", room=thread, person=ZOE)
    await shared.work.passes(0.5)
    assert await shared.work.runs_all() == ["Why?"]
    assert shared.reads()[-2:] == ["Zoe, from Matrix, in New conversation:\n\nWhy?", "Done."]
