"""A table that nobody reads in a chat."""

from __future__ import annotations

ROWS = 20_000
LONG = "| a | b |\n|---|--:|\n" + "\n".join(f"| row {n} is, as others, wide | {n} |" for n in range(ROWS))
LONG_CSV = "a,b\n" + "".join(f'"row {n} is, as others, wide",{n}\n' for n in range(ROWS))
