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
    if not os.path.exists(path):
        return "project.not_there"
    if not os.path.isdir(path):
        return "project.no_directory"
    if not os.access(path, os.R_OK | os.X_OK):
        return "project.closed"
    real, data = Path(os.path.realpath(path)), Path(os.path.realpath(data_dir))
    if real.is_relative_to(data):
        return "project.inside_data"
    return "project.holds_data" if data.is_relative_to(real) else None
