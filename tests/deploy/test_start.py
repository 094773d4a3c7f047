"""The README's first command: what it says when it cannot go on, and what it does not trust."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.tree import ROOT

START = ROOT / "deploy" / "start.py"
UNKNOWN_LIBRARY = f"roost-has-no-such-library==1.0 --hash=sha256:{'0' * 64}\n"


@dataclass(frozen=True, slots=True)
class Checkout:
    """A copy of the script in a folder that has nothing else of Roost but a lock that cannot be met."""

    root: Path

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    def start(self, *words: str, sitecustomize: str = "") -> subprocess.CompletedProcess[str]:
        """Runs it offline; *sitecustomize* makes this Python look like another."""
        customs = self.root / "customs"
        customs.mkdir(exist_ok=True)
        (customs / "sitecustomize.py").write_text(sitecustomize)
        environment = {
            "PATH": "/nowhere",
            "PYTHONPATH": str(customs),
            "PIP_NO_INDEX": "1",
            "HOME": str(self.root),
        }
        argv = [os.path.realpath(sys.executable), str(self.root / "deploy" / "start.py"), *words]
        return subprocess.run(argv, env=environment, capture_output=True, text=True, timeout=50)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    (tmp_path / "deploy").mkdir()
    shutil.copy(START, tmp_path / "deploy")
    (tmp_path / "deploy" / "requirements.lock").write_text(UNKNOWN_LIBRARY)
    (tmp_path / "deploy" / "requirements-dev.lock").write_text(UNKNOWN_LIBRARY)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "hatch_build.py").touch()
    return Checkout(tmp_path)


def test_an_old_python_can_read_it() -> None:
    ast.parse(START.read_text("utf-8"), feature_version=(3, 6))


def test_an_old_python_is_told_that_it_is_old(checkout: Checkout) -> None:
    told = checkout.start(sitecustomize="import sys; sys.version_info = (3, 9, 2)")
    assert told.returncode == 1
    assert told.stderr.startswith("roost: Roost needs Python 3.11 or newer; this is Python 3.9.\n")
    assert "sudo apt install python3-venv" in told.stderr
    assert not checkout.venv.exists()


def test_help_tells_of_the_tests_and_makes_nothing(checkout: Checkout) -> None:
    told = checkout.start("--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert "deploy/start.py test [WORDS]" in told.stdout
    assert not checkout.venv.exists()


def test_a_word_that_is_none_of_its_own_makes_nothing(checkout: Checkout) -> None:
    told = checkout.start("nonsense")
    assert told.returncode == 2
    assert told.stderr.startswith(
        "roost: there is no `nonsense` here: without a word this opens `roost chat`"
    )
    assert told.stderr.count("\n") == 1
    assert not checkout.venv.exists()


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(checkout: Checkout, missing: str) -> None:
    told = checkout.start(sitecustomize=f"import sys; sys.modules['{missing}'] = None")
    assert told.returncode == 1
    assert "no venv module" in told.stderr
    assert "sudo apt install python3-venv" in told.stderr
    assert not checkout.venv.exists()


def test_a_venv_of_somebody_else_stays_theirs(checkout: Checkout) -> None:
    checkout.venv.mkdir()
    (checkout.venv / "precious").write_text("mine")
    told = checkout.start()
    assert told.returncode == 1
    assert "this script did not make" in told.stderr
    assert (checkout.venv / "precious").read_text() == "mine"


@pytest.mark.parametrize("words", [(), ("test",)])
def test_libraries_that_cannot_be_had_leave_nothing_to_trust(
    checkout: Checkout, words: tuple[str, ...]
) -> None:
    checkout.venv.mkdir()
    (checkout.venv / "made-by-roost").touch()
    (checkout.venv / "half-made").touch()
    told = checkout.start(*words)
    assert told.returncode == 1
    assert "The libraries could not be fetched" in told.stderr
    assert "roost-has-no-such-library" in told.stderr, "pip's own words come first"
    assert not (checkout.venv / "half-made").exists(), "what was half-made is made anew"
    assert not list(checkout.venv.glob("*.done"))
