"""How large a unified diff is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DiffSize:
    """How many files changed, and the lines that came and went."""

    files: int = 0
    added: int = 0
    removed: int = 0


def size_of(diff: str) -> DiffSize:
    """Of a diff as git writes it; what stands between its parts is no line of a file."""
    files = added = removed = 0
    inside = False
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            files, inside = files + 1, False
        elif line.startswith("@@ "):
            inside = True
        elif inside:
            added += line.startswith("+")
            removed += line.startswith("-")
    return DiffSize(files, added, removed)
