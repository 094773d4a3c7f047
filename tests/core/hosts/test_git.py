"""Changes of a project are shown, and nothing that its repository names is run."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.answers.diffs import held_back
from core.errors import DiffUnreadable, NoGit, NoRepository, ProjectGone
from core.hosts.git import DIFF_MOST, LARGE, LENT_MOST, diff
from tests.support.agents import eventually

ENV = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(root: Path, *words: str) -> str:
    return subprocess.run(
        ("git", *words), cwd=root, env=ENV, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(params=["sha1", "sha256"])
def repository(project: Path, request: pytest.FixtureRequest) -> Path:
    git(project, "init", "-q", f"--object-format={request.param}")
    (project / "kept.txt").write_text("one\n")
    (project / ".gitignore").write_text("*.log\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    return project


def changed(root: Path) -> set[str]:
    shown = diff(str(root)).splitlines()
    return {line.split(" b/")[1] for line in shown if line.startswith("diff --git")}


def test_nothing_changed(repository: Path) -> None:
    assert diff(str(repository)) == ""


def test_changed_staged_new_and_gone(repository: Path) -> None:
    (repository / "gone.txt").write_text("x\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "second")
    (repository / "gone.txt").unlink()
    (repository / "kept.txt").write_text("two\n")
    (repository / "staged.txt").write_text("staged\n")
    git(repository, "add", "staged.txt")
    (repository / "größe new.txt").write_text("fresh\n")
    (repository / "noise.log").write_text("x\n")
    index = (repository / ".git/index").read_bytes()
    shown = diff(str(repository))
    assert "-one\n+two\n" in shown
    for name in ("gone.txt", "staged.txt", "größe new.txt"):
        assert f" b/{name}" in shown
    assert "noise.log" not in shown
    assert (repository / ".git/index").read_bytes() == index


async def test_a_change_in_the_second_of_a_checkout_shows_later(repository: Path) -> None:
    """Same size, same times to the second: git has to look at the bytes, and knows by its index's age."""
    path, index = repository / "kept.txt", repository / ".git/index"
    for _ in range(20):
        path.unlink()
        git(repository, "checkout", "-q", "--", "kept.txt")
        first = int(path.stat().st_ctime)
        path.write_text("two\n")
        if first == int(path.stat().st_ctime) == int(index.stat().st_mtime):
            break
    await eventually(lambda: int(time.time()) > first)
    assert changed(repository) == {"kept.txt"}


def test_before_the_first_commit(project: Path) -> None:
    git(project, "init", "-q")
    (project / "new.txt").write_text("x\n")
    assert changed(project) == {"new.txt"}


def test_only_the_projects_own_part_of_a_repository(repository: Path) -> None:
    (repository / "sub").mkdir()
    (repository / "sub/in.txt").write_text("x\n")
    (repository / "kept.txt").write_text("changed outside\n")
    assert changed(repository / "sub") == {"sub/in.txt"}


def test_a_second_work_tree(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "second"))
    (tmp_path / "second/kept.txt").write_text("two\n")
    assert changed(tmp_path / "second") == {"kept.txt"}
    assert changed(repository) == set()


def test_what_looks_secret_is_left_out(repository: Path) -> None:
    known = {".env.old", "sub/.npmrc"}
    names = {".env", "sub/.ENV.local", "sub/id_rsa", ".mcp.json", ".Docker/config.json", "sub/.aws/a/b"}
    names |= {*known, "sub/.config/gh/hosts.yml"}
    for name in (*known, *names, "plain.txt"):
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text("KEY=1\n")
        if name in known:
            git(repository, "add", name)
    assert changed(repository) == {"plain.txt", *names}
    shown = diff(str(repository))
    assert shown.count("KEY") == 1
    assert held_back(shown) == len(names)


def test_no_repository_and_no_directory(project: Path) -> None:
    with pytest.raises(NoRepository):
        diff(str(project))
    with pytest.raises(ProjectGone):
        diff(str(project / "gone"))


def test_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoGit):
        diff(str(repository))


