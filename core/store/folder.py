"""The folder that everything is kept in: ours, and closed to others."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from core.errors import StoreError

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def made_private(path: Path) -> None:
    """Make it if it is not there, and close it to everybody else. Errors: `StoreError` where it is somebody
    else's or one for everybody like `/tmp`, or no folder can be there, `OSError`."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("store.no_folder", path=path, why=error.strerror or "") from error
    kept = path.stat()
    if kept.st_uid != os.geteuid() or kept.st_mode & stat.S_ISVTX:
        raise StoreError("store.foreign", path=path)
    if kept.st_mode & OTHERS:
        path.chmod(0o700)
