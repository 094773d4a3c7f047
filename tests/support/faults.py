"""Faults on purpose: a disk without room, and a database that another program has locked."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCKER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(float(sys.argv[2])) if float(sys.argv[2]) else sys.stdin.read()
db.execute("ROLLBACK")
"""


@contextmanager
def lock_held(path: Path, *, seconds: float = 0) -> Iterator[None]:
    """Another process has the database for itself, that long or until the end of the block."""
    words = (sys.executable, "-c", LOCKER, str(path), str(seconds))
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as locker:
        assert locker.stdout is not None
        assert locker.stdout.readline() == b"locked\n"
        yield


@contextmanager
def full_disk(*, after: int) -> Iterator[None]:
    """No file of this process grows beyond *after* bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (after, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
