"""What people send, kept in the project where its agent can read it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from core.errors import FileRefused, ProjectGone
from core.hosts.files import directory, project
from core.hosts.names import numbered, safe

FOLDER, INBOX = ".roost", "inbox"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def put(root: str, name: str, data: bytes, *, real: str = "") -> str:
    """Keep *data* under a name of its own; the absolute path. Errors: `ProjectGone`, `ProjectMoved`,
    `FileRefused` where the folder is a link that may lead anywhere, `OSError`; then nothing is left."""
    try:
        with _project(root, real) as top, _made(top, FOLDER) as folder:
            _ignore(folder)
            with _made(folder, INBOX) as inbox:
                kept = _keep(inbox, safe(name), data)
    except FileNotFoundError as fault:
        raise ProjectGone(path=root) from fault
    except OSError as fault:
        if fault.errno in (errno.ELOOP, errno.ENOTDIR):
            raise FileRefused("file.outside", name=name) from fault
        raise
    return os.path.join(os.path.abspath(root), FOLDER, INBOX, kept)


@contextmanager
def _project(root: str, real: str) -> Iterator[int]:
    with ExitStack() as opened:
        try:
            handle = opened.enter_context(project(root, real))
        except (FileNotFoundError, NotADirectoryError) as fault:
            raise ProjectGone(path=root) from fault
        yield handle


@contextmanager
def _made(parent: int, name: str) -> Iterator[int]:
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=parent)
    with directory(name, within=parent) as handle:
        yield handle


def _ignore(folder: int) -> None:
    """git of the project sees nothing of the folder, not even this file."""
    with suppress(FileExistsError):
        _write(folder, ".gitignore", b"*\n")


def _keep(inbox: int, name: str, data: bytes) -> str:
    """The name is taken first, empty; the bytes come by rename, whole or not at all."""
    kept = next(word for word in numbered(name) if _taken(inbox, word))
    half = f".{kept}.new"
    try:
        _write(inbox, half, data)
        os.rename(half, kept, src_dir_fd=inbox, dst_dir_fd=inbox)
        os.fsync(inbox)
    except OSError:
        for rest in (half, kept):
            with suppress(OSError):
                os.unlink(rest, dir_fd=inbox)
        raise
    return kept


def _taken(inbox: int, name: str) -> bool:
    try:
        _write(inbox, name, b"")
    except FileExistsError:
        return False
    return True


def _write(folder: int, name: str, data: bytes) -> None:
    with open(os.open(name, _NEW, 0o600, dir_fd=folder), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
