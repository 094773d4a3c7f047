"""A database in memory for the verbs, one for each test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from core.store.database import Db
from tests.support.store import connected


@pytest.fixture
def db() -> Iterator[Db]:
    with closing(connected()) as db:
        yield db
