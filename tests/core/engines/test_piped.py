"""A program that writes to a pipe, though its output is a file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.engines.piped import piped

IS_PIPE = "import os, stat; print(stat.S_ISFIFO(os.fstat(1).st_mode), input())"
STREAM = "import os; print(sorted(os.listdir('/proc/self/fd'), key=int)[:-1])"


def started(out: Path, *argv: str, told: bytes = b"") -> subprocess.Popen[bytes]:
    """Its output is the file *out*, its group its own."""
    with open(out, "ab") as file:
        process = subprocess.Popen(
            piped(argv), stdin=subprocess.PIPE, stdout=file, stderr=subprocess.PIPE, process_group=0
        )
    assert process.stdin
    process.stdin.write(told)
    process.stdin.flush()
    return process


def ended(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    """Its exit code and what it said on stderr."""
    assert process.stdin
    assert process.stderr
    process.stdin.close()
    code = process.wait(10)
    with process.stderr as errors:
        return code, errors.read()


def test_the_program_has_a_pipe_and_its_input(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ended(started(out, sys.executable, "-c", IS_PIPE, told=b"hello\n")) == (0, b"")
    assert out.read_text() == "True hello\n"


def test_it_holds_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended(started(out, sys.executable, "-c", STREAM))
    assert out.read_text() == "['0', '1', '2']\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [("exit 3", 3), ("kill -9 $$", 137), ("kill -TERM $$", 143), ("exec /nowhere/at-all", 127)],
)
def test_its_exit_code_stays(tmp_path: Path, words: str, code: int) -> None:
    assert ended(started(tmp_path / "out", "sh", "-c", words))[0] == code


def test_its_words_stay_words(tmp_path: Path) -> None:
    out, odd = tmp_path / "out", ("a b", "$(id)", "*", "'\"")
    ended(started(out, "printf", "%s\\n", *odd))
    assert out.read_text().splitlines() == list(odd)


def test_all_that_it_said_is_there_when_it_has_ended(tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended(started(out, sys.executable, "-c", "print('x' * 3_000_000)"))
    assert out.stat().st_size == 3_000_001


def test_what_it_leaves_running_does_not_hold_its_end(tmp_path: Path) -> None:
    out, begun = tmp_path / "out", time.monotonic()
    code, _ = ended(started(out, "sh", "-c", "sleep 20 2>/dev/null & echo $!; exit 4"))
    assert code == 4
    assert time.monotonic() - begun < 8
    os.kill(int(out.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_group_ends_the_program_and_its_status_is_told(
    tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    process = started(out, "sh", "-c", "echo ready; exec sleep 20")
    while not out.read_text():
        time.sleep(0.01)
    os.killpg(process.pid, number)
    assert ended(process)[0] == 128 + number
    assert out.read_text() == "ready\n"