def test_a_work_tree_elsewhere_is_not_shown(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private/kept.txt").write_text("PRIVATE\n")
    git(repository, "config", "core.worktree", str(tmp_path / "private"))
    with pytest.raises(NoRepository):
        diff(str(repository))


def trap(place: Path) -> str:
    """A program that leaves a trace, and says what each kind of helper has to say."""
    path = place / "trap.sh"
    path.write_text(f"#!/bin/sh\necho \"$0 $*\" >>'{place}/sprung'\ncat\n")
    path.chmod(0o700)
    return str(path)


def hostile(repository: Path, place: Path) -> None:
    spring = trap(place)
    (repository / ".gitattributes").write_text("*.txt filter=evil diff=evil merge=evil\n")
    for hook in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman"):
        (repository / ".git/hooks").mkdir(exist_ok=True)
        (repository / ".git/hooks" / hook).write_text(Path(spring).read_text())
        (repository / ".git/hooks" / hook).chmod(0o700)
    settings = {
        "diff.external": spring,
        "diff.evil.command": spring,
        "diff.evil.textconv": spring,
        "filter.evil.clean": spring,
        "filter.evil.smudge": spring,
        "filter.evil.required": "true",
        "core.fsmonitor": spring,
        "core.pager": spring,
        "pager.diff": spring,
        "core.sshCommand": spring,
        "core.gitProxy": spring,
        "core.editor": spring,
        "core.askPass": spring,
        "credential.helper": spring,
        "interactive.diffFilter": spring,
        "alias.diff": f"!{spring}",
        "alias.add": f"!{spring}",
        "core.alternateRefsCommand": spring,
        "uploadpack.packObjectsHook": spring,
        "gpg.program": spring,
        "remote.origin.url": f"ext::{spring}",
        "remote.origin.uploadpack": spring,
        "remote.origin.promisor": "true",
        "protocol.allow": "always",
    }
    for name, value in settings.items():
        git(repository, "config", name, value)
    (place / "included").write_text(
        f'[filter "evil"]\n\tprocess = {spring}\n[core]\n\tfsmonitor = {spring}\n'
    )
    git(repository, "config", "include.path", str(place / "included"))


def test_nothing_of_a_hostile_repository_is_run(repository: Path, tmp_path: Path) -> None:
    hostile(repository, tmp_path)
    (repository / "kept.txt").write_text("two\n")
    (repository / "new.txt").write_text("fresh\n")
    shown = diff(str(repository))
    assert "-one\n+two\n" in shown
    assert "+fresh\n" in shown
    assert not (tmp_path / "sprung").exists()
    subprocess.run(("git", "diff"), cwd=repository, env=ENV, check=False, capture_output=True)
    assert (tmp_path / "sprung").exists(), "the traps work: git itself springs them"


def test_nothing_of_a_hostile_submodule_is_run(repository: Path, tmp_path: Path) -> None:
    (repository / "module").mkdir()
    git(repository / "module", "init", "-q", f"--object-format={object_format(repository)}")
    (repository / "module/kept.txt").write_text("x\n")
    git(repository / "module", "add", "-A")
    git(repository / "module", "commit", "-qm", "first")
    git(repository, "add", "module")
    git(repository, "commit", "-qm", "with a module")
    hostile(repository / "module", tmp_path)
    (repository / "module/kept.txt").write_text("y\n")
    (repository / "kept.txt").write_text("two\n")
    assert changed(repository) == {"kept.txt"}
    assert not (tmp_path / "sprung").exists()


def test_missing_objects_are_not_fetched(repository: Path, tmp_path: Path) -> None:
    (repository / "kept.txt").write_text("two\n")
    hostile(repository, tmp_path)
    git(repository, "config", "extensions.partialClone", "origin")
    blob = git(repository, "rev-parse", "HEAD:kept.txt").strip()
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(DiffUnreadable):
        diff(str(repository))
    assert not (tmp_path / "sprung").exists()


def object_format(repository: Path) -> str:
    return git(repository, "rev-parse", "--show-object-format").strip()


def without_its_commit(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD").strip()
    (repository / ".git/objects" / commit[:2] / commit[2:]).unlink()


def with_an_odd_index(repository: Path) -> None:
    (repository / ".git/index").write_bytes(b"x" * 100)


def with_an_endless_index(repository: Path) -> None:
    (repository / ".git/endless").touch()
    os.truncate(repository / ".git/endless", LENT_MOST + 1)
    (repository / ".git/index").unlink()
    (repository / ".git/index").symlink_to("endless")


def with_a_pipe_for_a_file(repository: Path) -> None:
    (repository / "kept.txt").unlink()
    os.mkfifo(repository / "kept.txt")


@pytest.mark.parametrize(
    "breaks", [without_its_commit, with_an_odd_index, with_an_endless_index, with_a_pipe_for_a_file]
)
def test_what_git_cannot_read_is_not_called_unchanged(
    repository: Path, breaks: Callable[[Path], None]
) -> None:
    (repository / "new.txt").write_text("fresh\n")
    breaks(repository)
    with pytest.raises(DiffUnreadable):
        diff(str(repository))


@pytest.mark.parametrize("pipe", [".gitattributes", "sub/.gitignore", ".git/objects/info/alternates"])
def test_what_git_waits_for_in_vain_is_not_called_unchanged(repository: Path, pipe: str) -> None:
    (repository / "kept.txt").write_text("two\n")
    (repository / pipe).parent.mkdir(exist_ok=True)
    os.mkfifo(repository / pipe)
    with pytest.raises(TimeoutError):
        diff(str(repository), seconds=0.5)


def test_a_new_file_without_an_end_is_named_and_not_read(repository: Path) -> None:
    (repository / "endless").touch()
    os.truncate(repository / "endless", 64 * 1024 * LARGE)
    assert changed(repository) == {"endless"}


def test_a_large_file_that_changed_is_named_and_none_of_it_shown(repository: Path) -> None:
    """git would hold all of it in memory, as it was and as it is."""
    (repository / "large.txt").write_text("a\n" * LARGE)
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "large")
    (repository / "large.txt").write_text("b\n" * (LARGE + 1))
    assert diff(str(repository)).endswith("\nBinary files a/large.txt and b/large.txt differ\n")


def test_what_is_cut_off_ends_with_an_ellipsis(repository: Path) -> None:
    """By that the beginning of a secret before it is known."""
    (repository / "long.txt").write_text("ü" * DIFF_MOST)
    assert diff(str(repository)).endswith("ü…\n")


def test_of_very_many_new_files_the_first_are_seen(repository: Path) -> None:
    """More of their names than are shown of a change, and more than git would look for one by one."""
    for at in range(21_000):
        (repository / f"{at:05}{'x' * 200}").touch()
    assert f" b/{0:05}{'x' * 200}\n" in diff(str(repository))


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x0b"])
def test_a_directory_may_have_any_name(repository: Path, sign: str) -> None:
    there = repository.rename(repository.parent / f"a{sign}b")
    (there / "kept.txt").write_text("two\n")
    assert changed(there) == {"kept.txt"}
