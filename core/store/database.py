"""The SQLite file: opened, upgraded, and used in transactions by one writing and one reading thread.

What is asked many times a second and found at once is read where it is asked: handing it to a thread and back
costs more than the reading.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from core.errors import NO_ROOM, DiskFull, StoreBusy, StoreCorrupt, StoreError
from core.store.folder import made_private
from core.store.migrate import upgrade
from core.store.worker import Worker

P = ParamSpec("P")
T = TypeVar("T")
Db = sqlite3.Connection

logger = logging.getLogger(__name__)

FILE_NAME = "roost.db"
BUSY_SECONDS = 10.0
"""How long a write waits for another program before it is refused with `StoreBusy`."""
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0
MODE_PAUSE = 0.01
SEEN_SECONDS = 0.01
"""For so long one answer to whether somebody has written is good for all who ask."""
CHECKPOINT_PAGES = 200
"""A small write-ahead log, so that a full disk is reached later."""


class Database:
    """A *verb* is a plain function whose first argument is the connection; `write` runs it as one
    transaction, `read` on a snapshot, and `glance` does so in the loop itself.

    Verbs that wait for one another share a commit; each is done wholly or not at all all the same.
    A verb that was begun ends, even if the task that waits for it is cancelled.
    Errors: `StoreBusy` and `DiskFull` (nothing was written, the call can be made again), `StoreCorrupt`,
    `StoreFromFuture`, `StoreError`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = Worker("store-write", self._together)
        self._reading = Worker("store-read")
        self._writer: Db
        self._reader: Db
        self._glancer: Db
        self._opened: AsyncExitStack
        self._grouped = False
        self._version = 0
        self._seen_at = 0.0

    @classmethod
    async def open(cls, data_dir: Path, *, patience: float = BUSY_SECONDS) -> Database:
        """The database of *data_dir*, made or upgraded if need be; an older one is copied first.

        *patience*: seconds that a write waits for another program before it is refused with `StoreBusy`.
        """
        self = cls(data_dir / FILE_NAME)
        async with AsyncExitStack() as opened:
            self._writer = await self._connected(opened, self._writing, _upgraded, patience)
            self._reader = await self._connected(opened, self._reading, _connect, patience)
            self._glancer = opened.enter_context(closing(_connect(self.path, 0.0)))
            self._opened = opened.pop_all()
        return self

    async def write(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *verb* in a transaction of its own: all of it is on the disk when this returns."""

        def transaction() -> T:
            step = _savepoint if self._grouped else _immediate
            with _translated(), step(self._writer):
                return verb(self._writer, *args, **kwargs)

        try:
            return await self._writing.run(transaction, joins=True)
        finally:
            self._seen_at = 0.0

    async def insist(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`write`, again and again while the disk is full or another program holds the file."""
        pause = FIRST_PAUSE
        while True:
            try:
                return await self.write(verb, *args, **kwargs)
            except (StoreBusy, DiskFull) as error:
                if pause == FIRST_PAUSE:
                    logger.warning("cannot write yet, and will try again: %s", error.key)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def read(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run *verb* on one consistent state of the database."""

        return await self._reading.run(lambda: _snapshot(self._reader, verb, *args, **kwargs))

    async def glance(self, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """`read`, in the loop: for a *verb* that looks at a few rows, found by their keys. Where that would
        wait for another program, it is a `read`."""
        try:
            return _snapshot(self._glancer, verb, *args, **kwargs)
        except StoreBusy:
            return await self.read(verb, *args, **kwargs)

    def version(self) -> int:
        """A number that differs whenever anybody has written since: what we wrote shows at once, what
        another process wrote within `SEEN_SECONDS`, however many ask."""
        now = time.monotonic()
        if now - self._seen_at > SEEN_SECONDS:
            self._seen_at = now
            with suppress(StoreBusy), _translated():
                (self._version,) = self._glancer.execute("PRAGMA data_version").fetchone()
        return self._version

    @contextmanager
    def _together(self) -> Iterator[None]:
        """What many write at once is brought to the disk at once: that is what takes most of the time."""
        with _translated(), _immediate(self._writer):
            self._grouped = True
            try:
                yield
            finally:
                self._grouped = False

    async def settled(self) -> None:
        """Wait until every write that was begun has ended, also those that nobody waits for any more."""
        await self._writing.run(lambda: None)

    async def close(self) -> None:
        """Wait for what is being written, then let go of the file."""
        await self._opened.aclose()

    async def _connected(
        self,
        opened: AsyncExitStack,
        thread: Worker,
        connect: Callable[[Path, float], Db],
        patience: float,
    ) -> Db:
        opened.callback(thread.close)
        db = await thread.run(lambda: connect(self.path, patience))
        opened.push_async_callback(thread.run, db.close)
        return db


def _connect(path: Path, patience: float) -> Db:
    with _translated(), ExitStack() as failing:
        made_private(path.parent)
        path.touch(mode=0o600)
        db = sqlite3.connect(path, timeout=patience, isolation_level=None, cached_statements=256)
        failing.callback(db.close)
        db.row_factory = sqlite3.Row
        _write_ahead(db, patience)
        for pragma in (
            "synchronous = FULL",
            "foreign_keys = ON",
            f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
            "cache_size = -2000",
        ):
            db.execute(f"PRAGMA {pragma}")
        failing.pop_all()
        return db


def _write_ahead(db: Db, patience: float) -> None:
    """Where several bring a new file into this mode at once, SQLite waits for none of them: each holds what
    the others want."""
    until = time.monotonic() + patience
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in BUSY_CODES or time.monotonic() > until:
                raise
            time.sleep(MODE_PAUSE)


def _upgraded(path: Path, patience: float) -> Db:
    with _translated(), ExitStack() as failing:
        db = _connect(path, patience)
        failing.callback(db.close)
        upgrade(db, path)
        failing.pop_all()
        return db


@contextmanager
def _immediate(db: Db) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        _still_there(db)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def _savepoint(db: Db) -> Iterator[None]:
    """A transaction within one."""
    _still_there(db)
    db.execute("SAVEPOINT verb")
    try:
        yield
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK TO verb")
            db.execute("RELEASE verb")
        raise
    db.execute("RELEASE verb")


def _still_there(db: Db) -> None:
    """SQLite takes a whole transaction back where the disk is full. Errors: `StoreBusy`."""
    if not db.in_transaction:
        raise StoreBusy


def _snapshot(db: Db, verb: Callable[Concatenate[Db, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    with _translated(), _deferred(db):
        return verb(db, *args, **kwargs)


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
        if error.errno in NO_ROOM:
            raise DiskFull from error
        raise StoreError(why=error.strerror or "") from error
