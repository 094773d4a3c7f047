"""The files of a project that agents and git look for, read so that no name and no file does harm."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from core.hosts.survey import ALL_MOST, ENTRIES_MOST, SIZE_MOST, survey
from core.model.repository import Survey, WatchedFile
from tests.support.tree import ROOT


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def surveyed(project: Path, known: str = "") -> Survey:
    found = survey(str(project), known)
    assert found
    return found


def files(project: Path) -> dict[str, WatchedFile]:
    return {file.path: file for file in surveyed(project).files}


def put(project: Path, path: str, data: bytes = b"x", *, mode: int = 0o644) -> Path:
    file = project / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(mode)
    return file


def test_an_empty_project_holds_nothing(project: Path) -> None:
    assert surveyed(project).files == ()
    assert survey(str(project / "gone"), "") is None
    assert survey(str(put(project, "file")), "") is None


def test_what_is_watched_is_read_and_nothing_else(project: Path) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    paths = [".mcp.json", ".codex/config.toml", "AGENTS.md", ".cursor/rules/a.mdc", ".opencode/plugin/x.ts"]
    for path in (*paths, "README.md", "src/AGENTS.md", ".cursor/rules/deeper/b.mdc"):
        put(project, path, path.encode())
    put(project, ".git/hooks/pre-commit", b"x", mode=0o755)
    found = files(project)
    assert found.keys() == {*paths, ".git/config", ".git/hooks/pre-commit"}
    assert all(found[path].data == path.encode() for path in paths)
    assert found[".git/hooks/pre-commit"].runs
    assert not found["AGENTS.md"].runs


def test_nothing_new_is_nothing_to_read(project: Path) -> None:
    put(project, "AGENTS.md")
    put(project, ".git/hooks/pre-commit", mode=0o755)
    mark = surveyed(project).mark
    assert survey(str(project), mark) is None
    put(project, "README.md")
    assert survey(str(project), mark) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda project: (project / "AGENTS.md").write_text("y"),
        lambda project: (project / "AGENTS.md").unlink(),
        lambda project: (project / "AGENTS.md").chmod(0o755),
        lambda project: (project / "CLAUDE.md").symlink_to("AGENTS.md"),
        lambda project: (project / ".mcp.json").write_text("{}"),
        lambda project: os.replace(put(project, "new", b"x"), project / "AGENTS.md"),
    ],
)
def test_any_change_makes_another_mark(project: Path, change: object) -> None:
    put(project, "AGENTS.md")
    mark = surveyed(project).mark
    assert callable(change)
    change(project)
    assert surveyed(project, mark).mark != mark


def test_times_that_are_put_back_hide_nothing(project: Path) -> None:
    file = put(project, "AGENTS.md", b"be kind")
    facts, mark = file.stat(), surveyed(project).mark
    file.write_bytes(b"be evil")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert survey(str(project), mark)


def test_links_are_followed_within_the_project_and_never_out(project: Path, tmp_path: Path) -> None:
    put(project, "AGENTS.md", b"words")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    (project / "GEMINI.md").symlink_to("/etc/passwd")
    (project / ".mcp.json").symlink_to("../secret.json")
    (project / ".cursorrules").symlink_to("nowhere")
    put(tmp_path, "secret.json", b"secret")
    (tmp_path / "elsewhere").mkdir()
    put(tmp_path, "elsewhere/settings.json", b"secret")
    (project / ".claude").symlink_to(tmp_path / "elsewhere")
    put(tmp_path, "hooks/pre-commit", b"secret", mode=0o755)
    (project / ".git").mkdir()
    (project / ".git" / "hooks").symlink_to(tmp_path / "hooks")
    found = files(project)
    assert found["CLAUDE.md"].data == b"words"
    outside = ("GEMINI.md", ".mcp.json", ".claude/settings.json", ".git/hooks")
    assert [found[path].data for path in outside] == [None] * 4
    assert ".cursorrules" not in found
    assert not any(file.data and b"secret" in file.data for file in found.values())


def test_what_looks_secret_is_not_read_by_another_name(project: Path) -> None:
    put(project, ".env", b"KEY=secret")
    (project / ".git").mkdir()
    (project / ".git" / "hooks").mkdir()
    (project / ".git" / "hooks" / "pre-commit").symlink_to("../../.env")
    os.link(put(project, "other", b"secret"), project / "AGENTS.md")
    found = files(project)
    assert found[".git/hooks/pre-commit"].data is None
    assert found["AGENTS.md"].data is None


def test_what_is_no_plain_small_file_is_told_of_and_not_read(project: Path) -> None:
    os.mkfifo(project / "CLAUDE.md")
    put(project, "AGENTS.md", b"x" * (SIZE_MOST + 1))
    put(project, "GEMINI.md", b"\0" * SIZE_MOST)
    (project / ".mcp.json").mkdir()
    found = files(project)
    assert (found["CLAUDE.md"].data, found["AGENTS.md"].data) == (None, None)
    assert found["GEMINI.md"].data == b"\0" * SIZE_MOST
    assert ".mcp.json" not in found


def test_a_folder_of_too_many_is_told_of_as_one(project: Path) -> None:
    for number in range(ENTRIES_MOST + 1):
        put(project, f".cursor/rules/{number}.mdc")
    assert [(file.path, file.data) for file in surveyed(project).files] == [(".cursor/rules", None)]
    assert survey(str(project), surveyed(project).mark) is None


def test_all_together_are_bounded(project: Path) -> None:
    for number in range(ENTRIES_MOST):
        put(project, f".cursor/rules/{number}.mdc", b"x" * SIZE_MOST)
    read = sum(len(file.data or b"") for file in surveyed(project).files)
    assert ALL_MOST <= read <= ALL_MOST + SIZE_MOST


def test_names_that_mean_something_elsewhere_are_names(project: Path) -> None:
    odd = "a\n`b`*\u202e<script>.mdc"
    put(project, f".cursor/rules/{odd}")
    folder = os.fsencode(project / ".cursor" / "rules")
    os.close(os.open(os.path.join(folder, b"\xff.mdc"), os.O_CREAT | os.O_WRONLY))
    assert files(project).keys() == {f".cursor/rules/{odd}", ".cursor/rules/\udcff.mdc"}


def test_this_repository_is_looked_at_too() -> None:
    assert surveyed(ROOT).mark
