"""Kernel file locks: whoever dies lets go, however it died."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

SERVICE = "service.lock"
DISPATCH = "dispatch.lock"


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
