"""Kernel file locks: whoever dies lets go, however it died."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

SERVICE = "service.lock"
DISPATCH = "dispatch.lock"
COMPANY = "company.lock"


class FileLock:
    """An exclusive lock on a file that is made for it; held until `release` or the process's end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @property
    def held(self) -> bool:
        return self._file is not None

    def acquire(self) -> bool:
        """Take it if nobody has it; whether it is ours now."""
        if self._file is not None:
            return True
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def is_held(path: Path) -> bool:
    """Whether some process holds the lock right now."""
    probe = FileLock(path)
    if probe.acquire():
        probe.release()
        return False
    return True


class Company:
    """Any number of programs at a time, each of which takes up what waits if no other does; while inside,
    this is one of them."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / COMPANY
        self._file = -1

    def __enter__(self) -> Self:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_SH)
        return self

    def __exit__(self, *failed: object) -> None:
        os.close(self._file)

    @property
    def others(self) -> bool:
        """Whether there is another one right now."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            fcntl.flock(self._file, fcntl.LOCK_SH)  # one that was not to be had took this one with it
        return False
