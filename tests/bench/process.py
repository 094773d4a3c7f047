"""A process under measurement: what it is given, and what it has cost so far."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Nanoseconds are exact where clock ticks of 10 ms would be half of a bound (proc(5), schedstat)."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def memory(pid: int) -> int:
    """Bytes (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no Pss")


def environ(home: Path) -> dict[str, str]:
    """What a program of this checkout gets to know, with a home of its own: as little as it can do with."""
    here = Path(__file__).resolve().parents[2]
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": str(here)}
