"""What is said in the log of chats that take no more for a while."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Flood
from tests.support.fake_chat import ROOM, FakeChat, Trouble
from tests.support.hand_clock import HandClock
from tests.support.post import Post, posting


@pytest.fixture
async def post(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[Post]:
    async with posting(tmp_path, chat, clock) as post:
        yield post


async def test_a_room_that_is_held_back_is_told_in_the_log_once(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.gates")
    for number in range(3):  # as where a chat takes one in five seconds
        post.chat.troubles = [Trouble(Flood(4.464), room=ROOM)]
        await post.says(str(number))
        await post.passes(6)
    await post.passes(60)
    await post.says("at last")
    await post.passes(1)
    assert [record.message for record in caplog.records] == [
        f"fake: room {ROOM.chat} is held back: too much was sent, 4 s to wait",
        f"fake: room {ROOM.chat} goes on",
    ]
