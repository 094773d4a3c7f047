"""The SQLite file: opened, upgraded, and used in transactions by one writing and one reading thread."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from core.errors import DiskFull, StoreBusy, StoreCorrupt, StoreError
from core.store.migrate import upgrade

P = ParamSpec("P")
T = TypeVar("T")
Db = sqlite3.Connection

FILE_NAME = "roost.db"
BUSY_SECONDS = 10.0
"""How long a write waits for another program before it is refused with `StoreBusy`."""
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
CHECKPOINT_PAGES = 200
"""A small write-ahead log, so that a full disk is reached later."""


class Database:
    """A *verb* is a plain function whose first argument is the connection; `write` runs it as one
    transaction, `read` on a snapshot.

    A verb that was begun ends, even if the task that waits for it is cancelled.
    Errors: `StoreBusy` and `DiskFull` (nothing was written, the call can be made again), `StoreCorrupt`,
    `StoreFromFuture`, `StoreError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = ThreadPoolExecutor(1, "store-write")
        self._reading = ThreadPoolExecutor(1, "store-read")
        self._writer: Db
        self._reader: Db

    @classmethod
    async def open(cls, data_dir: Path) -> Database:
        """The database of *data_dir*, made or upgraded if need be; an older one is copied first."""
        self = cls(data_dir / FILE_NAME)
        loop = asyncio.get_running_loop()
        try:
            self._writer = await loop.run_in_executor(self._writing, _connect, self.path)
            await loop.run_in_executor(self._writing, _guarded, upgrade, self._writer, self.path)
            self._reader = await loop.run_in_executor(self._reading, _connect, self.path)
        except BaseException:
            self._shut()
            raise
        return self

    async def write(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *verb* in a transaction of its own: all of it is on the disk when this returns."""

        def transaction() -> T:
            with _translated(), _immediate(self._writer):
                return verb(self._writer, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._writing, transaction)

    async def insist(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write`, again and again while the disk is full or another program holds the file."""
        pause = FIRST_PAUSE
        while True:
            try:
                return await self.write(verb, *args, **kwargs)
            except (StoreBusy, DiskFull):
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def read(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *verb* on one consistent state of the database."""

        def snapshot() -> T:
            with _translated(), _deferred(self._reader):
                return verb(self._reader, *args, **kwargs)

        return await asyncio.get_running_loop().run_in_executor(self._reading, snapshot)

    async def version(self) -> int:
        """A number that differs whenever somebody, in any process, has written since."""

        def data_version() -> int:
            with _translated():
                return int(self._reader.execute("PRAGMA data_version").fetchone()[0])

        return await asyncio.get_running_loop().run_in_executor(self._reading, data_version)

    async def close(self) -> None:
        """Wait for what is being written, then let go of the file."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._reading, self._reader.close)
        await loop.run_in_executor(self._writing, self._writer.close)
        self._shut()

    def _shut(self) -> None:
        self._writing.shutdown(wait=False)
        self._reading.shutdown(wait=False)


def _connect(path: Path) -> Db:
    with _translated():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, cached_statements=256)
        db.row_factory = sqlite3.Row
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
            "cache_size = -2000",
        ):
            db.execute(f"PRAGMA {pragma}")
        return db


def _guarded(action: Callable[[Db, Path], None], db: Db, path: Path) -> None:
    with _translated():
        action(db, path)


@contextmanager
def _immediate(db: Db) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def _deferred(db: Db) -> Iterator[None]:
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


FULL_CODES = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE})
BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
DAMAGED_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


@contextmanager
def _translated() -> Iterator[None]:
    """SQLite's errors in our words (codes: https://sqlite.org/rescode.html; the low byte is the kind)."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        if code in FULL_CODES:
            raise DiskFull from error
        if code & 0xFF in BUSY_CODES:
            raise StoreBusy from error
        if code & 0xFF in DAMAGED_CODES:
            raise StoreCorrupt from error
        raise StoreError(why=str(error)) from error
    except OSError as error:
        raise StoreError(why=error.strerror or "") from error
