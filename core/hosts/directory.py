"""One agent's directory: what is written there, by whom, and what it proves.

| file    | written by                    | holds                                             |
|---------|-------------------------------|---------------------------------------------------|
| `inp`   | us, appended                  | what the agent is told                            |
| `out`   | the agent, appended           | what it says: the spool                           |
| `err`   | the agent's, cut by us        | the end of its stderr                             |
| `boot`  | us, last, a symbolic link     | in which life of the machine all this was made    |
| `claim` | who comes first, no-clobber   | the wrapper's line of `/proc/PID/stat`, or a word |
| `exit`  | the wrapper, in one write     | the agent's exit code                             |

An agent under our own user can put anything else there: what blocks, has no end, is no file or leads
elsewhere is not opened by us.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.hosts.processes import Identity, alive, boot_id, family, parse
from core.model.ids import AgentId
from core.model.launch import Alive, Exited, Gone, NotStarted

ERRORS_KEPT = 64 * 1024
ERRORS_MOST = 1024 * 1024
LONGEST_WORD = 4096
"""Bytes of a claim or an exit; neither has 400."""
_WITHDRAWN = b"withdrawn\n"
_OURS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_NO_FILE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO)
"""What comes of opening one that is not there, or is none."""
_AGENTS = "agents"


@dataclass(frozen=True, slots=True)
class AgentDirectory:
    """`data_dir/agents/<uuid>/`: 0700, its files 0600."""

    agent: AgentId
    path: Path

    @property
    def inp(self) -> Path:
        return self.path / "inp"

    @property
    def out(self) -> Path:
        return self.path / "out"

    @property
    def err(self) -> Path:
        return self.path / "err"

    @property
    def claim(self) -> Path:
        return self.path / "claim"

    def make(self, told: bytes) -> None:
        """Everything that the wrapper needs; nothing if it is there already. That it was made is the last of
        it: a link, which is made, with what it says, in one step."""
        if self._boot():
            return
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(self.inp, told, synced=False)
        _write(self.out, b"", synced=False)
        with suppress(FileExistsError):  # somebody else made it at the same moment
            os.symlink(boot_id(), self._link)

    def settle(self) -> None:
        """That it was made is on the disk for good, with its folder. The rest is of use only as long as the
        machine lives, for an agent dies with it."""
        _sync(self.path)
        _sync(self.path.parent)

    def make_room(self) -> str:
        """An empty folder to work in, for an agent that works nowhere else."""
        room = self.path / "room"
        room.mkdir(mode=0o700, parents=True, exist_ok=True)
        return str(room)

    def unclaimed(self) -> bool:
        return not os.path.lexists(self.claim)

    def taken_away(self) -> bool:
        """Whether what was made is gone: an agent that has started may see to that before anybody looks."""
        return not os.path.lexists(self._link)

    def startable(self) -> bool:
        """Nobody has the start yet. After a power cut a claim may be lost that had been acted upon,
        so what was made in an earlier life of the machine is never started."""
        return self._boot() == boot_id() and self.unclaimed()

    def withdraw(self) -> None:
        """Take the start away from a wrapper that comes late; nothing if it is taken."""
        with suppress(FileExistsError):  # a file in its place
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._boot() not in ("", boot_id()):
            return
        try:
            _write(self.claim, _WITHDRAWN, os.O_EXCL)
        except FileExistsError:
            return
        _sync(self.path)
        _sync(self.path.parent)

    def abandon(self) -> bool:
        """Nothing was started and nothing will be, nor does anything stay; False if an earlier call's
        wrapper came first."""
        if self._boot():
            self.withdraw()
            if _read(self.claim) != _WITHDRAWN:
                return False
        self.discard()
        return True

    def wrapper(self) -> Identity | None:
        """The wrapper that took the claim and has written its name, in this life of the machine."""
        if self._boot() != boot_id():
            return None
        found = parse(_read(self.claim).decode(errors="replace"))
        return found.identity if found else None

    def state(self) -> NotStarted | Alive | Exited | Gone | None:
        """What the files prove; None while nobody has the claim, or its taker has not said who it is."""
        if ended := self.exited():
            # A machine that goes down ends everything by signal: that is no doing of the agent's.
            return Gone() if ended.signal and self._boot() != boot_id() else ended
        if _read(self.claim) == _WITHDRAWN:
            return NotStarted()
        if self._boot() != boot_id():
            return Gone() if self._boot() else None
        wrapper = self.wrapper()
        if wrapper is None:
            return None
        # A wrapper writes first and goes then: whoever is seen gone has written all that it ever will.
        return Alive() if alive(wrapper) else self.exited() or Gone()

    def exited(self) -> Exited | None:
        """What the wrapper wrote when the agent had ended."""
        if not os.access(f"{self.path}/exit", os.F_OK):  # asked 50 times a second
            return None
        word = _read(self.path / "exit")
        return Exited(int(word)) if len(word) < 5 and word.endswith(b"\n") and word[:-1].isdigit() else None

    def errors(self) -> str:
        """The end of stderr, at most 64 kB; what came before is cut off once it is 1 MB."""
        try:
            handle = regular(self.err, os.O_RDWR | os.O_APPEND)
        except OSError as fault:
            if fault.errno in _NO_FILE:
                return ""
            raise
        try:
            size = os.fstat(handle).st_size
            kept = os.pread(handle, ERRORS_KEPT, max(0, size - ERRORS_KEPT))
            if size > ERRORS_MOST:
                os.ftruncate(handle, 0)
                os.write(handle, kept)
        finally:
            os.close(handle)
        return kept.decode(errors="replace")

    def append(self, data: bytes) -> None:
        """Tell a spoken agent more. After an error it may have got the first part of *data*."""
        with open(self.inp, "ab", buffering=0, opener=_existing) as told:
            view = memoryview(data)
            while view:
                view = view[told.write(view) :]

    def told(self) -> bytes:
        """All that it was told."""
        with open(regular(self.inp, os.O_RDONLY), "rb") as told:
            return told.read()

    def discard(self) -> None:
        """Also where somebody else is at it."""
        while os.path.lexists(self.path):
            with suppress(FileNotFoundError):
                if self.path.is_symlink():
                    self.path.unlink()
                else:
                    shutil.rmtree(self.path)

    @property
    def _link(self) -> str:
        return f"{self.path}/boot"

    def _boot(self) -> str:
        try:
            return os.readlink(self._link)
        except FileNotFoundError:
            return ""
        except OSError:
            return "?"  # an agent has put something else there: it is of no life that is known


def directory_of(data_dir: Path, agent: AgentId) -> AgentDirectory:
    return AgentDirectory(agent, data_dir / _AGENTS / agent)


def agents_of(data_dir: Path) -> list[AgentId]:
    """Those that have a directory there, whatever became of them."""
    return [AgentId(path.name) for path in (data_dir / _AGENTS).glob("*")]


def any_alive(data_dir: Path) -> bool:
    """Whether a process of some agent of *data_dir* lives, whoever started it."""
    directories = (directory_of(data_dir, agent) for agent in agents_of(data_dir))
    return any(family(directory.agent, directory.wrapper()) for directory in directories)


def regular(path: str | Path, flags: int) -> int:
    """A file of an agent's directory, open. Errors: `OSError`, also for anything that is no file."""
    handle = os.open(path, flags | _OURS)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.ENXIO, os.strerror(errno.ENXIO), path)


def _read(path: Path) -> bytes:
    """One of the short ones; nothing where there is none."""
    try:
        handle = regular(path, os.O_RDONLY)
    except OSError as fault:
        if fault.errno in _NO_FILE:
            return b""
        raise
    try:
        return os.read(handle, LONGEST_WORD)
    finally:
        os.close(handle)


def _write(path: Path, data: bytes, flags: int = os.O_TRUNC, *, synced: bool = True) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | flags, 0o600)
    with open(handle, "wb", buffering=0) as file:
        view = memoryview(data)
        while view:
            view = view[file.write(view) :]
        if synced:
            os.fsync(handle)


def _existing(path: str, flags: int) -> int:
    return regular(path, flags & ~os.O_CREAT)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
