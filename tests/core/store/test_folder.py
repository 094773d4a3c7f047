"""Whose folder it is decides whether anything is kept there."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import StoreError
from core.store.folder import made_private


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o7777


def test_it_is_made_closed_and_one_that_is_open_is_closed(tmp_path: Path) -> None:
    made_private(tmp_path / "new" / "data")
    assert mode(tmp_path / "new" / "data") == 0o700
    (tmp_path / "open").mkdir(mode=0o755)
    made_private(tmp_path / "open")
    assert mode(tmp_path / "open") == 0o700


def test_one_for_everybody_stays_as_it_is(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    with pytest.raises(StoreError):
        made_private(shared)
    assert mode(shared) == 0o1777


def test_what_can_be_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="no_folder"):
        made_private(tmp_path / "file")
