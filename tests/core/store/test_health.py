"""A database's health is told from the real file, which stays as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.store.health import Health, health

NEWEST = 3


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "roost.db"


def made(path: Path, *, version: int = NEWEST, rows: int = 10) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)")
        db.execute("CREATE INDEX by_word ON words (word)")
        db.executemany("INSERT INTO words (word) VALUES (?)", ((f"word {n}",) for n in range(rows)))
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()
    return path


def test_no_file_is_a_database_that_is_yet_to_be_made(path: Path) -> None:
    assert health(path, newest=NEWEST) is Health.NONE_YET
    assert not path.exists()


@pytest.mark.parametrize(
    ("version", "found"), [(0, Health.OLDER), (2, Health.OLDER), (3, Health.SOUND), (4, Health.NEWER)]
)
def test_the_version_decides_whether_it_can_be_used(path: Path, version: int, found: Health) -> None:
    assert health(made(path, version=version), newest=NEWEST) is found


def test_looking_changes_nothing(path: Path) -> None:
    before = made(path).read_bytes()
    health(path, newest=NEWEST)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is a text and no database" * 100, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_what_is_no_database_is_damaged(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert health(path, newest=NEWEST) is Health.DAMAGED


def test_a_torn_page_is_damage(path: Path) -> None:
    made(path, rows=5_000)
    with path.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 8192)
    assert health(path, newest=NEWEST) is Health.DAMAGED


def test_a_file_cut_short_is_damage(path: Path) -> None:
    made(path, rows=5_000)
    with path.open("r+b") as file:
        file.truncate(2 * 4096)
    assert health(path, newest=NEWEST) is Health.DAMAGED


def test_a_folder_in_its_place_cannot_be_read(path: Path) -> None:
    path.mkdir()
    assert health(path, newest=NEWEST) is Health.UNREADABLE


@pytest.fixture
def held(path: Path) -> Iterator[Path]:
    """A database that another connection keeps to itself."""
    with closing(sqlite3.connect(made(path), isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN EXCLUSIVE")
        yield path


def test_a_database_that_another_program_holds_is_busy(held: Path) -> None:
    assert health(held, newest=NEWEST, within=0.05) is Health.BUSY


def test_a_writer_at_work_is_no_hindrance(path: Path) -> None:
    with closing(sqlite3.connect(made(path), isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM words")
        assert health(path, newest=NEWEST) is Health.SOUND


def test_a_large_database_is_read_for_a_bounded_time(path: Path) -> None:
    made(path, rows=200_000)
    assert health(path, newest=NEWEST, within=0.0) is Health.LARGE
