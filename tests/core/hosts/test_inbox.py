"""What people send lies in the project: whole, under a harmless name, and nowhere else."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from core.errors import DiskFull, FileRefused, ProjectGone
from core.hosts.inbox import put
from core.hosts.local import LocalHost
from tests.core.hosts.conftest import FullDisk


def kept(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (project / ".roost/inbox").iterdir()}


def test_it_is_kept_whole_and_for_its_user_only(project: Path) -> None:
    path = Path(put(str(project), "photo.jpg", b"\xff\xd8"))
    assert path == project / ".roost/inbox/photo.jpg"
    assert path.read_bytes() == b"\xff\xd8"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (project / ".roost/.gitignore").read_text() == "*\n"


def test_two_of_one_name_are_two(project: Path) -> None:
    names = [Path(put(str(project), "a.png", data)).name for data in (b"1", b"2", b"3")]
    assert names == ["a.png", "a-2.png", "a-3.png"]
    assert kept(project) == {"a.png": b"1", "a-2.png": b"2", "a-3.png": b"3"}


def test_a_hostile_name_stays_inside(project: Path) -> None:
    put(str(project), "../../.ssh/authorized_keys", b"x")
    assert list(kept(project)) == ["ssh_authorized_keys"]


@pytest.mark.parametrize("link", [".roost", ".roost/inbox"])
def test_a_folder_that_is_a_link_is_refused(project: Path, tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (project / link).parent.mkdir(exist_ok=True)
    (project / link).symlink_to(elsewhere)
    with pytest.raises(FileRefused) as refusal:
        put(str(project), "a.png", b"x")
    assert refusal.value.key == "file.outside"
    assert list(elsewhere.iterdir()) == []


def test_a_link_in_the_place_of_the_file_is_not_followed(project: Path, tmp_path: Path) -> None:
    put(str(project), "first", b"")
    (project / ".roost/inbox/a.png").symlink_to(tmp_path / "victim")
    assert Path(put(str(project), "a.png", b"x")).name == "a-2.png"
    assert not (tmp_path / "victim").exists()


def test_a_project_that_is_gone(project: Path) -> None:
    with pytest.raises(ProjectGone):
        put(str(project / "gone"), "a.png", b"x")


def test_a_file_in_the_place_of_a_project(project: Path) -> None:
    (project / "file").touch()
    with pytest.raises(ProjectGone):
        put(str(project / "file"), "a.png", b"x")


async def test_a_full_disk_leaves_no_half_file(host: LocalHost, project: Path, full_disk: FullDisk) -> None:
    with full_disk(), pytest.raises(DiskFull):
        await host.put(str(project), "big.bin", b"x" * 200_000)
    assert kept(project) == {}
    await host.put(str(project), "big.bin", b"x" * 200_000)
    assert os.listdir(project / ".roost/inbox") == ["big.bin"]
