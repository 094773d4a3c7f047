"""What changed in a project, asked of git without believing a word of the repository's configuration.

git runs what a repository's configuration names: hooks, file system monitors, filters, converters, transports
for missing objects. Overriding each by name would be a race against the next version of git. So git compares
from a directory of our own: the repository lends its objects, its index and its HEAD, and nothing else.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import DiffUnreadable, NoGit, NoRepository, ProjectGone
from core.hosts.commands import Said, ask
from core.hosts.files import project
from core.hosts.names import SECRET_GLOBS

SECONDS = 20.0
DIFF_MOST = 4 * 1024 * 1024
NAMES_MOST = 64 * 1024 * 1024
LENT_MOST = 256 * 1024 * 1024
"""Bytes of an index that is copied: one may be a link to anything."""
NO_SIGN = "\ufffd"
LARGE = 32 * 1024 * 1024
"""A file of so many bytes is named, and none of it shown: git would hold it in memory, twice."""
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_EMPTY_FILE = {
    "sha1": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "sha256": "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
_ENV = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PAGER": "cat",
}
_SECRETS = tuple(f":(icase,glob){pattern}" for pattern in SECRET_GLOBS)
_OTHERS = (".", *(f":(exclude,icase,glob){pattern}" for pattern in SECRET_GLOBS))
_DIFF = ("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty")
_FACTS = ("--show-toplevel", "--show-object-format")
_PATHS = ("objects", "index", "info/exclude")


@dataclass(frozen=True, slots=True)
class _Repository:
    """What is borrowed from a repository. *head* is its last commit, or the empty tree."""

    top: Path
    head: str
    form: str
    objects: Path
    index: Path
    exclude: Path


@dataclass(frozen=True, slots=True)
class _Git:
    """git in the directory *root*, each question for *seconds* at most."""

    root: str
    seconds: float
    env: Mapping[str, str] = field(default_factory=lambda: _ENV)

    def told(self, *words: str, most: int = DIFF_MOST, given: bytes = b"") -> bytes:
        """What it says, cut off after *most*. Errors: `DiffUnreadable`, `TimeoutError`."""
        said = self.asked(*words, most=most, given=given)
        if said is None or (said.code is None and len(said.data) < most):
            raise TimeoutError
        if said.code:
            raise DiffUnreadable
        return said.data

    def asked(self, *words: str, most: int = DIFF_MOST, given: bytes = b"") -> Said | None:
        argv = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *words)
        return ask(argv, cwd=self.root, env=self.env, seconds=self.seconds, most=most, given=given)


def diff(root: str, *, real: str = "", seconds: float = SECONDS) -> str:
    """The project's changes since its last commit, new files included; of secret-looking ones the names.

    Empty without a change; cut off after 4 MB. Errors: `NoGit`, `NoRepository`, `ProjectGone`,
    `ProjectMoved`, `DiffUnreadable` where git can't tell, `TimeoutError` where it takes longer to tell one.
    """
    try:
        with project(root, real) as top:
            return _diff(_Git(f"/proc/self/fd/{top}", seconds))
    except (FileNotFoundError, NotADirectoryError):
        raise ProjectGone(path=root) from None


def _diff(git: _Git) -> str:
    repository = _look(git)
    if repository is None:
        raise NoRepository
    with TemporaryDirectory(prefix="roost-git-") as place:
        _furnish(Path(place), repository)
        ours = {
            "GIT_DIR": place,
            "GIT_WORK_TREE": str(repository.top),
            "GIT_OBJECT_DIRECTORY": str(repository.objects),
        }
        git = replace(git, env={**git.env, **ours})
        large = _announce(git, repository)
        said = git.told(*_DIFF, repository.head, "--", *_OTHERS)
        held = sorted({*_changed(git, repository), *_new(git, _SECRETS)})
    return _text(said) + "".join(map(_named, large)) + "".join(map(_held, held))


def _text(said: bytes) -> str:
    """An ellipsis stands where it was cut off: the beginning of a secret before one is known."""
    text = said.decode(errors="replace")
    return text if len(said) < DIFF_MOST else f"{text.rstrip(NO_SIGN)}…\n"


def _announce(git: _Git, repository: _Repository) -> list[bytes]:
    """Tell our index of files that git does not know yet, as empty ones: `git add` would look for each
    among all, and ask submodules how they are, by their own configurations. Those that are too large."""
    new = dict(_sized(repository.top, _new(git, _OTHERS)))
    empty = _EMPTY_FILE[repository.form].encode()
    lines = [b"100644 %s\t%s\0" % (empty, name) for name, size in new.items() if size < LARGE]
    if lines:
        git.told("update-index", "-z", "--index-info", given=b"".join(lines))
    return [name for name, size in new.items() if size >= LARGE]


def _new(git: _Git, which: tuple[str, ...]) -> list[bytes]:
    words = ("ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", *which)
    return _names(git.told(*words, most=NAMES_MOST))


def _changed(git: _Git, repository: _Repository) -> list[bytes]:
    """Those that look like secrets."""
    words = (*_DIFF, "--name-only", "-z", repository.head, "--", *_SECRETS)
    return _names(git.told(*words, most=NAMES_MOST))


def _names(said: bytes) -> list[bytes]:
    return [name for name in said.split(b"\0") if name]


def _sized(top: Path, names: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Those that can be read, and how long they are. Other repositories end with a slash."""
    for name in names:
        path = os.path.join(os.fsencode(top), name)
        if not name.endswith(b"/"):
            with suppress(OSError):
                link = os.path.islink(path)
                if link or os.access(path, os.R_OK):
                    yield name, 0 if link else os.stat(path, follow_symlinks=False).st_size


