"""What changed in a project, asked of git without believing a word of the repository's configuration.

git runs what a repository's configuration names: hooks, file system monitors, filters, converters, transports
for missing objects. Overriding each by name would be a race against the next version of git. So git compares
from a directory of our own: the repository lends its objects, its index and its HEAD, and nothing else.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import NoGit, NoRepository, ProjectGone
from core.hosts.commands import Said, ask
from core.hosts.names import SECRET_GLOBS

SECONDS = 20.0
DIFF_MOST = 4 * 1024 * 1024
_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
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
_SECRETS = tuple(f":(exclude,icase,glob){pattern}" for pattern in SECRET_GLOBS)
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


def diff(root: str) -> str:
    """The project's changes since its last commit, new files included, secret-looking ones left out.

    Empty without a change; cut off after 4 MB or 20 s. Errors: `NoGit`, `NoRepository`, `ProjectGone`.
    """
    repository = _look(root)
    if repository is None:
        raise NoRepository
    with TemporaryDirectory(prefix="roost-git-") as place:
        ours = Path(place)
        _furnish(ours, repository)
        env = {
            "GIT_DIR": place,
            "GIT_WORK_TREE": str(repository.top),
            "GIT_OBJECT_DIRECTORY": str(repository.objects),
        }
        _announce(root, ours / "new", env)
        said = _git(root, *_DIFF, repository.head, "--", ".", *_SECRETS, env=env)
    return said.data.decode(errors="replace") if said else ""


def _announce(root: str, names: Path, env: Mapping[str, str]) -> None:
    """Tell our index of files that git does not know yet. Each by its name: `git add .` would ask
    submodules how they are, by their own configurations. Other repositories end with a slash."""
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".", *_SECRETS, env=env)
    files = [name for name in new.data.split(b"\0") if name and not name.endswith(b"/")] if new else []
    if files:
        names.write_bytes(b"\0".join(files))
        listed = (f"--pathspec-from-file={names}", "--pathspec-file-nul")
        literal = {**env, "GIT_LITERAL_PATHSPECS": "1"}
        _git(root, "add", "--intent-to-add", "--ignore-errors", *listed, env=literal)


def _look(root: str) -> _Repository | None:
    """These questions are answered from refs and paths alone; they start nothing and read no object."""
    asked = (word for path in _PATHS for word in ("--git-path", path))
    where = _git(root, "rev-parse", "--path-format=absolute", *_FACTS, *asked)
    if where is None:
        raise NoGit if Path(root).is_dir() else ProjectGone(path=root)
    if where.code != 0:
        return None
    lines = where.data.decode(errors="surrogateescape").splitlines()
    if len(lines) != 5 or not Path(root).resolve().is_relative_to(lines[0]):
        return None  # a work tree elsewhere: that is not this project
    top, form, *paths = lines
    head = _git(root, "rev-parse", "--verify", "--quiet", "HEAD")
    commit = head.data.decode().strip() if head and head.code == 0 else _EMPTY_TREE[form]
    return _Repository(Path(top), commit, form, *map(Path, paths))


def _furnish(ours: Path, repository: _Repository) -> None:
    version = int(repository.form != "sha1")
    extension = f"[extensions]\nobjectFormat = {repository.form}\n" if version else ""
    core = f"[core]\nrepositoryFormatVersion = {version}\nbare = false\nquotePath = false\n"
    (ours / "config").write_text(core + extension)
    (ours / "HEAD").write_text("ref: refs/heads/none\n")
    (ours / "refs").mkdir()
    (ours / "info").mkdir()
    for source, name in ((repository.index, "index"), (repository.exclude, "info/exclude")):
        if source.is_file():
            # With its time: git believes the times of a file that is older than the index, and no other's.
            shutil.copy2(source, ours / name)


def _git(root: str, *words: str, env: Mapping[str, str] | None = None) -> Said | None:
    argv = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", *words)
    return ask(argv, cwd=root, env={**_ENV, **(env or {})}, seconds=SECONDS, most=DIFF_MOST)
