"""An office for each test, in English and in French."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.office import Office, open_office


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[Office]:
    async with open_office(tmp_path) as opened:
        yield opened


@pytest.fixture
async def bureau(tmp_path: Path) -> AsyncIterator[Office]:
    """Where people are spoken to in French."""
    async with open_office(tmp_path, language="fr") as opened:
        yield opened
