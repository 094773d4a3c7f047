"""A Roost of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.roost import Roost


@pytest.fixture
def roost(tmp_path: Path) -> Roost:
    return Roost(tmp_path / "home")


@pytest.fixture
def shop(roost: Roost) -> Roost:
    """With the project `shop`, and an agent that says «Hi.»"""
    roost.says("Hi.")
    return roost.with_shop()
