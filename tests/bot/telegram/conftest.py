"""Our adapter against a Bot API server of our own, with Ann before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.telegram.rig import Rig, telegram
from tests.telegram.server import BotApi


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    async with BotApi() as api:
        yield api


@pytest.fixture
async def rig(api: BotApi, tmp_path: Path) -> AsyncIterator[Rig]:
    async with telegram(api, tmp_path) as rig:
        yield rig
