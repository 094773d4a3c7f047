"""Copies of the database: one made while it is in use, one put in its place."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import Refused
from core.files import open_regular
from core.store.health import Health, glance, health

MAGIC = b"SQLite format 3\0"
"""What every database file begins with (https://sqlite.org/fileformat.html)."""
WITH_LOG = b"\2\2"
"""What follows 18 bytes from its start where it is written through a log: one in use, never a copy."""
BESIDE = ("", "-wal", "-shm")
"""A database is the file itself and these beside it."""
SOUND = (Health.SOUND, Health.OLDER, Health.LARGE)
OUR_TABLES = frozenset({"projects", "conversations", "prompts", "messages", "events"})
"""There in every version."""


def copy_to(db: sqlite3.Connection, target: Path, *, replace: bool = False) -> None:
    """Everything that is in *db* at this moment as one file, whole or not at all, in the place of an earlier
    copy only to *replace* it. Errors: `Refused` where *target* is there otherwise, or can't be written."""
    try:
        if _is_part(target, _file_of(db)):
            raise Refused("backup.itself", path=target)
        if target.exists() and not _is_copy(target):
            raise Refused("backup.something_else", path=target)
        if os.path.lexists(target) and not replace:
            raise Refused("backup.there", path=target)
        with _beside(target) as half:
            _copy(db, half)
            half.replace(target) if replace else _put(half, target)
    except OSError as error:
        raise Refused("backup.unwritable", path=target) from error


def _put(half: Path, target: Path) -> None:
    """*half* under the name *target*, which nothing has. Errors: `Refused` where something has it by now."""
    try:
        os.link(half, target)
    except FileExistsError:
        raise Refused("backup.there", path=target) from None
    except OSError:  # a file system without links, such as that of a memory stick
        half.replace(target)


def restore(file: Path, path: Path, *, stamp: str) -> Path | None:
    """Put the backup *file* in the place of the database at *path*, which nobody uses; where the old one is
    kept now, if there was one. Errors: `Refused` if *file* is no sound database, `OSError`."""
    if not file.exists():
        raise Refused("backup.none", path=file)
    if _is_part(file, path):
        raise Refused("restore.itself", path=file)
    if not _is_database(file) or health(file) not in SOUND or not glance(file, _is_ours, False):
        raise Refused("backup.unsound", path=file)
    with _beside(path) as half:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source:
            _copy(source, half)
        kept = _keep(path, path.with_name(f"{path.name}.{stamp}")) if path.exists() else None
        half.replace(path)
    return kept


def _file_of(db: sqlite3.Connection) -> Path:
    return Path(next(file for _, name, file in db.execute("PRAGMA database_list") if name == "main"))


def _is_part(file: Path, database: Path) -> bool:
    """Whether *file*, by whatever name, is *database* or what lies beside it."""
    parts = [Path(f"{database}{suffix}") for suffix in BESIDE]
    return file.exists() and any(part.exists() and part.samefile(file) for part in parts)


def _is_copy(file: Path) -> bool:
    """Whether `copy_to` made it: a database of Roost, which nobody has worked with since."""
    start = _start(file, len(MAGIC) + len(WITH_LOG) + 2)
    return start.startswith(MAGIC) and not start.endswith(WITH_LOG) and glance(file, _is_ours, False)


def _is_database(file: Path) -> bool:
    return _start(file, len(MAGIC)) == MAGIC


def _start(file: Path, size: int) -> bytes:
    try:
        with open_regular(file) as opened:
            return opened.read(size)
    except OSError:
        return b""


def _is_ours(db: sqlite3.Connection) -> bool:
    return {row["name"] for row in db.execute("SELECT name FROM sqlite_schema")} >= OUR_TABLES


def _keep(path: Path, old: Path) -> Path:
    """The database under another name too, with what its log still holds: that must not reach another one."""
    os.link(path, old)
    log = Path(f"{path}-wal")
    if log.exists():
        shutil.copy2(log, f"{old}-wal")
    for suffix in BESIDE[1:]:
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    return old


def _copy(source: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, whatever the source's was
    with target.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A private file in the folder of *target*, gone afterwards unless it was renamed."""
    half = target.with_name(f".{target.name}.{os.getpid()}.half")
    try:
        half.touch(mode=0o600)
        yield half
    finally:
        half.unlink(missing_ok=True)
