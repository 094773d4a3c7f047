"""Where a project may lie, tried with real folders and links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.paths import path_fault


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with Roost's data, a project, a file, and links to all of them."""
    for folder in ("data/agents", "shop/src"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "file").write_text("text")
    links = {
        "to-shop": "shop",
        "to-data": "data",
        "to-agents": "data/agents",
        "to-home": ".",
        "to-nothing": "x",
    }
    for name, target in links.items():
        (tmp_path / name).symlink_to(tmp_path / target)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("shop", None),
        ("shop/src", None),
        ("to-shop", None),
        ("to-shop/src", None),
        ("shop/../shop", None),
        ("gone", "project.not_there"),
        ("to-nothing", "project.not_there"),
        ("file", "project.no_directory"),
        ("data", "project.inside_data"),
        ("data/agents", "project.inside_data"),
        ("to-data", "project.inside_data"),
        ("to-agents", "project.inside_data"),
        ("shop/../data", "project.inside_data"),
        (".", "project.holds_data"),
        ("..", "project.holds_data"),
        ("to-home", "project.holds_data"),
    ],
)
@pytest.mark.parametrize("data_dir", ["data", "to-data"])
def test_a_project_lies_beside_the_data(home: Path, path: str, fault: str | None, data_dir: str) -> None:
    assert path_fault(home / path, home / data_dir) == fault


def test_the_data_need_not_be_there_yet(home: Path) -> None:
    assert path_fault(home / "shop", home / "shop/.roost") == "project.holds_data"
    assert path_fault(home / "shop", home / "shopping") is None


@pytest.mark.parametrize(
    "path", ["/", "/etc", "/usr", "/usr/bin", "/bin", "/usr/lib/python3", "/var", "/var/lib", "/dev", "/home"]
)
def test_what_is_the_system_s_is_no_project(home: Path, path: str) -> None:
    if os.path.isdir(path):
        assert path_fault(Path(path), home / "data") == "project.system"
    (home / "to-system").symlink_to(path)
    assert path_fault(home / "to-system", home / "data") in ("project.system", "project.not_there")


@pytest.mark.parametrize("path", [".ssh", ".gnupg/private-keys-v1.d", ".aws", "shop/.ssh"])
def test_where_keys_are_kept_is_no_project(home: Path, path: str) -> None:
    (home / path).mkdir(parents=True)
    (home / "to-keys").symlink_to(home / path)
    for one in (home / path, home / "to-keys"):
        assert path_fault(one, home / "data") == "project.secrets"


def test_the_configuration_is_no_project_and_in_none(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "shop/config"))
    assert path_fault(home / "shop", home / "data") is None, "there is none yet"
    (home / "shop/config/roost").mkdir(parents=True)
    for path in ("shop", "shop/config", "shop/config/roost"):
        assert path_fault(home / path, home / "data") == "project.configuration"
    assert path_fault(home / "shop/src", home / "data") is None


def test_a_whole_home_is_one_for_who_means_it(
    home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("HOME", str(home))
    assert path_fault(home, data) == path_fault(home / "to-home", data) == "project.whole_home"
    assert path_fault(home, data, whole_home=True) is None
    assert path_fault(home / "shop", data) is None
    assert path_fault(home, home / "data", whole_home=True) == "project.holds_data"


@pytest.mark.parametrize(
    "path", ["/proc", "/proc/self/cwd", "/proc/self/../self/cwd", "/sys/kernel", "/proc/none"]
)
def test_what_the_system_makes_up_is_no_folder(home: Path, path: str) -> None:
    assert path_fault(Path(path), home / "data") == "project.of_system"


def test_a_link_to_what_the_system_makes_up_is_none_either(home: Path) -> None:
    (home / "to-system").symlink_to("/sys/kernel")
    assert path_fault(home / "to-system", home / "data") == "project.of_system"


def test_a_path_that_is_no_text_cannot_be_kept(home: Path) -> None:
    odd = home / os.fsdecode(b"shop\xff")
    odd.mkdir()
    (home / "to-odd").symlink_to(odd)
    for path in (odd, home / "to-odd"):
        assert path_fault(path, home / "data") == "project.no_text"


def test_a_relative_path_is_none(home: Path) -> None:
    assert path_fault(Path("shop"), home / "data") == "project.not_absolute"
