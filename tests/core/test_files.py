"""Only what has an end is read, and only as much as was meant."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.files import open_regular, read_regular


def test_a_file_is_read_through_links(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_regular(tmp_path / "link", most=5) == b"12345"
    with open_regular(tmp_path / "file") as file:
        assert file.read(2) == b"12"


def test_what_is_larger_than_was_meant_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    with pytest.raises(OSError, match="File too large"):
        read_regular(tmp_path / "file", most=4)


@pytest.mark.parametrize("place", ["pipe", ".", "none", "/dev/zero", "/dev/null"])
def test_what_is_no_file_is_refused_at_once(tmp_path: Path, place: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError):
        read_regular(tmp_path / place, most=10)
    assert len(os.listdir("/proc/self/fd")) == before
