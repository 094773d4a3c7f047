"""A bell between processes: who has put something into the store wakes whoever dispatches."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE_NAME = "bell"


def ring(data_dir: Path) -> None:
    """Wake the dispatcher of *data_dir*, if there is one; never waits, never fails."""
    with suppress(OSError), _address(data_dir) as address, _socket() as sender:
        sender.sendto(b"!", address)


class Bell:
    """The listening end: *heard* is called for every ring until `close`."""

    def __init__(self, data_dir: Path, heard: Callable[[], object]) -> None:
        self._path = data_dir / FILE_NAME
        self._heard = heard
        self._path.unlink(missing_ok=True)
        self._socket = _socket()
        with _address(data_dir) as address:
            self._socket.bind(address)
        os.chmod(self._path, 0o600)
        asyncio.get_running_loop().add_reader(self._socket, self._drain)

    def _drain(self) -> None:
        with suppress(BlockingIOError):
            while self._socket.recv(64):
                pass
        self._heard()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._path.unlink(missing_ok=True)


def _socket() -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    made.setblocking(False)
    return made


@contextmanager
def _address(data_dir: Path) -> Iterator[str]:
    """A short name for the bell: a socket's address holds 107 bytes, a path may be longer."""
    folder = os.open(data_dir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{FILE_NAME}"
    finally:
        os.close(folder)
