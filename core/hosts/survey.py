"""The files by which a project speaks to agent programs, read so that they can do no harm."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

from core.errors import ProjectMoved
from core.hosts.files import open_beneath, project
from core.hosts.names import secret
from core.model.repository import Survey, WatchedFile
from core.repository.places import FILES, FOLDERS, SAMPLE

SIZE_MOST = 64 * 1024
ALL_MOST = 2 * 1024 * 1024
"""Bytes of one file, and of all together; what is beyond is there, and unread."""
ENTRIES_MOST = 64
_ABSENT = (errno.ENOENT, errno.ENOTDIR)


@dataclass(frozen=True, slots=True)
class _Seen:
    """*facts* tell one state of it from another; *readable*: a small regular file of the project's own."""

    path: str
    facts: str
    readable: bool = False
    runs: bool = False


def survey(root: str, known: str, *, real: str = "") -> Survey | None:
    """The watched files beneath *root*; None where they are as they were when *known* was their mark, or
    where there is no such directory any more. Without a change, nothing is read."""
    with suppress(OSError, ProjectMoved), project(root, real) as top:
        seen = sorted(_look(top), key=lambda one: one.path)
        mark = _mark(top, seen)
        return None if mark == known else Survey(mark, tuple(_read(top, seen)))
    return None


def _mark(top: int, seen: list[_Seen]) -> str:
    place = os.fstat(top)
    facts = (f"{place.st_dev}:{place.st_ino}", *(f"{one.path}\0{one.facts}" for one in seen))
    return sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _look(top: int) -> Iterator[_Seen]:
    for path in FILES:
        yield from _stat(top, path)
    for folder in FOLDERS:
        yield from _entries(top, folder)


def _entries(top: int, folder: str) -> Iterator[_Seen]:
    try:
        handle = open_beneath(top, folder)
    except OSError as fault:
        if fault.errno not in _ABSENT:
            yield _Seen(folder, f"error {fault.errno}")
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            return
        names = _names(handle)
    finally:
        os.close(handle)
    if names is None:
        yield _Seen(folder, "too many")
        return
    for name in names:
        if f"{folder}/{name}" not in FILES:
            yield from _stat(top, f"{folder}/{name}")


def _names(folder: int) -> list[str] | None:
    """What lies in *folder*; None where that is too much to look at."""
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SAMPLE):
                continue
            if len(names) == ENTRIES_MOST:
                return None
            names.append(entry.name)
    return names


def _stat(top: int, path: str) -> Iterator[_Seen]:
    """Nothing for what is not there, and for a directory."""
    try:
        handle = open_beneath(top, path)
    except OSError as fault:
        if fault.errno not in _ABSENT:
            yield _Seen(path, f"error {fault.errno}")
        return
    try:
        facts, place = os.fstat(handle), _place(top, handle)
    finally:
        os.close(handle)
    if stat.S_ISDIR(facts.st_mode):
        return
    own = stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1 and (place == path or not secret(place))
    state = f"{facts.st_ino}:{facts.st_size}:{facts.st_mtime_ns}:{facts.st_ctime_ns}:{facts.st_mode}:{place}"
    yield _Seen(path, state, own and facts.st_size <= SIZE_MOST, bool(facts.st_mode & 0o111))


def _place(top: int, handle: int) -> str:
    """Where the open file lies beneath *top*, all links resolved."""
    return os.path.relpath(os.readlink(f"/proc/self/fd/{handle}"), os.readlink(f"/proc/self/fd/{top}"))


def _read(top: int, seen: list[_Seen]) -> Iterator[WatchedFile]:
    left = ALL_MOST
    for one in seen:
        data = _bytes(top, one.path) if one.readable and left > 0 else None
        left -= len(data or b"")
        yield WatchedFile(one.path, data, one.runs, one.facts)


def _bytes(top: int, path: str) -> bytes | None:
    """None where it has become something else since it was looked at."""
    try:
        handle = open_beneath(top, path)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        data = os.read(handle, SIZE_MOST + 1)
    except OSError:
        return None
    finally:
        os.close(handle)
    return data if len(data) <= SIZE_MOST else None
