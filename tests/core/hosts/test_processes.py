"""Lines of `/proc/PID/stat`, odd ones too."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from core.hosts.processes import Identity, Process, alive, look, parse, send

FIELDS = "4 5 6 0 -1 4194304 0 0 0 0 150 50 25 25 20 0 1 0 987654 0 0"


def test_a_line_of_proc_is_read() -> None:
    assert parse(f"12 (sh) S {FIELDS}\n") == Process(Identity(12, 987654), "sh", 4, 5, 6, 2.5)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a) S 1 (b", "a) S 1 (b"), ("two words", "two words"), ("x\n\u202ey", "x??y"), ("", "")],
)
def test_a_name_can_hold_anything(name: str, shown: str) -> None:
    found = parse(f"12 ({name}) R {FIELDS}")
    assert found
    assert (found.name, found.identity) == (shown, Identity(12, 987654))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "12",
        "12 (sh) S 4 5",
        f"12 (sh) Z {FIELDS}",
        "withdrawn\n",
        f"x (sh) S {FIELDS}",
        f"12 (sh) S {FIELDS} x",
    ],
)
def test_what_tells_of_nobody_alive(line: str) -> None:
    assert parse(line) is None


def test_a_signal_reaches_the_process_that_is_meant() -> None:
    process = subprocess.Popen(["sleep", "60"])
    found = look(process.pid)
    assert found
    send(Identity(process.pid, found.identity.start + 1), signal.SIGKILL)
    assert alive(found.identity)
    send(found.identity, signal.SIGTERM)
    assert process.wait(5) == -signal.SIGTERM
    send(found.identity, signal.SIGTERM)


def test_a_zombie_is_gone() -> None:
    process = subprocess.Popen(["true"])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert Path(f"/proc/{process.pid}").exists()
    assert look(process.pid) is None
    process.wait()
