"""What a chat takes only as several messages goes one by one: all of it, in its place, nothing twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Divided, NotSent, Refused, Text, Unknown, Why
from tests.support.fake_chat import FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import REPEAT, Post, posting


@pytest.fixture
async def post(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    async with posting(tmp_path, chat, clock) as post:
        yield post


def divided(chat: FakeChat, *words: str) -> Divided:
    return Divided([body for word in words for body in chat.cut(Text(word))])


async def test_each_is_sent_in_the_place_of_the_whole(post: Post) -> None:
    post.chat.troubles = [Trouble(divided(post.chat, "one", "two", "three"))]
    await post.says("album", "after")
    await post.passes(1)
    assert post.chat.reads() == ["one", "two", "three", "after"]


async def test_one_that_surely_did_not_leave_is_sent_once(post: Post) -> None:
    post.chat.troubles = [Trouble(divided(post.chat, "one", "two")), Trouble(NotSent())]
    await post.says("album", "after")
    await post.passes(5)
    assert post.chat.reads() == ["one", "two", "after"]


async def test_one_of_which_nobody_knows_is_repeated_with_its_mark(post: Post) -> None:
    post.chat.troubles = [Trouble(divided(post.chat, "one", "two")), Trouble(Unknown(), arrives=True)]
    await post.says("album", "after")
    await post.passes(5)
    assert post.chat.reads()[:2] == ["one", f"{REPEAT}\n\none"]
    assert [words.split("\n")[-1] for words in post.chat.reads()] == ["one", "one", "two", "after"]


async def test_one_that_is_refused_costs_none_of_the_others(post: Post) -> None:
    post.chat.troubles = [Trouble(divided(post.chat, "one", "two")), Trouble(Refused("no", Why.MEDIA))]
    await post.says("album", "after")
    await post.passes(5)
    assert post.chat.reads() == ["Not taken here.", "two", "after"]


async def test_where_even_the_stand_in_is_refused_the_others_come(post: Post) -> None:
    no = Refused("no", Why.MEDIA)
    post.chat.troubles = [Trouble(divided(post.chat, "one", "two")), Trouble(no), Trouble(no)]
    await post.says("album", "after")
    await post.passes(5)
    assert post.chat.reads() == ["two", "after"]


async def test_one_of_several_can_be_several_itself(post: Post) -> None:
    chat = post.chat
    chat.troubles = [Trouble(divided(chat, "a", "b")), Trouble(divided(chat, "a1", "a2"))]
    await post.says("album", "after")
    await post.passes(5)
    assert chat.reads() == ["a1", "a2", "b", "after"]


async def test_a_restart_between_two_of_them_goes_on_with_the_next(
    tmp_path: Path, chat: FakeChat, clock: HandClock
) -> None:
    async with posting(tmp_path, chat, clock) as post:
        chat.troubles = [Trouble(divided(chat, "one", "two", "three")), Trouble(None, arrives=True)]
        await post.says("album", "after")
        await post.passes(1)
    assert chat.reads() == ["one"]
    async with posting(tmp_path, chat, clock) as post:
        post.outbox.wake()
        await post.passes(5)
    assert [words.split("\n")[-1] for words in chat.reads()] == ["one", "one", "two", "three", "after"]
    assert chat.reads()[1].startswith(REPEAT)
