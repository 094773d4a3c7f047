"""Named places where a test can have this process killed, as a power cut would."""

from __future__ import annotations

import os
import signal
from collections import Counter

_passed: Counter[str] = Counter()


def crash_point(name: str) -> None:
    """SIGKILL for ourselves if `ROOST_CRASH_AT` is *name*, or `name:N` at the N-th time; else nothing."""
    wanted, _, times = os.environ.get("ROOST_CRASH_AT", "").partition(":")
    if wanted != name:
        return
    _passed[name] += 1
    if _passed[name] == int(times or 1):
        os.kill(os.getpid(), signal.SIGKILL)
