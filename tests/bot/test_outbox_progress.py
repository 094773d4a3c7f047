"""One message shows a turn: the newest text, at the room's pace, never a second one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Flood, NotSent, Unknown
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import Post, posting


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
    assert chat.reads() == ["0:02", "Done."]


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
