"""People on the real homeserver, anew for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.matrix.person import People, people
from tests.matrix.synapse import Synapse


@pytest.fixture
def everybody(homeserver: Synapse, tmp_path: Path) -> Iterator[People]:
    with people(homeserver, tmp_path / "people") as everybody:
        yield everybody
