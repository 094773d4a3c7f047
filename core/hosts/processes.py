"""Which processes belong to an agent: who they are, whether they live, how they are signalled.

Facts come from proc(5). A process is known by its pid and its start in clock ticks after boot, which no
change of the clock moves and no later process with the same pid shares.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

MARKER = "ROOST_RUN"
"""The variable that every process of an agent inherits; its value is the agent's UUID."""

FIELDS = 20
"""Numbers of a line of `/proc/PID/stat` that are made such: the last of them tells when it began."""

LONGEST_LINE = 4096
"""Bytes; a `stat` has some 300."""

_TICKS = os.sysconf("SC_CLK_TCK")
_MEMORY = Path("/proc/meminfo")
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Identity:
    """Names one process for as long as the machine runs."""

    pid: int
    start: int


@dataclass(frozen=True, slots=True)
class Process:
    """A process that was alive when it was looked at; *name* is at most 15 characters. *cpu_seconds*
    counts children that have ended, too."""

    identity: Identity
    name: str
    parent: int
    group: int
    session: int
    cpu_seconds: float

    @property
    def pid(self) -> int:
        return self.identity.pid


def boot_id() -> str:
    """Another one after every start of the machine."""
    return _BOOT_ID.read_text().strip()


def parse(stat: str) -> Process | None:
    """The process that a line of `/proc/PID/stat` tells of; None for a zombie, and for anything else."""
    head, _, tail = stat.rpartition(")")
    pid, _, name = head.partition(" (")
    status, _, rest = tail.strip().partition(" ")
    if status in "ZX" or rest.strip("-0123456789 "):
        return None
    try:
        numbers = [int(word) for word in (pid, *rest.split(maxsplit=FIELDS)[: FIELDS - 1])]
    except ValueError:
        return None
    if len(numbers) < FIELDS:
        return None
    visible = name if name.isprintable() else "".join(one if one.isprintable() else "?" for one in name)
    identity = Identity(numbers[0], numbers[19])
    parent, group, session = numbers[1:4]
    return Process(identity, visible, parent, group, session, sum(numbers[11:15]) / _TICKS)


def look(pid: int) -> Process | None:
    """The process of that number, if it lives."""
    try:
        return parse(_first(f"/proc/{pid}/stat").decode(errors="replace"))
    except (FileNotFoundError, ProcessLookupError):
        return None


def free_memory() -> int:
    """Bytes that a program could get now without anything being swapped out (proc(5), MemAvailable)."""
    for line in _MEMORY.read_text().splitlines():
        name, _, kilobytes = line.partition(":")
        if name == "MemAvailable":
            return int(kilobytes.split()[0]) * 1024
    return 0


def alive(identity: Identity) -> bool:
    found = look(identity.pid)
    return found is not None and found.identity == identity


def family(agent: str, wrapper: Identity | None, known: Collection[Identity] = ()) -> list[Process]:
    """Everything that belongs to *agent*, its wrapper included, with all descendants.

    Found by the marker, by the wrapper's session and group while it lives (later their number may
    be someone else's), and by *known*, the family of an earlier look.
    """
    everyone = list(_scan(wrapper.start if wrapper else 0))
    chosen = {process.pid for process in everyone if process.identity in known}
    chosen |= _marked(everyone, f"{MARKER}={agent}".encode())
    chosen |= _led(everyone, wrapper)
    whole = _with_descendants(chosen, everyone)
    return [process for process in everyone if process.pid in whole]


def _led(everyone: list[Process], wrapper: Identity | None) -> set[int]:
    """The wrapper, its session and its group; nobody once it has gone, for its number may be another's."""
    if wrapper is None or all(process.identity != wrapper for process in everyone):
        return set()
    return {one.pid for one in everyone if wrapper.pid in (one.pid, one.group, one.session)}


def _marked(everyone: list[Process], word: bytes) -> set[int]:
    """Those that carry *word* in their environment."""
    return {one.pid for one in everyone if _carries(one.pid, word)}


def _with_descendants(chosen: set[int], everyone: list[Process]) -> set[int]:
    while grown := {process.pid for process in everyone if process.parent in chosen} - chosen:
        chosen = chosen | grown
    return chosen


def send(identity: Identity, number: signal.Signals) -> None:
    """Signal that process, and no other that got its pid since."""
    try:
        handle = os.pidfd_open(identity.pid)
    except OSError:
        return
    try:
        if alive(identity):
            signal.pidfd_send_signal(handle, number)
    except (ProcessLookupError, PermissionError):
        pass
    finally:
        os.close(handle)


def _scan(since: int) -> Iterator[Process]:
    """Every process but those that were there before the tick *since*: most were, and are read no further."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            line = _first(f"/proc/{entry}/stat")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if _start(line) >= since and (process := parse(line.decode(errors="replace"))):
            yield process


def _start(line: bytes) -> int:
    """When the process of a `stat` began, counted from behind its name, which may hold anything."""
    words = line.rpartition(b")")[2].split(None, FIELDS)
    return int(words[FIELDS - 1]) if len(words) >= FIELDS else 0


def _carries(pid: int, word: bytes) -> bool:
    try:
        return word in _read(f"/proc/{pid}/environ").split(b"\0")
    except OSError:
        return False


def _first(path: str) -> bytes:
    """The one line of a file of the kernel's: there are hundreds to read at an agent's end."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(handle, LONGEST_LINE)
    finally:
        os.close(handle)


def _read(path: str) -> bytes:
    """All of a file of the kernel's; `Path` takes half as long again."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return b"".join(iter(lambda: os.read(handle, 65536), b""))
    finally:
        os.close(handle)
