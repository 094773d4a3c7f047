"""The library that Matrix needs, and the command that puts it into this environment."""

from __future__ import annotations

import sys
from pathlib import Path

import bot

SOURCE = Path(bot.__file__).resolve().parent.parent
LOCK = Path("deploy", "requirements-matrix.lock")


def installing(prefix: str = sys.prefix, source: Path = SOURCE) -> str:
    """As `deploy/README.md` has it, to be said in the folder of Roost's source; in a checkout its own
    environment stands there too."""
    pip = Path(prefix, "bin", "pip")
    named = pip.relative_to(source) if (source / LOCK).exists() and pip.is_relative_to(source) else pip
    return f"{named} install --require-hashes -r {LOCK}"
