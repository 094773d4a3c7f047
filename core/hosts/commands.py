"""Short programs that a host asks something: bounded in time and words, heirs to none of our secrets."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from signal import SIGKILL
from tempfile import TemporaryFile
from threading import Event
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_PASSED = ("HOME", "LANG", "PATH", "TMPDIR", "USER")
_GLANCE = 0.05
_GONE = 1.0
"""Seconds that one has to be gone once it was killed: what hangs at a disk that is away is not waited for."""
_given_up: ContextVar[Event | None] = ContextVar("given up", default=None)
"""Set once nobody waits any more for what is asked in a thread."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a program wrote to stdout, no more than was asked for. One that was cut short has no *code*."""

    data: bytes
    code: int | None


async def in_thread(work: Callable[P, T], *words: P.args, **more: P.kwargs) -> T:
    """*work* in a thread. Where we are cancelled meanwhile, the program that it asks is ended, and it asks no
    other: a thread that goes on would hold up the end of this process."""
    given_up = Event()
    before = _given_up.set(given_up)
    try:
        return await asyncio.to_thread(work, *words, **more)
    finally:
        given_up.set()
        _given_up.reset(before)


def ask(
    argv: Sequence[str],
    *,
    seconds: float,
    most: int,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    given: bytes = b"",
) -> Said | None:
    """Run a program to its end; None if it can't be started, or nobody waits for it any more.

    It reads what is *given*, and writes to a file without a name: what it leaves running can't keep us
    waiting for the end of a pipe.
    """
    if _is_given_up():
        return None
    inherited = {name: os.environ[name] for name in _PASSED if name in os.environ}
    with TemporaryFile() as said, TemporaryFile() as heard:
        heard.write(given)
        heard.seek(0)
        try:
            process = subprocess.Popen(
                argv,
                stdin=heard,
                stdout=said,
                stderr=subprocess.DEVNULL,
                cwd=cwd,
                env={**inherited, **(env or {})},
                start_new_session=True,
            )
        except OSError:
            return None
        try:
            code = _ended(process, said.fileno(), seconds, most)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, SIGKILL)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GONE)
        return Said(os.pread(said.fileno(), most, 0), code)


def _is_given_up() -> bool:
    given_up = _given_up.get()
    return given_up is not None and given_up.is_set()


def _ended(process: subprocess.Popen[bytes], said: int, seconds: float, most: int) -> int | None:
    until = time.monotonic() + seconds
    while not _is_given_up() and time.monotonic() < until and os.fstat(said).st_size <= most:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(_GLANCE)
    return None
