"""Whether a folder may be a project's."""

from __future__ import annotations

import os
from pathlib import Path


def path_fault(path: Path, data_dir: Path) -> str | None:
    """The key of what is wrong with *path* as a project's folder; none if nothing is.

    Symbolic links are followed: what counts is where an agent would work.
    """
    if not path.is_absolute():
        return "project.not_absolute"
    if not path.exists():
        return "project.not_there"
    if not path.is_dir():
        return "project.no_directory"
    if not os.access(path, os.R_OK | os.X_OK):
        return "project.closed"
    real, data = path.resolve(), data_dir.resolve()
    if real.is_relative_to(data):
        return "project.inside_data"
    return "project.holds_data" if data.is_relative_to(real) else None
