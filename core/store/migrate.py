"""Numbered upgrades of the database, each in one transaction, after a copy of what was there."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from core.errors import StoreFromFuture

MIGRATIONS = sorted((Path(__file__).parent / "migrations").glob("*.sql"))
NEWEST = len(MIGRATIONS)


def upgrade(db: sqlite3.Connection, path: Path) -> None:
    """Bring *db* (the file at *path*) to version `NEWEST`; each step is wholly done or not at all.

    Errors: `StoreFromFuture`, and SQLite's own.
    """
    version = _version(db)
    if version > NEWEST:
        raise StoreFromFuture(found=version, known=NEWEST, path=path)
    if 0 < version < NEWEST:
        _copy(db, path.with_name(f"{path.name}.version-{version}"))
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
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
    return statements


def _copy(db: sqlite3.Connection, target: Path) -> None:
    target.unlink(missing_ok=True)
    db.execute("VACUUM INTO ?", (str(target),))
    os.chmod(target, 0o600)
