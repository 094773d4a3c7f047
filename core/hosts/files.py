"""Files of a project, opened so that nothing outside it can be reached by any name.

A name is resolved and opened in one step (openat2(2) with RESOLVE_BENEATH), and everything else is asked of
the open descriptor: nobody can swap the file between the check and the read.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath

from core.errors import FileRefused, ProjectMoved
from core.hosts.names import private_key, readings, secret
from core.hosts.port import HostFile

SIZE_MOST = 50 * 1024 * 1024
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
"""Without O_NONBLOCK, opening a named pipe would wait for its writer."""
_SYS_OPENAT2 = 437
"""The same number on every architecture: openat2 came after the tables were joined."""
_NO_MAGICLINKS, _BENEATH = 0x02, 0x08
_BUSY_TRIES = 8
MISSING = (errno.ENOSYS, errno.EPERM)
"""An old kernel, or a container that forbids the call."""
_OUTSIDE = (errno.EXDEV, errno.ELOOP)
_NOT_REGULAR = (errno.ENXIO, errno.EISDIR)
_libc = ctypes.CDLL(None, use_errno=True)


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def find(root: str, ref: str, *, secrets: bool = False, real: str = "") -> HostFile:
    """The first that *ref* can mean. Errors: `ProjectMoved`; `FileRefused`, of the first that is there."""
    with suppress(OSError), project(root, real):
        pass  # before it is asked what lies within
    refusal = FileRefused("file.not_found", name=ref)
    for reading in (*readings(ref), *_at_home(ref)):
        try:
            return _read(root, _relative(root, reading), secrets=secrets, real=real)
        except FileRefused as fault:
            if refusal.key == "file.not_found":
                refusal = fault
    raise refusal


def _at_home(ref: str) -> tuple[str, ...]:
    """As a shell reads it, and we name files to people."""
    return (os.path.expanduser(ref),) if ref.startswith("~/") else ()


def _relative(root: str, path: str) -> str:
    """An absolute path as seen from *root*, whichever of its names both are called by."""
    if not path.startswith("/"):
        return path
    real = os.path.realpath(root)
    for base, name in ((root.rstrip("/"), path), (real, path), (real, os.path.realpath(path))):
        if name.startswith(base + "/"):
            return name[len(base) :].lstrip("/") or "."
    raise FileRefused("file.outside", name=PurePosixPath(path).name)


def _read(root: str, path: str, *, secrets: bool, real: str) -> HostFile:
    name = PurePosixPath(path).name
    with _refusing(name), project(root, real) as top, _descriptor(_open(top, root, path)) as file:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            raise FileRefused("file.not_regular", name=name)
        if facts.st_nlink != 1:
            raise FileRefused("file.outside", name=name)
        there = _real(top, file)
        if not secrets and any(map(secret, (path, there))):
            raise FileRefused("file.secret", name=name)
        data = _whole(file) if facts.st_size <= SIZE_MOST else None
    if data is None or len(data) > SIZE_MOST:
        raise FileRefused("file.too_large", name=name)
    if not secrets and private_key(data):
        raise FileRefused("file.secret", name=name)
    return HostFile(name, data, there, facts.st_mtime)


def _open(top: int, root: str, path: str) -> int:
    """openat2 takes every absolute link for a way out. One that leads back in is followed by us, and what
    it leads to is opened as strictly as anything else."""
    try:
        return open_beneath(top, path)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        real = os.path.realpath(os.path.join(root, path))
        if not real.startswith(os.path.realpath(root) + "/"):
            raise
        return open_beneath(top, _relative(root, real))


def open_beneath(top: int, path: str) -> int:
    """A descriptor for reading *path*; no link and no `..` in it leads out of *top*."""
    how = _OpenHow(_READ, 0, _BENEATH | _NO_MAGICLINKS)
    size = ctypes.c_size_t(ctypes.sizeof(how))
    fault = errno.EAGAIN
    for _ in range(_BUSY_TRIES):
        file = _libc.syscall(_SYS_OPENAT2, top, os.fsencode(path), ctypes.byref(how), size)
        if file >= 0:
            return int(file)
        fault = ctypes.get_errno()
        if fault != errno.EAGAIN:  # a rename somewhere while `..` was resolved
            break
    if fault in MISSING:
        return open_walking(top, path)
    raise OSError(fault, os.strerror(fault))


def open_walking(top: int, path: str) -> int:
    """The same where openat2 is missing: component by component, and no link at all is followed."""
    *parents, last = PurePosixPath(path).parts or (".",)
    if ".." in (*parents, last):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    here = os.dup(top)
    try:
        for part in parents:
            deeper = os.open(part, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=here)
            os.close(here)
            here = deeper
        return os.open(last, _READ | os.O_NOFOLLOW, dir_fd=here)
    finally:
        os.close(here)


@contextmanager
def project(root: str, real: str) -> Iterator[int]:
    """A descriptor of a project's directory, which has to be *real*, if that is known.
    Errors: `ProjectMoved`, `OSError`."""
    with directory(root) as top:
        there = os.readlink(f"/proc/self/fd/{top}")
        if real and there != real:
            raise ProjectMoved(path=root, real=there)
        yield top


@contextmanager
def directory(path: str, *, within: int | None = None) -> Iterator[int]:
    """A descriptor of a directory; one that lies *within* another is refused if it is a link."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | (0 if within is None else os.O_NOFOLLOW)
    with _descriptor(os.open(path, flags, dir_fd=within)) as handle:
        yield handle


@contextmanager
def _descriptor(handle: int) -> Iterator[int]:
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        if fault.errno in _OUTSIDE:
            raise FileRefused("file.outside", name=name) from fault
        if fault.errno in _NOT_REGULAR:
            raise FileRefused("file.not_regular", name=name) from fault
        raise FileRefused("file.not_found", name=name) from fault


def _real(top: int, file: int) -> str:
    """Where the open file lies beneath *top*, all links resolved: `picture.png` may lead to `.env`."""
    return os.path.relpath(os.readlink(f"/proc/self/fd/{file}"), os.readlink(f"/proc/self/fd/{top}"))


def _whole(file: int) -> bytes:
    """The file's bytes, at most one more than may be sent: it may grow while it is read."""
    parts = []
    left = SIZE_MOST + 1
    while left and (part := os.read(file, min(left, 1024 * 1024))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