def _named(name: bytes) -> str:
    """As git words a file of which it shows nothing."""
    shown = _printable(name)
    head = f"diff --git a/{shown} b/{shown}\nnew file mode 100644\n"
    return f"{head}Binary files /dev/null and b/{shown} differ\n"


def _held(name: bytes) -> str:
    """One that looks like a secret: that it changed, and nothing of it."""
    shown = _printable(name)
    return f"diff --git a/{shown} b/{shown}\n"


def _printable(name: bytes) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name.decode(errors="replace"))


def _look(git: _Git) -> _Repository | None:
    """These questions are answered from refs and paths alone; they start nothing and read no object."""
    asked = (word for path in _PATHS for word in ("--git-path", path))
    where, root = git.asked("rev-parse", "--path-format=absolute", *_FACTS, *asked), git.root
    if where is None:
        raise NoGit
    if where.code is None:
        raise TimeoutError
    if where.code != 0:
        return None
    lines = where.data.decode(errors="surrogateescape").rstrip("\n").split("\n")
    if len(lines) != 5 or not Path(root).resolve().is_relative_to(lines[0]):
        return None  # a work tree elsewhere: that is not this project
    top, form, *paths = lines
    return _Repository(Path(top), _head(git) or _EMPTY_TREE[form], form, *map(Path, paths))


def _head(git: _Git) -> str:
    """The last commit; empty where there is none."""
    said = git.asked("rev-parse", "--verify", "--quiet", "HEAD")
    return said.data.decode().strip() if said and said.code == 0 else ""


def _furnish(ours: Path, repository: _Repository) -> None:
    version = int(repository.form != "sha1")
    extension = f"[extensions]\nobjectFormat = {repository.form}\n" if version else ""
    core = f"[core]\nrepositoryFormatVersion = {version}\nbare = false\nquotePath = false\n"
    core += f"bigFileThreshold = {LARGE}\n"
    (ours / "config").write_text(core + extension)
    (ours / "HEAD").write_text("ref: refs/heads/none\n")
    (ours / "refs").mkdir()
    (ours / "info").mkdir()
    for source, name in ((repository.index, "index"), (repository.exclude, "info/exclude")):
        try:
            _lend(source, ours / name)
        except PermissionError as error:
            raise DiffUnreadable from error


def _lend(source: Path, ours: Path) -> None:
    if source.is_file():
        if source.stat().st_size > LENT_MOST:
            raise DiffUnreadable
        # With its time: git believes the times of a file that is older than the index, and no other's.
        shutil.copy2(source, ours)
