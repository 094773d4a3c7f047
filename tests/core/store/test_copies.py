"""Backups: whole, private, and never in the way of what is there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from core.errors import Refused
from core.store import copies
from core.store.database import Database
from core.store.health import Health, glance, health
from core.store.migrate import NEWEST
from tests.support.store import connected


def projects_in(path: Path) -> list[str]:
    def names(db: sqlite3.Connection) -> list[str]:
        return [row["name"] for row in db.execute("SELECT name FROM projects ORDER BY id")]

    return glance(path, names, ["unreadable"])


async def add(store: Database, name: str) -> None:
    def insert(db: sqlite3.Connection) -> None:
        db.execute(
            "INSERT INTO projects (name, path, engine, access, created_at)"
            " VALUES (?, '/', 'demo', 'full', 0)",
            (name,),
        )

    await store.write(insert)


async def test_a_copy_is_the_database_at_that_moment(tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    store = await Database.open(tmp_path / "data")
    await add(store, "one")
    await store.read(copies.copy_to, target)
    await add(store, "two")
    assert projects_in(target) == ["one"]
    with pytest.raises(Refused, match=r"backup\.there"):
        await store.read(copies.copy_to, target)
    assert projects_in(target) == ["one"]
    await store.read(partial(copies.copy_to, replace=True), target)
    await store.close()
    assert projects_in(target) == ["one", "two"]
    assert health(target) is Health.SOUND
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("place", ["notes.txt", "none/copy.db", "."])
async def test_a_copy_writes_over_nothing_else(tmp_path: Path, place: str) -> None:
    (tmp_path / "notes.txt").write_text("my notes")
    store = await Database.open(tmp_path / "data")
    with pytest.raises(Refused):
        await store.read(copies.copy_to, tmp_path / place)
    await store.close()
    assert (tmp_path / "notes.txt").read_text() == "my notes"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "notes.txt"]


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
async def test_a_copy_never_takes_the_place_of_the_database_itself(tmp_path: Path, suffix: str) -> None:
    store = await Database.open(tmp_path / "data")
    await add(store, "one")
    part = tmp_path / "data" / f"roost.db{suffix}"
    (tmp_path / "soft.db").symlink_to(part)
    (tmp_path / "hard.db").hardlink_to(part)
    for name in (part, tmp_path / "soft.db", tmp_path / "hard.db", tmp_path / "data" / ".." / "hard.db"):
        with pytest.raises(Refused, match=r"backup\.itself"):
            await store.read(partial(copies.copy_to, replace=True), name)
        with pytest.raises(Refused, match=r"restore\.itself"):
            copies.restore(name, tmp_path / "data" / "roost.db", stamp="then")
    await add(store, "two")
    await store.close()
    assert projects_in(tmp_path / "data" / "roost.db") == ["one", "two"]


async def test_a_copy_takes_the_place_of_copies_only(tmp_path: Path) -> None:
    """Neither of somebody's own databases nor of one that another Roost works with."""
    photos = tmp_path / "photos.sqlite"
    with closing(sqlite3.connect(photos)) as db:
        db.execute("CREATE TABLE t (name)")
        db.commit()
    before = photos.read_bytes()
    other, store = await Database.open(tmp_path / "other"), await Database.open(tmp_path / "data")
    for target in (photos, tmp_path / "other" / "roost.db"):
        with pytest.raises(Refused, match=r"backup\.something_else"):
            await store.read(partial(copies.copy_to, replace=True), target)
    await add(other, "one")
    await other.close()
    await store.close()
    assert photos.read_bytes() == before
    assert projects_in(tmp_path / "other" / "roost.db") == ["one"]


async def test_a_restored_database_does_not_hear_the_log_of_the_one_before(tmp_path: Path) -> None:
    """The old one's last words stand in its `-wal` only, as after a crash."""
    path, backup = tmp_path / "data" / "roost.db", tmp_path / "copy.db"
    store = await Database.open(tmp_path / "data")
    await add(store, "one")
    await store.read(copies.copy_to, backup)
    await add(store, "two")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for file in (tmp_path / "data").glob("roost.db*"):
        (crashed / file.name).write_bytes(file.read_bytes())
    await store.close()

    kept = copies.restore(backup, crashed / "roost.db", stamp="then")
    assert kept == crashed / "roost.db.then"
    assert projects_in(crashed / "roost.db") == ["one"]
    assert projects_in(kept) == ["one", "two"]
    assert projects_in(path) == ["one", "two"]


def test_a_restore_needs_a_sound_file_and_no_database(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(copies.MAGIC + b"x" * 5000)
    for name in ("broken.db", "none.db"):
        with pytest.raises(Refused):
            copies.restore(tmp_path / name, tmp_path / "roost.db", stamp="then")
    assert not (tmp_path / "roost.db").exists()
    with closing(sqlite3.connect(tmp_path / "empty.db")) as db:
        db.execute(f"PRAGMA user_version = {NEWEST}")
    with pytest.raises(Refused):
        copies.restore(tmp_path / "empty.db", tmp_path / "roost.db", stamp="then")
    connected(tmp_path / "new.db").close()
    assert copies.restore(tmp_path / "new.db", tmp_path / "roost.db", stamp="then") is None
    assert health(tmp_path / "roost.db") is Health.SOUND


def test_a_glance_at_what_is_no_database_of_ours_gives_what_was_asked_for_instead(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database")
    sqlite3.connect(tmp_path / "empty.db").close()
    for name in ("text.db", "empty.db", "none.db"):
        assert projects_in(tmp_path / name) == ["unreadable"]
    assert not (tmp_path / "none.db").exists()
