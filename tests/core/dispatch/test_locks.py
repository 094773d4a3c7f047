"""A lock is one process's, and free again however that process dies."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.dispatch.locks import COMPANY, Company, FileLock, is_held

HOLD = """
import sys
from pathlib import Path
from core.dispatch.locks import FileLock
lock = FileLock(Path(sys.argv[1]))
print(lock.acquire(), flush=True)
sys.stdin.read()
"""


def test_only_one_has_it(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    one, other = FileLock(path), FileLock(path)
    assert (one.acquire(), one.acquire(), other.acquire()) == (True, True, False)
    assert (one.held, other.held, is_held(path)) == (True, False, True)
    one.release()
    one.release()
    assert (one.held, is_held(path), other.acquire()) == (False, False, True)
    other.release()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGTERM])
def test_whoever_dies_lets_go(tmp_path: Path, death: signal.Signals) -> None:
    path, root = tmp_path / "x.lock", Path(__file__).parents[3]
    words = (sys.executable, "-c", HOLD, str(path))
    with subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        assert is_held(path)
        assert not FileLock(path).acquire()
        holder.send_signal(death)
        holder.wait(10)
    assert not is_held(path)


def test_company_is_seen_while_it_is_there(tmp_path: Path) -> None:
    with Company(tmp_path) as one:
        assert not one.others
        with Company(tmp_path) as other:
            assert (one.others, other.others, one.others) == (True, True, True)
        assert not one.others
    assert not is_held(tmp_path / COMPANY)


def test_what_it_starts_does_not_inherit_it(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "x.lock")
    assert lock.acquire()
    with subprocess.Popen(("sleep", "60"), close_fds=False) as child:
        lock.release()
        assert not is_held(tmp_path / "x.lock")
        child.kill()
