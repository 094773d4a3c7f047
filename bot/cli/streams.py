"""Standard streams as a shell may have left them: closed, full, or with nobody at the other end."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

MODES = {"stdin": "r", "stdout": "w", "stderr": "w"}


def made_whole() -> None:
    """A closed one is there and empty from now on, else the next file that is opened would take its place;
    and none fails for a letter that it does not have."""
    for name, mode in MODES.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def let_go() -> None:
    """What could not be written was told; the interpreter is not to try it once more at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
