"""Numbered upgrades of the database, each in one transaction, after a copy of what was there."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from core.errors import StoreFromFuture

MIGRATIONS = sorted((Path(__file__).parent / "migrations").glob("*.sql"))
NEWEST = len(MIGRATIONS)


def upgrade(db: sqlite3.Connection, path: Path, *, migrations: Sequence[Path] = MIGRATIONS) -> None:
    """Bring *db* (the file at *path*) to the newest version; each step is wholly done or not at all.

    Errors: `StoreFromFuture`, and SQLite's own.
    """
    version, newest = _version(db), len(migrations)
    if version > newest:
        raise StoreFromFuture(found=version, known=newest, path=path)
    if 0 < version < newest:
        _copy(db, version, path.with_name(f"{path.name}.version-{version}"))
    for number, script in enumerate(migrations[version:], start=version + 1):
        _step(db, number, script.read_text(encoding="utf-8"))


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _step(db: sqlite3.Connection, number: int, script: str) -> None:
    """Two programs may arrive here together: the second finds the step done."""
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db) < number:
            for statement in _statements(script):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {number}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _statements(script: str) -> list[str]:
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending)
            pending = ""
    return [*statements, pending]


def _copy(db: sqlite3.Connection, version: int, target: Path) -> None:
    """Keep what is there as *target*, whole or not at all; not if another program has upgraded it since."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        db.execute("VACUUM INTO ?", (str(part),))
        os.chmod(part, 0o600)
        with closing(sqlite3.connect(part)) as copy:
            if _version(copy) == version:
                part.replace(target)
    finally:
        part.unlink(missing_ok=True)
