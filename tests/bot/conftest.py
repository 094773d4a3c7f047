"""A chat account at work, with Ann in her private chat before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import FakeChat
from tests.support.hand_clock import HandClock


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def chat(clock: HandClock) -> FakeChat:
    return FakeChat(clock=clock)


@pytest.fixture
async def work(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[AtWork]:
    async with at_work(tmp_path, chat, clock) as work:
        yield work
    assert chat.intruded == []
