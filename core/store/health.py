"""How a database file fares, found out without changing it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from core.store.migrate import NEWEST

T = TypeVar("T")

STEPS_BETWEEN_LOOKS = 10_000
GLANCE_SECONDS = 1.0
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Health(StrEnum):
    NONE_YET = "none_yet"
    SOUND = "sound"
    OLDER = "older"
    LARGE = "large"
    """Sound as far as it was read in the time given."""
    NEWER = "newer"
    DAMAGED = "damaged"
    BUSY = "busy"
    UNREADABLE = "unreadable"


def health(path: Path, *, newest: int = NEWEST, within: float = 5.0) -> Health:
    """How the database at *path* fares, read for at most *within* seconds. Blocks; for a thread."""
    if not os.path.exists(path):
        return Health.NONE_YET
    if not os.path.isfile(path):  # to open a pipe waits for whoever writes to it
        return Health.UNREADABLE
    try:
        with closing(_opened(path, within)) as db:
            return _examined(db, newest, time.monotonic() + within)
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the kind, the rest its detail
        if code == sqlite3.SQLITE_INTERRUPT:
            return Health.LARGE
        if code in BUSY:
            return Health.BUSY
        return Health.DAMAGED if code in DAMAGED else Health.UNREADABLE


def glance(path: Path, verb: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
    """What *verb* reads in the database at *path*; *otherwise* where it can't."""
    if not os.path.isfile(path):
        return otherwise
    try:
        with closing(_opened(path, GLANCE_SECONDS)) as db:
            db.row_factory = sqlite3.Row
            return verb(db)
    except (sqlite3.Error, LookupError, ValueError):  # none, in use, or of another version
        return otherwise


def _opened(path: Path, patience: float) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=patience)


def _examined(db: sqlite3.Connection, newest: int, deadline: float) -> Health:
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        return Health.NEWER
    db.set_progress_handler(lambda: time.monotonic() > deadline, STEPS_BETWEEN_LOOKS)
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        return Health.DAMAGED
    return Health.OLDER if version < newest else Health.SOUND
