"""The folders that may become projects: beside those that are some already."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from bot.paths import path_fault
from core.model.project import Project

NAME = re.compile(r"[^\W_][\w.-]{0,39}")
NO_PART = re.compile(r"[^\w.-]+")
MOST = 8
"""Folders that are offered, those first in which something changed last."""
MOST_LOOKED_AT = 500


def home_of(known: Sequence[Project]) -> Path:
    """Where the newest project is, else the home of who runs this."""
    newest = max(known, key=lambda one: one.id, default=None)
    return Path(newest.path).parent if newest else Path.home()


def folders(home: Path, known: Sequence[Project], data_dir: Path) -> list[Path]:
    """Those in *home* that are no project yet and may be one."""
    names, paths = {one.name for one in known}, {one.real or one.path for one in known}

    def fits(folder: Path) -> bool:
        free = folder.name not in names and os.path.realpath(folder) not in paths
        return free and bool(NAME.fullmatch(folder.name)) and path_fault(folder, data_dir) is None

    return sorted(filter(fits, _inside(home)), key=_changed, reverse=True)[:MOST]


def _inside(home: Path) -> list[Path]:
    try:
        with os.scandir(home) as inside:
            return [Path(one.path) for one in islice(inside, MOST_LOOKED_AT)]
    except OSError:
        return []


def _changed(folder: Path) -> float:
    """When it changed last; long ago, where it is gone meanwhile."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def short(path: Path) -> str:
    """As people write it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}".removesuffix("/.") if path.is_relative_to(home) else str(path)


def named_after(title: str, known: Sequence[Project]) -> str:
    """The name that a project of a chat with this *title* could have; empty where none can be made of it, or
    another has it."""
    name = NO_PART.sub("-", title)[:40].strip("-._")
    free = all(one.name.casefold() != name.casefold() for one in known)
    return name if free and NAME.fullmatch(name) else ""
