"""Files that a person has named, opened so that nothing can hold us up or fill the memory."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path) -> BinaryIO:
    """The regular file at *path*, to read. Errors: `OSError`, also for anything else that is there: a pipe
    waits for a writer, a device may have no end."""
    return open(path, "rb", opener=_regular)


def read_regular(path: Path, *, most: int) -> bytes:
    """The whole of a regular file of at most that many bytes. Errors: `OSError`, also for a larger one."""
    with open_regular(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def _regular(path: str, flags: int) -> int:
    file = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
