"""A server with Ann and a plain client, for each test that asks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.telegram.client import Client, Clock, client
from tests.telegram.server import BotApi, Person


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def api(clock: Clock) -> AsyncIterator[BotApi]:
    async with BotApi(clock) as api:
        yield api


@pytest.fixture
async def bot(api: BotApi) -> AsyncIterator[Client]:
    async with client(api) as bot:
        yield bot


@pytest.fixture
def ann(api: BotApi) -> Person:
    """The owner, who has started the bot."""
    person = api.person()
    person.writes("/start")
    return person
