"""Case 39: the project's directory is itself a link, or lies under one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileRefused
from core.hosts.local import LocalHost


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "real/output").mkdir(parents=True)
    (tmp_path / "real/output/plot.png").write_bytes(b"picture")
    (tmp_path / "secret.txt").write_text("SECRET")
    (tmp_path / "real/leak.png").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "alias").symlink_to("real")
    (tmp_path / "workspace").symlink_to("alias")
    return tmp_path / "workspace"


@pytest.mark.parametrize("base", ["", "{0}/workspace/", "{0}/alias/", "{0}/real/", "file://{0}/real/"])
async def test_the_picture_is_read_by_each_of_its_names(workspace: Path, tmp_path: Path, base: str) -> None:
    host = LocalHost(tmp_path / "data")
    opened = await host.open(str(workspace), base.format(tmp_path) + "output/plot.png")
    assert opened.data == b"picture"


@pytest.mark.parametrize("ref", ["leak.png", "../secret.txt", "{0}/secret.txt", "{0}/real/../secret.txt"])
async def test_what_lies_outside_stays_there(workspace: Path, tmp_path: Path, ref: str) -> None:
    host = LocalHost(tmp_path / "data")
    with pytest.raises(FileRefused) as refusal:
        await host.open(str(workspace), ref.format(tmp_path))
    assert refusal.value.key == "file.outside"
