"""The kernel tells when something is written (inotify(7)), so that nobody has to look for it all the time."""

from __future__ import annotations

import asyncio
import ctypes
import os
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

_IN_MODIFY, _IN_CLOSE_WRITE = 0x02, 0x08
_EVENTS = 64 * 1024
_libc = ctypes.CDLL(None, use_errno=True)


class Watch:
    """Watches the spools of agents. It takes one of the user's inotify instances (128 by default) at the
    first of them and holds it for good: the kernel needs some 15 ms to take one back."""

    def __init__(self) -> None:
        self._handle = -1
        self._used: Counter[int] = Counter()

    def add(self, directory: Path, spool: Path) -> tuple[int, ...]:
        """Watch *spool* for what is written into it, *directory* for files that are finished. The numbers
        for `remove`; none where the kernel cannot do it, or has no more to give."""
        found = tuple(self._each((directory, _IN_CLOSE_WRITE), (spool, _IN_MODIFY)))
        if len(found) < 2:
            self.remove(found)
            return ()
        return found

    def _each(self, *places: tuple[Path, int]) -> Iterator[int]:
        try:
            if self._handle < 0:
                self._handle = _called("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
                weakref.finalize(self, os.close, self._handle)
            for place, mask in places:
                number = _called("inotify_add_watch", self._handle, os.fsencode(place), mask)
                self._used[number] += 1  # it has one number, whoever asks
                yield number
        except OSError:
            return

    def remove(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            self._used[number] -= 1
            if not self._used[number]:
                del self._used[number]
                _libc.inotify_rm_watch(self._handle, number)  # refused where the file is gone: so is this

    def once(self, call: Callable[[], None]) -> None:
        """*call*, once, as soon as there is news; news from before that nobody has `heard` counts."""
        if self._handle >= 0:
            asyncio.get_running_loop().add_reader(self._handle, self._tell, call)

    def rest(self) -> None:
        """Nobody waits any more."""
        if self._handle >= 0:
            asyncio.get_running_loop().remove_reader(self._handle)

    def heard(self) -> None:
        """All that is known by now is looked at."""
        if self._handle >= 0:
            try:
                os.read(self._handle, _EVENTS)
            except BlockingIOError:
                return

    def _tell(self, call: Callable[[], None]) -> None:
        self.rest()
        call()


def _called(name: str, *arguments: object) -> int:
    """Errors: `OSError`, also where the system has no such call."""
    function = getattr(_libc, name, None)
    result: int = function(*arguments) if function else -1
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result
