"""What the built-in agent remembers of its sessions: a small file for each, for its owner only."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

SAID_KEPT = 20
SESSIONS_KEPT = 200
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Session:
    """*turns* counts all that were begun, *said* holds what the person wrote in the last of them."""

    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    turns: int = 0
    said: tuple[str, ...] = ()

    def heard(self, words: str) -> Session:
        return replace(self, turns=self.turns + 1, said=(*self.said, words[:200])[-SAID_KEPT:])

    def forked(self) -> Session:
        """Another one, in which the same was said."""
        return replace(self, id=Session().id)


class Memory:
    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @classmethod
    def of(cls, env: Mapping[str, str]) -> Memory:
        """Where the person's programs keep their state (XDG base directories)."""
        state = env.get("XDG_STATE_HOME") or os.path.join(env.get("HOME", "."), ".local", "state")
        return cls(Path(state) / "roost-demo")

    def recall(self, name: str) -> Session | None:
        """None for a session that was never kept here."""
        if not _UUID.fullmatch(name):
            return None
        try:
            kept = json.loads(self._path(name).read_text("utf-8"))
            return Session(name, int(kept["turns"]), tuple(map(str, kept["said"])))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, session: Session) -> None:
        self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._path(session.id)
        fresh = path.with_suffix(".new")
        with open(
            os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump({"turns": session.turns, "said": session.said}, file)
        fresh.replace(path)
        for forgotten in sorted(self._directory.glob("*.json"), key=_age)[:-SESSIONS_KEPT]:
            forgotten.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._directory / f"{name}.json"


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
