"""Whether a folder may be a project's."""

from __future__ import annotations

import os
from pathlib import Path

MADE_UP = (Path("/proc"), Path("/sys"))
"""What lies here the system makes up anew for whoever looks: `/proc/self/cwd`."""


def path_fault(path: Path, data_dir: Path) -> str | None:
    """The key of what is wrong with *path* as a project's folder; none if nothing is.

    Symbolic links are followed: what counts is where an agent would work.
    """
    if not path.is_absolute():
        return "project.not_absolute"
    real = Path(os.path.realpath(path))
    if not _is_text(path) or not _is_text(real):
        return "project.no_text"
    if _is_made_up(Path(os.path.normpath(path))) or _is_made_up(real):
        return "project.of_system"
    return _no_folder(path) or _mixed_up(real, Path(os.path.realpath(data_dir)))


def _is_text(path: Path) -> bool:
    """The store and the chats can only say what is."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_made_up(path: Path) -> bool:
    return any(path.is_relative_to(place) for place in MADE_UP)


def _no_folder(path: Path) -> str | None:
    if not os.path.exists(path):
        return "project.not_there"
    if not os.path.isdir(path):
        return "project.no_directory"
    if not os.access(path, os.R_OK | os.X_OK):
        return "project.closed"
    return None


def _mixed_up(real: Path, data: Path) -> str | None:
    """Whether an agent in *real* would reach our data."""
    if real.is_relative_to(data):
        return "project.inside_data"
    return "project.holds_data" if data.is_relative_to(real) else None
