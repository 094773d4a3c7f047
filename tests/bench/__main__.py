"""`python -m tests.bench`: every benchmark, one table; exit 1 where a bound is missed."""

from __future__ import annotations

import os
import platform
import sys

from tests.bench import big_store, command_line, decoding, engines, many_agents, matrix, telegram
from tests.bench.table import HEAD

ALL = (command_line, many_agents, telegram, matrix, decoding, big_store, engines)


def main() -> int:
    load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load}\n\n{HEAD}")
    good = True
    for bench in ALL:
        for row in bench.rows():
            print(row, flush=True)
            good = good and row.good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
