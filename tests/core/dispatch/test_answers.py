"""The agent's words become an answer: title off, secrets masked, each picture placed or refused."""

from __future__ import annotations

import asyncio
import base64
import io
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.answers.markdown import images
from core.answers.pictures import Kind
from core.answers.secrets import MASK, Masker
from core.dispatch.answers import LINKS_MOST, PICTURES_MOST, Answer, Media, compose
from core.errors import DiskFull, FileRefused, ProjectMoved
from core.hosts.port import HostFile
from tests.support.fake_host import FakeHost
from tests.support.faults import full_disk

ROOT = "/srv/shop"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


def png(width: int = 8, height: int = 4, *, colour: str = "red", note: str = "") -> bytes:
    out, info = io.BytesIO(), PngInfo()
    info.add_text("Software", note)
    Image.new("RGB", (width, height), colour).save(out, "PNG", pnginfo=info)
    return out.getvalue()


async def answer(folder: Path, text: str, files: Mapping[str, bytes] | None = None, *secrets: str) -> Answer:
    host = FakeHost(files={f"{ROOT}/{name}": data for name, data in (files or {}).items()})
    return await compose(text, partial(host.open, ROOT), media=Media(folder), mask=Masker(secrets).mask)


async def test_a_picture_is_kept_and_placed_where_the_text_names_it(tmp_path: Path) -> None:
    made = await answer(tmp_path, "See ![a](out/a.png), again ![b](out/a.png).", {"out/a.png": png()})
    (placed,) = made.placed
    assert (placed.src, placed.kind, placed.name, placed.original) == ("out/a.png", "photo", "a.png", "")
    assert Media(tmp_path).path(placed.media).read_bytes() == png()
    assert stat.S_IMODE(Media(tmp_path).path(placed.media).stat().st_mode) == 0o600
    assert made.text == "See ![a](out/a.png), again ![b](out/a.png)."


async def test_what_is_too_wide_is_scaled_with_its_original_kept(tmp_path: Path) -> None:
    wide = png(2_000, 500)
    (placed,) = (await answer(tmp_path, "![w](w.png)", {"w.png": wide})).placed
    assert Media(tmp_path).path(placed.original).read_bytes() == wide
    with Image.open(Media(tmp_path).path(placed.media)) as shown:
        assert shown.width == 1_280


async def test_what_no_chat_shows_is_a_file_and_what_cannot_be_read_costs_no_word(
    tmp_path: Path,
) -> None:
    text = "One ![v](v.svg) two ![b](broken.png) three ![n](../gone.png) four"
    made = await answer(tmp_path, text, {"v.svg": SVG, "broken.png": png()[:40]})
    assert made.text == text
    assert [(one.src, one.kind, one.reason) for one in made.placed] == [
        ("v.svg", "file", "picture.vector"),
        ("broken.png", "refused", "picture.damaged"),
        ("../gone.png", "refused", "file.not_found"),
    ]


async def test_data_urls_are_told_apart_however_alike_they_begin(tmp_path: Path) -> None:
    """Charts of one program share their first hundreds of characters."""
    pictures = [png(colour=colour, note="a drawing program " * 20) for colour in ("red", "blue")]
    urls = [f"data:image/png;base64,{base64.b64encode(picture).decode()}" for picture in pictures]
    assert urls[0][:300] == urls[1][:300]
    made = await answer(tmp_path, f"![r]({urls[0]}) ![b]({urls[1]}) ![x](data:image/png;base64,####)")
    assert [one.src for one in made.placed[:2]] == [link.src for link in images(made.text)][:2] == urls
    kept = [Media(tmp_path).path(one.media).read_bytes() for one in made.placed[:2]]
    assert kept == pictures
    assert (made.placed[2].kind, made.placed[2].reason) == ("refused", "picture.no_picture")


async def test_a_refused_source_is_named_in_short(tmp_path: Path) -> None:
    (placed,) = (await answer(tmp_path, f"![x](data:text/html,{'x' * 5_000})")).placed
    assert len(placed.src) == len(placed.name) == 200


async def test_odd_names_are_asked_for_as_they_are_written(tmp_path: Path) -> None:
    name = "out put/größe (1).png"
    for ref in (name, f"{ROOT}/{name}", quote(name)):
        made = await answer(tmp_path, f"![g](<{ref}>)", {ref: png(), ref.removeprefix(f"{ROOT}/"): png()})
        assert [(one.src, one.kind) for one in made.placed] == [(ref, "photo")]


async def test_links_elsewhere_and_pictures_in_code_are_left_alone(tmp_path: Path) -> None:
    text = "![a](https://example.org/a.png) `![b](b.png)`\n\n```\n![c](c.png)\n```"
    assert await answer(tmp_path, text) == Answer(text, (), "")


async def test_only_so_many_pictures_are_looked_at(tmp_path: Path) -> None:
    names = [f"{number}.png" for number in range(PICTURES_MOST + 5)]
    text = " ".join(f"![x]({name})" for name in names)
    made = await answer(tmp_path, text, dict.fromkeys(names, png()))
    assert [one.src for one in made.placed] == names[:PICTURES_MOST]
    assert made.text == text
    assert len(list((tmp_path / "media").iterdir())) == 1


async def test_the_title_is_taken_off_and_no_secret_is_said(tmp_path: Path) -> None:
    text = "<!-- roost-title: About hunter22 -->\nVoici les changements. hunter22"
    made = await answer(tmp_path, text, None, "hunter22")
    assert (made.title, made.text) == (f"About {MASK}", f"Voici les changements. {MASK}")


