"""A real agent's home and its scripted model in a process of their own, so that the model's work is not taken
for Roost's, which runs in the process that measures.

`python -m tests.bench.apart ENGINE PROGRAM FOLDER` is such a process: it lives until its input ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.codex import KEY_NAME, scripted_home
from tests.support.real import scripted
from tests.support.whole import configured


@contextmanager
def apart(name: str, program: Path, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """Roost's configuration for the engine, and the environment."""
    words = [sys.executable, "-m", "tests.bench.apart", name, str(program), str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        config, env = json.loads(process.stdout.readline())
        try:
            yield Path(config), env
        finally:
            process.stdin.close()


@contextmanager
def prepared(name: str, program: Path, folder: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    if name == "codex":
        with scripted_home(program, folder) as codex:
            more = f'pass_env = ["{KEY_NAME}"]\ntransport = "app-server"\n'
            yield configured(folder, [str(program)], more), dict(codex.env)
    else:
        with scripted(name, program, folder) as real:
            yield real.config(), dict(real.env)


def main() -> None:
    name, program, folder = sys.argv[1:]
    with prepared(name, Path(program), Path(folder)) as (config, env):
        print(json.dumps([str(config), env]), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
