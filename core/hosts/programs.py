"""Where an agent program is, and which version."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.hosts.commands import ask
from core.hosts.port import Program

VERSION_BOUND = 10.0
"""Seconds that `--version` may take."""
SAID_MOST = 65_536
VERSION_MOST = 4096
"""Bytes of what it says that are looked at."""


class Programs:
    """Finds programs on PATH; what a file said of its version holds until the file changes."""

    def __init__(self) -> None:
        self._versions: dict[tuple[str, int], str] = {}

    def ask(self, words: Sequence[str]) -> Program | None:
        """None if it isn't there, can't be executed, or doesn't say a version in time."""
        argv = find(words)
        if argv is None:
            return None
        key = (argv[0], os.stat(argv[0]).st_mtime_ns)
        if key not in self._versions:
            version = _version(argv)
            if version is None:
                return None
            self._versions[key] = version
        return Program(argv, self._versions[key])


def runs(program: Program, words: Sequence[str], env: Mapping[str, str], *, seconds: float) -> bool | None:
    """Whether *program* does what *words* tell it and ends well; None if it doesn't end in time."""
    said = ask((*program.argv, *words), seconds=seconds, most=SAID_MOST, cwd="/", env=env)
    return None if said is None or said.code is None else said.code == 0


def find(words: Sequence[str]) -> tuple[str, ...] | None:
    """*words* with the program's place in front; None if it isn't there or can't be executed."""
    found = shutil.which(os.path.expanduser(words[0])) if words else None
    return (native(os.path.abspath(found)), *words[1:]) if found else None


def native(program: str) -> str:
    """The program that an npm package's Node script would run, or *program* itself.

    The script `<scope>/<package>/bin/<name>.js` only looks for `<scope>/<package>-<platform>/vendor/
    <triple>/bin/<name>`. Without it between, 40 MB are saved, and a signal reaches the real process.
    """
    if not (program.endswith(".js") or os.path.islink(program)):
        return program
    script = Path(program).resolve()
    if script.suffix != ".js" or script.parent.name != "bin":
        return program
    package = script.parent.parent
    for parent in (package.parent, package / "node_modules" / package.parent.name):
        for binary in sorted(parent.glob(f"{package.name}-*/vendor/*/bin/{script.stem}")):
            if os.access(binary, os.X_OK):
                return str(binary)
    return program


def _version(argv: Sequence[str]) -> str | None:
    said = ask((*argv, "--version"), seconds=VERSION_BOUND, most=VERSION_MOST)
    if said is None or said.code != 0:
        return None
    return said.data.decode(errors="replace").strip().partition("\n")[0]