async def test_a_full_disk_is_said_and_leaves_no_half_picture(tmp_path: Path) -> None:
    media = Media(tmp_path)
    with full_disk(after=10), pytest.raises(DiskFull):
        await answer(tmp_path, "![a](a.png)", {"a.png": png()})
    assert not list(media.path("").iterdir())
    (placed,) = (await answer(tmp_path, "![a](a.png)", {"a.png": png()})).placed
    assert media.path(placed.media).read_bytes() == png()


async def test_a_file_is_to_be_opened_under_the_name_that_people_see(tmp_path: Path) -> None:
    media = Media(tmp_path)
    kept = await media.keep(b"notes", Kind.OTHER)
    file = media.called(kept, "../my notes.txt")
    assert file == media.called(kept, "../my notes.txt")
    assert (file.name, file.read_bytes()) == ("my notes.txt", b"notes")
    assert stat.S_IMODE(file.stat().st_mode) == 0o400
    assert file.is_relative_to(tmp_path / "media")
    assert media.called(kept, "") == media.path(kept)
    file.unlink()
    file.write_text("somebody's own")
    assert media.called(kept, "../my notes.txt").read_bytes() == b"notes"
    assert media.called("gone.bin", "a.txt") == media.path("gone.bin")


async def test_the_same_picture_kept_by_many_at_once_is_there_once_and_whole(tmp_path: Path) -> None:
    media, picture = Media(tmp_path), png(1_000) + bytes(3_000_000)
    for _ in range(5):
        names = await asyncio.gather(*(media.keep(picture, Kind.PNG) for _ in range(8)))
        assert [file.name for file in media.path("").iterdir()] == [names[0]]
        assert media.path(names[0]).read_bytes() == picture
        media.path(names[0]).unlink()


async def test_what_the_host_refuses_keeps_its_reason(tmp_path: Path) -> None:
    class Strict(FakeHost):
        async def open(self, root: str, ref: str, *, secrets: bool = False, real: str = "") -> HostFile:
            raise FileRefused("file.secret")

    host, media = Strict(), Media(tmp_path)
    made = await compose("![e](.env)", partial(host.open, ROOT), media=media, mask=str)
    assert [(one.kind, one.reason) for one in made.placed] == [("refused", "file.secret")]


async def test_where_the_project_leads_elsewhere_the_text_is_whole(
    tmp_path: Path,
) -> None:
    async def moved(ref: str) -> HostFile:
        raise ProjectMoved(path=ROOT, real="/etc")

    made = await compose("![e](a.png) [b](b.txt)", moved, media=Media(tmp_path), mask=str)
    assert made.text == "![e](a.png) [b](b.txt)"
    assert [(one.kind, one.reason) for one in made.placed] == [("refused", "file.moved")]


async def test_what_became_another_kind_of_picture_is_called_so(tmp_path: Path) -> None:
    """A chat that goes by the name would show a sticker."""
    out = io.BytesIO()
    Image.effect_noise((2_100, 60), 80).convert("RGB").save(out, "WEBP")
    (placed,) = (await answer(tmp_path, "![t](thin.webp)", {"thin.webp": out.getvalue()})).placed
    assert (placed.kind, placed.name, placed.media.rpartition(".")[2]) == ("file", "thin.png", "png")


async def linking(folder: Path, text: str, **changed: float) -> list[tuple[str, str, str, str]]:
    """What becomes of links to files that were *changed* when the turn was at 1,000 s."""
    names = ("app.py", "output/report.pdf", "output/old.pdf", ".env", "output/empty.txt", "big file.txt")
    files = {f"{ROOT}/{name}": b"" if "empty" in name else b"%PDF-1" for name in names}
    times = {"output/report.pdf": 1_001.0, "output/empty.txt": 1_001.0, **changed}
    host = FakeHost(files=files, changed=times)
    made = await compose(text, partial(host.open, ROOT), media=Media(folder), mask=str, since=1_000.0)
    assert made.text == text
    return [(one.kind, one.src, one.name, one.reason) for one in made.placed]


async def test_a_file_that_was_made_for_people_is_sent_and_others_are_to_be_had(tmp_path: Path) -> None:
    text = (
        "[r](output/report.pdf) [o](output/old.pdf) [a](app.py:12) [b](<big file.txt>) [r](output/report.pdf)"
    )
    assert await linking(tmp_path, text) == [
        ("made", "output/report.pdf", "report.pdf", ""),
        ("linked", "output/old.pdf", "old.pdf", ""),
        ("linked", "app.py", "app.py", ""),
        ("linked", "big file.txt", "big file.txt", ""),
    ]
    assert await linking(tmp_path, "[a](app.py)", **{"app.py": 1_001.0}) == [
        ("linked", "app.py", "app.py", "")
    ]


async def test_a_secret_is_to_be_had_and_says_that_it_is_one(tmp_path: Path) -> None:
    assert await linking(tmp_path, "[e](.env)") == [("linked", ".env", ".env", "file.secret")]


async def test_an_empty_file_is_sent_to_nobody_by_itself(tmp_path: Path) -> None:
    assert await linking(tmp_path, "[e](output/empty.txt)") == [
        ("linked", "output/empty.txt", "empty.txt", "")
    ]


@pytest.mark.parametrize("target", ["https://x.example/app.py", "#top", "mailto:a@b.c", "gone.py", "tg://x"])
async def test_what_is_no_file_of_the_project_is_a_link_alone(tmp_path: Path, target: str) -> None:
    assert await linking(tmp_path, f"[x]({target}) `[a](app.py)`") == []


async def test_of_very_many_links_the_first_are_to_be_had(tmp_path: Path) -> None:
    files = {f"{n}.py": b"x" for n in range(20)}
    made = await answer(tmp_path, " ".join(f"[{name}]({name})" for name in files), files)
    assert len(made.placed) == LINKS_MOST
