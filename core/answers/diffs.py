"""How large a unified diff is, and what its lines are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise

_GIT = "diff --git "


@dataclass(frozen=True, slots=True)
class DiffSize:
    """How many files changed, and the lines that came and went."""

    files: int = 0
    added: int = 0
    removed: int = 0


def held_back(diff: str) -> int:
    """How many files it names and says nothing of."""
    heads = [*(line.startswith(_GIT) for line in diff.rstrip("\n").split("\n")), True]
    return sum(one and following for one, following in pairwise(heads))


def size_of(diff: str) -> DiffSize:
    """Of a diff as git writes it; what stands between its parts is no line of a file."""
    files = added = removed = 0
    inside = False
    for line in diff.split("\n"):
        if line.startswith(_GIT):
            files, inside = files + 1, False
        elif line.startswith("@@ "):
            inside = True
        elif inside:
            added += line.startswith("+")
            removed += line.startswith("-")
    return DiffSize(files, added, removed)


class Kind(Enum):
    """What a line of a diff is: the name of a *file*, a *place* in it, or a line of it."""

    FILE = auto()
    PLACE = auto()
    ADDED = auto()
    REMOVED = auto()
    SAME = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """*text* as it is shown, with its sign."""

    kind: Kind
    text: str


_SIGNS = {"+": Kind.ADDED, "-": Kind.REMOVED, " ": Kind.SAME}
_TOLD = ("new file", "deleted file", "rename to", "old mode", "new mode", "Binary files")
"""What is said of a file as a whole; the rest is for programs."""


def lines(diff: str) -> Iterator[Line]:
    """What somebody reads of it."""
    inside = False
    for line in diff.split("\n"):
        if line.startswith(_GIT):
            inside = False
            yield Line(Kind.FILE, _name(line))
        elif line.startswith("@@ "):
            inside = True
            yield Line(Kind.PLACE, line)
        elif inside and line[:1] in _SIGNS:
            yield Line(_SIGNS[line[:1]], line)
        elif not inside and line.startswith(_TOLD):
            yield Line(Kind.PLACE, line)


def _name(line: str) -> str:
    """What the file is called by now."""
    names = line.removeprefix(_GIT)
    before, after = names[: len(names) // 2], names[len(names) // 2 + 1 :]
    same = before.removeprefix("a/") == after.removeprefix("b/")
    return (after if same else names.rpartition(" b/")[2]).removeprefix("b/")
