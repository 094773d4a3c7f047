"""A project is counted as a person would count it, and no further than it reaches."""

from __future__ import annotations

from pathlib import Path

from core.demo.survey import File, Share, survey


def write(root: Path, **sizes: int) -> None:
    for name, size in sizes.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)


def test_files_languages_and_sizes(tmp_path: Path) -> None:
    write(tmp_path, a_py=10, src__b_py=20, src__deep__c_rs=50, README_md=5, LICENSE=7)
    found = survey(str(tmp_path))
    assert (found.name, found.files, found.folders, found.size) == (tmp_path.name, 5, 2, 92)
    assert found.shares == (
        Share("Rust", 1, 50),
        Share("Python", 2, 30),
        Share("Other", 1, 7),
        Share("Text", 1, 5),
    )
    assert found.largest == File("src/deep/c.rs", 50)
    assert found.readme == "README.md"
    assert not found.cut


def test_what_machines_made_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, a_py=1, output__c_webp=1)
    write(tmp_path / "node_modules" / "deep", b_js=1)
    write(tmp_path / ".git", config=1)
    write(tmp_path / "src" / "__pycache__", x_pyc=1)
    assert survey(str(tmp_path)).files == 1


def test_links_are_not_followed(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    write(outside, secret_py=100)
    write(project, a_py=1)
    (project / "there").symlink_to(outside)
    (project / "README.md").symlink_to(outside / "secret.py")
    (project / "loop").symlink_to(project)
    found = survey(str(project))
    assert (found.files, found.size, found.readme) == (1, 1, None)


def test_a_huge_tree_is_looked_at_up_to_a_point(tmp_path: Path) -> None:
    write(tmp_path, a_py=1, b_py=1, c_py=1)
    assert survey(str(tmp_path), most=3).cut is False
    found = survey(str(tmp_path), most=2)
    assert (found.files, found.cut) == (2, True)


def test_an_empty_project(tmp_path: Path) -> None:
    found = survey(str(tmp_path))
    assert (found.files, found.size, found.shares, found.largest, found.readme) == (0, 0, (), None, None)
