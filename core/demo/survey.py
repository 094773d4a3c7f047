"""What a project's directory holds: files, sizes and languages."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath

MOST_FILES = 20_000
"""A larger tree is looked at up to here."""
PASSED_OVER = frozenset(
    ("node_modules", "venv", "__pycache__", "dist", "build", "target", "vendor", "output", "site-packages")
)
"""Made by machines, as is every directory whose name begins with a dot."""
UNNAMED = frozenset({".git"})
"""Nobody counts these among a project's folders."""

LANGUAGES = {
    **dict.fromkeys((".py", ".pyi"), "Python"),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx"), "TypeScript"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".hpp", ".cxx"), "C++"),
    **dict.fromkeys((".html", ".htm"), "HTML"),
    **dict.fromkeys((".css", ".scss", ".less"), "CSS"),
    **dict.fromkeys((".sh", ".bash", ".zsh"), "Shell"),
    **dict.fromkeys((".md", ".rst", ".txt", ".adoc"), "Text"),
    **dict.fromkeys((".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".xml", ".csv", ".lock"), "Data"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico"), "Pictures"),
    ".rs": "Rust",
    ".go": "Go",
    ".java": "Java",
    ".kt": "Kotlin",
    ".rb": "Ruby",
    ".php": "PHP",
    ".swift": "Swift",
    ".cs": "C#",
    ".lua": "Lua",
    ".sql": "SQL",
    ".po": "Translations",
    ".ipynb": "Notebooks",
}
OTHER = "Other"


@dataclass(frozen=True, slots=True)
class File:
    """*path* is relative to the project, *size* in bytes."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Share:
    language: str
    files: int
    size: int


@dataclass(frozen=True, slots=True)
class Survey:
    """*shares* from the largest to the smallest; *cut* is set when the tree was too large to see whole.
    *folders* are those that hold any of the files; *passed_over* is what machines made, by name, and *unread*
    counts the folders that can't be looked into."""

    name: str
    files: int
    folders: int
    size: int
    shares: tuple[Share, ...]
    largest: File | None
    readme: str | None
    cut: bool
    passed_over: tuple[str, ...] = ()
    unread: int = 0


def survey(root: str, most: int = MOST_FILES) -> Survey:
    """Looks at regular files only, at most *most* of them, and follows no symbolic link."""
    files: list[File] = []
    cut, look = False, _Look(root)
    for file in look.files():
        if cut := len(files) == most:
            break
        files.append(file)
    return Survey(
        name=PurePath(root).name,
        files=len(files),
        folders=len({folder for file in files for folder in _above(file.path)}),
        size=sum(file.size for file in files),
        shares=_shares(files),
        largest=max(files, key=lambda file: file.size, default=None),
        readme=next((file.path for file in files if _is_readme(file.path)), None),
        cut=cut,
        passed_over=tuple(sorted(look.passed_over)),
        unread=look.unread,
    )


class _Look:
    """A walk through a tree, and what was not seen of it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.passed_over: set[str] = set()
        self.unread = 0

    def files(self) -> Iterator[File]:
        waiting = [self._root]
        while waiting:
            try:
                with os.scandir(waiting.pop()) as found:
                    entries = sorted(found, key=lambda entry: entry.name)
            except OSError:
                self.unread += 1
                continue
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name.startswith(".") or entry.name in PASSED_OVER:
                        self.passed_over |= {entry.name} - UNNAMED
                    else:
                        waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield from self._file(entry)

    def _file(self, entry: os.DirEntry[str]) -> Iterator[File]:
        with suppress(FileNotFoundError):  # gone meanwhile
            size = entry.stat(follow_symlinks=False).st_size
            yield File(os.path.relpath(entry.path, self._root), size)


def _above(path: str) -> Iterator[str]:
    """The folders that a file lies in, without the project's own."""
    while path := os.path.dirname(path):
        yield path


def _is_readme(path: str) -> bool:
    return "/" not in path and path.lower().startswith("readme")


def _shares(files: list[File]) -> tuple[Share, ...]:
    sizes: dict[str, list[int]] = defaultdict(list)
    for file in files:
        sizes[LANGUAGES.get(PurePath(file.path).suffix.lower(), OTHER)].append(file.size)
    shares = [Share(language, len(found), sum(found)) for language, found in sizes.items()]
    return tuple(sorted(shares, key=lambda share: (-share.size, share.language)))
