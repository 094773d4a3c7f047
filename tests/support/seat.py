"""`roost chat` as a program of its own: behind a pipe, or at a terminal that a test reads and types into."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.support.tree import ROOT

ROOST = (sys.executable, "-m", "bot.cli")
CHAT = (*ROOST, "chat")
PATIENCE = 40.0
CODES = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[=>])")


def environment(home: Path, **more: str) -> dict[str, str]:
    """A machine without any agent program, whose owner lives in *home*."""
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "DEMO_PACE": "0",
        **more,
    }


def piped(home: Path, lines: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """`roost chat` reading *lines*, to its end."""
    env = environment(home, **more)
    return subprocess.run(
        (*CHAT, *words), input=lines, capture_output=True, text=True, env=env, cwd=home, timeout=PATIENCE
    )


@contextmanager
def begun(home: Path, **more: str) -> Iterator[subprocess.Popen[str]]:
    """`roost chat` behind a pipe that stays open."""
    pipe, env = subprocess.PIPE, environment(home, **more)
    with subprocess.Popen(CHAT, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=env, cwd=home) as chat:
        try:
            yield chat
        finally:
            chat.kill()


@contextmanager
def service(home: Path) -> Iterator[None]:
    """`roost run` on the same data."""
    with subprocess.Popen(
        (*ROOST, "run"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(home), cwd=home
    ) as running:
        until(lambda: (home / ".local/share/roost/bell").exists(), "a service")
        try:
            yield
        finally:
            running.terminate()


def tell(chat: subprocess.Popen[str], line: str) -> None:
    assert chat.stdin is not None
    chat.stdin.write(f"{line}\n")
    chat.stdin.flush()


def statuses(home: Path) -> list[str]:
    """Of every prompt that is stored, oldest first."""
    path = home / ".local/share/roost/roost.db"
    if not path.exists():
        return []
    with (
        closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db,
        suppress(sqlite3.OperationalError),  # it is being made
    ):
        return [row[0] for row in db.execute("SELECT status FROM prompts ORDER BY id")]
    return []


def until(so: Callable[[], bool], what: object = "") -> None:
    deadline = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


class Terminal:
    """`roost chat` at a terminal of 80 × 30."""

    def __init__(self, home: Path, *words: str, **more: str) -> None:
        self._ours, theirs = pty.openpty()
        os.set_blocking(self._ours, False)
        env = environment(home, COLUMNS="80", LINES="30", **more)
        self.program = subprocess.Popen(
            (*CHAT, *words), stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=home
        )
        os.close(theirs)
        self._raw = b""

    @property
    def seen(self) -> str:
        """Everything that was drawn so far, without colours and moves."""
        while select.select([self._ours], [], [], 0)[0]:
            try:
                part = os.read(self._ours, 65536)
            except OSError:  # the program has ended, and its side of the terminal with it
                break
            self._raw += part
        return CODES.sub("", self._raw.decode("utf-8", "replace")).replace("\r", "")

    def types(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def sees(self, words: str, *, times: int = 1) -> None:
        until(lambda: self.seen.count(words) >= times, words)

    def leaves(self) -> int:
        """The exit status, once it has ended by itself."""
        until(lambda: bool(self.seen) and self.program.poll() is not None, "an end")
        return self.program.returncode

    def close(self) -> None:
        if self.program.poll() is None:
            self.program.send_signal(signal.SIGKILL)
            self.program.wait()
        os.close(self._ours)
