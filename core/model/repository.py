"""What a project's own files make agent programs and git run or obey by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class OrderKind(StrEnum):
    """What a file brings about, the gravest first."""

    RUNS = "runs"
    SERVER = "server"
    GIT = "git"
    UNREADABLE = "unreadable"
    SETS = "sets"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Order:
    """*file* is relative to the project. *words*: the command, its address, what is set; empty for words that
    an agent is told, of which it only matters that they are there. Both are plain, printable text."""

    kind: OrderKind
    file: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """A file that some agent program looks for. *data* is None where it can't be read: it is too large, no
    regular file, or leads out of the project; *mark* then tells one state of it from another. *runs*: it may
    be executed."""

    path: str
    data: bytes | None
    runs: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Survey:
    """The watched files that are there. *mark* is another one as soon as one of them has changed."""

    mark: str
    files: tuple[WatchedFile, ...]
