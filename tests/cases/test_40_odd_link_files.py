"""Case 40, the disk's side: odd names in links lead to the files that they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileRefused
from core.hosts.local import LocalHost

LINKS = {
    "output/a b.png": ("output/a b.png", "output/a%20b.png"),
    "output/c (1).png": ("output/c%20(1).png", "output/c (1).png"),
    "output/x(y)z.png": ("output/x(y)z.png",),
    "output/grün.png": ("output/grün.png", "output/gr%C3%BCn.png"),
    "output/100%.png": ("output/100%25.png", "output/100%.png"),
    "output/plot.png": ("output/plot.png", "output/plot.png?v=2", "output/plot.png#f", "./output/plot.png"),
    "output/noalt.png": ("output/noalt.png",),
}


@pytest.mark.parametrize(("name", "link"), [(name, link) for name, links in LINKS.items() for link in links])
async def test_the_link_leads_to_its_file(tmp_path: Path, name: str, link: str) -> None:
    (tmp_path / "output").mkdir()
    for other in LINKS:
        (tmp_path / other).write_bytes(other.encode())
    opened = await LocalHost(tmp_path / "data").open(str(tmp_path), link)
    assert (opened.name, opened.data) == (Path(name).name, name.encode())


@pytest.mark.parametrize("link", ["https://example.org/x.png?a=b", "output/other.png"])
async def test_what_is_not_on_the_disk(tmp_path: Path, link: str) -> None:
    with pytest.raises(FileRefused) as refusal:
        await LocalHost(tmp_path / "data").open(str(tmp_path), link)
    assert refusal.value.key == "file.not_found"
