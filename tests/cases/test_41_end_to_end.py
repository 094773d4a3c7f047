"""Case 41: what a picture is decides its content, on its way out and on its way in."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from core.answers.pictures import Kind, sniff
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn


def drawn(form: str) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (320, 200), "teal").save(buffer, form)
    return buffer.getvalue()


def animated() -> bytes:
    buffer, frames = io.BytesIO(), [Image.new("RGB", (40, 40), color) for color in ("red", "green", "blue")]
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=200)
    return buffer.getvalue()


FILES: dict[str, tuple[bytes, str]] = {
    "fake.png": (b"<!DOCTYPE html><html>not found</html>\n", "refused"),
    "vector.png": (b'<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>\n', "file"),
    "empty.png": (b"", "refused"),
    "cut.png": (drawn("PNG")[: len(drawn("PNG")) // 2], "refused"),
    "photo.png": (drawn("JPEG"), "photo"),
    "pic.webp": (drawn("WEBP"), "photo"),
    "anim.gif": (animated(), "file"),
    "scan.tiff": (drawn("TIFF"), "photo"),
    "pic.bmp": (drawn("BMP"), "photo"),
}


async def test_out_each_is_what_it_is_and_the_text_is_not_hurt(tmp_path: Path) -> None:
    output = tmp_path / "project" / "output"
    output.mkdir(parents=True)
    for name, (data, _) in FILES.items():
        (output / name).write_bytes(data)
    play = Play(tmp_path / "play")
    play.steps(*turn(says("\n".join(f"![{name}](output/{name})" for name in FILES))))
    async with roost(configured(tmp_path, play.command)) as whole:
        prompt = await whole.ask()
        answer, words = await whole.answer(prompt.id), await whole.shown(prompt.id)
        media = whole.app.means.media
        kept = {placed.name: media.path(placed.media) for placed in answer.placed if placed.media}
    assert {placed.name: placed.kind for placed in answer.placed} == {
        name: kind for name, (_, kind) in FILES.items()
    }
    sent = {name: sniff(path.read_bytes()) for name, path in kept.items()}
    assert sent == {
        "vector.png": Kind.SVG,
        "photo.png": Kind.JPEG,
        "pic.webp": Kind.WEBP,
        "anim.gif": Kind.GIF,
        "scan.tiff": Kind.PNG,
        "pic.bmp": Kind.PNG,
    }
    assert all(f"output/{name}" in words for name, (_, kind) in FILES.items() if kind == "refused")
