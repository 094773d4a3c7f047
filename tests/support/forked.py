"""A service that begins at once: forked off a process that has loaded the program and done nothing else."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from bot.cli import main

USUAL_UMASK = 0o022
FORKS = multiprocessing.get_context("forkserver")
CHATS = ("bot.telegram.account", "bot.matrix.account")
FORKS.set_forkserver_preload([__name__, "bot.cli.run", "core.engines.codex", *CHATS])
"""To load all that takes most of the processor time of a start, and is the same each time."""


class Forked:
    """`roost` with these *words*, which writes to *log*; from outside it is like a `subprocess.Popen`."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], log: Path, cwd: Path) -> None:
        self._process = FORKS.Process(target=_roost, args=(words, dict(environ), log, cwd))
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        """Its exit code, below nothing for a signal, once it has ended."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, seconds: float | None = None) -> int:
        """Errors: `TimeoutExpired`."""
        self._process.join(seconds)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("roost", seconds or 0.0)
        return code


Service: TypeAlias = subprocess.Popen[bytes] | Forked


def _roost(words: Sequence[str], environ: Mapping[str, str], log: Path, cwd: Path) -> None:
    os.umask(USUAL_UMASK)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environ)
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), sys.stderr.fileno())
    sys.exit(main(words))
