"""Short programs that a host asks something: bounded in time and words, heirs to none of our secrets."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from signal import SIGKILL
from tempfile import TemporaryFile

_PASSED = ("HOME", "LANG", "PATH", "TMPDIR", "USER")
_GLANCE = 0.05


@dataclass(frozen=True, slots=True)
class Said:
    """What a program wrote to stdout, no more than was asked for. One that was cut short has no *code*."""

    data: bytes
    code: int | None


def ask(
    argv: Sequence[str],
    *,
    seconds: float,
    most: int,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Said | None:
    """Run a program to its end; None if it can't be started.

    It writes to a file without a name: what it leaves running can't keep us waiting for the end of a pipe.
    """
    inherited = {name: os.environ[name] for name in _PASSED if name in os.environ}
    with TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
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
            process.wait()
        return Said(os.pread(said.fileno(), most, 0), code)


def _ended(process: subprocess.Popen[bytes], said: int, seconds: float, most: int) -> int | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and os.fstat(said).st_size <= most:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(_GLANCE)
    return None
