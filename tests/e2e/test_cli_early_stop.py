"""Ctrl-C before anything has begun."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.roost import Roost
from tests.support.tree import ROOT

STOPS = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(20)\n"


@pytest.mark.parametrize("library", ["click", "pydantic", "msgspec"])
def test_a_stop_while_the_program_loads_is_quiet(roost: Roost, tmp_path: Path, library: str) -> None:
    """Ctrl-C comes while *library* is imported."""
    (tmp_path / f"{library}.py").write_text(STOPS)
    ran = roost("status", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert ran.status == -signal.SIGINT  # which a shell calls 130
    assert (ran.out, ran.err) == ("", "")
