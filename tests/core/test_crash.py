"""A test can have a process killed at a named place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = "from core.crash import crash_point\nfor _ in range(3): print(1, flush=True); crash_point('here')"


@pytest.mark.parametrize(
    ("where", "lines", "code"),
    [
        (None, 3, 0),
        ("elsewhere", 3, 0),
        ("here", 1, -signal.SIGKILL),
        ("here:2", 2, -signal.SIGKILL),
        ("here:4", 3, 0),
    ],
)
def test_it_is_killed_there_and_nowhere_else(where: str | None, lines: int, code: int) -> None:
    env = {"PATH": os.environ["PATH"]} | ({"ROOST_CRASH_AT": where} if where else {})
    done = subprocess.run((sys.executable, "-c", WORDS), cwd=ROOT, env=env, capture_output=True, check=False)
    assert (done.stdout.count(b"1"), done.returncode) == (lines, code)
