"""Files that an agent program keeps for itself, such as its sessions: the newest ones of a folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from heapq import nlargest

from core.hosts.port import HostFile

END_READ = 128 * 1024
"""Bytes of each end of a file: a session of weeks is megabytes of what tools said."""
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK | os.O_NOFOLLOW


def newest(folder: str, pattern: str, *, most: int) -> tuple[HostFile, ...]:
    """Regular files alone, newest first; what can't be read is passed over."""
    found = nlargest(most, _matching(folder, pattern))
    return tuple(file for _, name in found for file in _read(folder, name))


def _matching(folder: str, pattern: str) -> Iterator[tuple[float, str]]:
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if fnmatchcase(entry.name, pattern) and entry.is_file(follow_symlinks=False):
                yield entry.stat(follow_symlinks=False).st_mtime, entry.name


def _read(folder: str, name: str) -> Iterator[HostFile]:
    with suppress(OSError):
        file = os.open(os.path.join(folder, name), _READ)
        try:
            facts = os.fstat(file)
            if stat.S_ISREG(facts.st_mode):
                yield HostFile(name, _ends(file, facts.st_size))
        finally:
            os.close(file)


def _ends(file: int, size: int) -> bytes:
    head = os.pread(file, END_READ, 0)
    if size <= len(head):
        return head
    start = max(len(head), size - END_READ)
    tail = os.pread(file, END_READ, start)
    if start == len(head):
        return head + tail
    return head[: head.rfind(b"\n") + 1] + tail[tail.find(b"\n") + 1 :]
