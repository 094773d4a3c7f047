"""Whether an agent program is logged in, looked up on this machine without asking anybody."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from core.model.login import Door, Login

MOST = 1_000_000
"""Characters of a file that are looked at."""


def door(login: Login, env: Mapping[str, str]) -> Door:
    """*env* is what the program gets. Nothing of what is found is kept."""
    if any(env.get(name) for name in login.variables):
        return Door.OPEN
    if any(_place(name, login, env).is_file() for name in login.files):
        return Door.OPEN
    if any(re.search(pattern, _text(_place(name, login, env))) for name, pattern in login.mentions):
        return Door.OPEN
    return Door.SHUT if login.sure else Door.UNSEEN


def _place(name: str, login: Login, env: Mapping[str, str]) -> Path:
    head, _, rest = name.partition("/")
    if head.startswith("$"):
        head = env.get(head[1:]) or dict(login.homes)[head[1:]]
    whole = f"{head}/{rest}"
    return Path(env.get("HOME", "/"), whole[2:]) if whole.startswith("~/") else Path(whole)


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(MOST)
    except OSError:
        return ""
