"""This process closed to its neighbours: what it holds in memory, what it writes."""

from __future__ import annotations

import ctypes
import os
import sys

_PR_SET_DUMPABLE = 4


def harden() -> int:
    """No other process of the same user may look into our memory or environment, and nobody else may read
    what we write. Returns the umask that was in force: agents go on with it."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_DUMPABLE)")
    return os.umask(0o077)
