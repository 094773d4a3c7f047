"""One message shows a turn: the newest text, at the room's pace, never a second one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.chat import Flood, NotSent, Refused, Unknown, Why
from core.store import deliveries
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import TOPIC, Post, posting


@pytest.fixture
async def post(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    async with posting(tmp_path, chat, clock) as post:
        yield post
    assert chat.intruded == []


async def test_finals_come_before_progress(post: Post) -> None:
    prompt = await post.prompt()
    post.chat.troubles = [Trouble(Flood(5.0))]
    post.shows(prompt, "0:02")
    await post.passes(0)
    await post.says("one", "two")
    await post.passes(6)
    assert post.chat.reads() == ["one", "two", "0:02"]


async def test_the_newest_progress_wins_at_the_pace_of_the_room(post: Post) -> None:
    prompt = await post.prompt()
    for second in range(3):
        post.shows(prompt, f"0:0{second}")
        await post.passes(0.3, step=0.1)
    assert post.chat.reads() == ["0:00"]
    await post.passes(1, step=0.1)
    assert (post.chat.reads(), post.chat.calls("edit")) == (["0:02"], ["0:02"])


async def test_what_says_the_same_is_not_edited(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(2)
    post.shows(prompt, "0:03")
    await post.passes(2)
    for words in ("0:04", "0:03", "0:03"):
        post.shows(prompt, words)
    await post.passes(5)
    assert post.chat.calls("send", "edit") == ["0:02", "0:03"]


async def test_several_turns_in_a_room_share_its_pace(post: Post) -> None:
    first, second = await post.prompt(), await post.prompt()
    for tick in range(20):
        post.shows(first, f"first {tick}")
        post.shows(second, f"second {tick}")
        await post.passes(0.5)
    edits = post.chat.calls("edit")
    assert 8 <= len(edits) <= 11
    assert abs(sum(words.startswith("first") for words in edits) * 2 - len(edits)) <= 1


async def test_a_flood_makes_this_turn_slower_and_a_dead_network_does_not(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:00")
    await post.passes(1)
    post.chat.troubles = [Trouble(NotSent()) for _ in range(6)]
    post.shows(prompt, "0:01")
    await post.passes(40)
    assert post.chat.reads() == ["0:01"]
    post.shows(prompt, "0:02")
    await post.passes(1)
    assert post.chat.reads() == ["0:02"]
    post.chat.troubles = [Trouble(Flood(3.0))]
    await post.passes(1)
    post.shows(prompt, "0:03")
    await post.passes(4)
    post.shows(prompt, "0:04")
    await post.passes(0.5)
    assert post.chat.reads() == ["0:03"]
    await post.passes(0.6)
    assert post.chat.reads() == ["0:04"]


async def test_what_is_left_of_a_turn_stands_where_it_was_shown(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(1)
    post.shows(prompt, "0:04")
    await post.ends(prompt, "Done.")
    await post.passes(5)
    assert post.chat.reads() == ["✓ 0:04", "Done."]


async def test_progress_that_may_be_there_never_becomes_a_second_message(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    chat.troubles = [Trouble(Unknown(), call="send", arrives=True)]
    async with posting(tmp_path, chat, clock) as post:
        prompt = await post.prompt()
        post.shows(prompt, "0:02")
        await post.passes(5)
    async with posting(tmp_path, chat, clock) as post:
        post.shows(prompt, "0:08")
        await post.passes(5)
        await post.ends(prompt, "Done.")
        await post.passes(1)
    assert chat.reads() == ["0:02", "Done.", "✓ 0:04 Ended."]
    assert chat.rung == ["Done."]


async def test_a_message_that_nobody_can_change_is_not_mentioned_where_it_surely_is_not_there(
    post: Post,
) -> None:
    prompt = await post.prompt()
    post.chat.troubles = [Trouble(Refused(why=Why.THREAD), call="send")]
    post.shows(prompt, "0:02")
    await post.passes(1)
    await post.ends(prompt, "Done.")
    await post.passes(1)
    assert post.chat.reads() == ["Done."]


async def test_what_can_be_neither_folded_nor_taken_away_is_told_to_have_ended(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(1)
    post.chat.troubles = [Trouble(Refused("no"), call="edit"), Trouble(Refused("no"), call="delete")]
    await post.ends(prompt, "Done.")
    await post.passes(1)
    assert post.chat.reads() == ["0:02", "Done.", "✓ 0:04 Ended."]


async def test_what_could_not_be_folded_while_the_room_was_closed_to_us_is_folded_later(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(1)
    post.chat.troubles = [Trouble(Refused(why=Why.FORBIDDEN), call="edit")]
    await post.ends(prompt, "Done.")
    await post.passes(1)
    assert post.chat.reads() == ["0:02", "Done."]
    await post.store.write(deliveries.owe, await post.room())
    post.outbox.wake()
    await post.passes(1)
    assert post.chat.reads() == ["✓ 0:04", "Done."]


async def test_what_waits_for_a_platform_goes_once_that_answers_again(post: Post) -> None:
    """A flood, though, is waited out."""
    post.chat.troubles = [Trouble(NotSent()) for _ in range(6)]
    await post.says("one")
    await post.passes(20)
    assert post.chat.reads() == []
    post.outbox.reached()
    await post.passes(0)
    assert post.chat.reads() == ["one"]
    post.chat.troubles = [Trouble(Flood(600.0))]
    await post.says("two")
    await post.passes(0)
    post.outbox.reached()
    await post.passes(60)
    assert post.chat.reads() == ["one"]


async def test_the_topics_of_a_chat_share_its_pace(post: Post) -> None:
    rooms = [replace(TOPIC, thread=thread) for thread in ("", "7", "8")]
    turns = {room: await post.prompt(room) for room in rooms}
    for tick in range(60):
        for room, prompt in turns.items():
            post.shows(prompt, f"{room.thread or 'main'} {tick}", room)
        await post.passes(0.25, step=0.25)
    edits = post.chat.calls("edit")
    assert 11 <= len(edits) <= 15
    shares = [sum(words.startswith(name) for words in edits) for name in ("main", "7", "8")]
    assert max(shares) - min(shares) <= 1


async def test_progress_that_surely_is_not_there_is_sent_again(post: Post) -> None:
    prompt = await post.prompt()
    post.chat.troubles = [Trouble(NotSent(), call="send")]
    post.shows(prompt, "0:02")
    await post.passes(3)
    assert post.chat.reads() == ["0:02"]


async def test_one_message_shows_a_turn_also_across_restarts(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with posting(tmp_path, chat, clock) as post:
        prompt = await post.prompt()
        post.shows(prompt, "0:02")
        await post.passes(1)
    chat.troubles = [Trouble(None, call="edit")]
    for words in ("0:03", "0:09"):
        async with posting(tmp_path, chat, clock) as post:
            post.shows(prompt, words)
            await post.passes(1)
    assert chat.reads() == ["0:09"]


async def test_killed_while_progress_is_on_its_way_it_is_not_shown_twice(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    prompt = None
    chat.troubles = [Trouble(None, call="send", arrives=True)]
    for words in ("0:02", "0:09"):
        async with posting(tmp_path, chat, clock) as post:
            prompt = prompt or await post.prompt()
            post.shows(prompt, words)
            await post.passes(1)
    assert chat.reads() == ["0:02"]
    async with posting(tmp_path, chat, clock) as post:
        await post.ends(prompt, "Done.") if prompt else None
        await post.passes(1)
    assert chat.reads() == ["0:02", "Done.", "✓ 0:04 Ended."]


async def test_progress_whose_message_is_gone_is_left_alone(post: Post) -> None:
    prompt = await post.prompt()
    post.shows(prompt, "0:02")
    await post.passes(1)
    await post.chat.delete(ROOM, next(iter(post.chat.shown)))
    post.shows(prompt, "0:03")
    await post.passes(2)
    post.shows(prompt, "0:05")
    await post.passes(2)
    await post.ends(prompt, "Done.")
    await post.passes(1)
    assert post.chat.reads() == ["Done."]
