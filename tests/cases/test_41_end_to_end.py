"""Case 41: what a picture is decides its content, on its way out and on its way in."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from core.answers.pictures import Kind, sniff
from core.model.prompt import Status
from tests.support.play_agent import Play
from tests.support.whole import Room, configured, roost, says, turn


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


RENAMED = {"vector.png": "vector.svg"}
"""What is sent as a file is called by what it is."""


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
    told = {RENAMED.get(name, name): kind for name, (_, kind) in FILES.items()}
    assert {placed.name: placed.kind for placed in answer.placed} == told
    sent = {name: sniff(path.read_bytes()) for name, path in kept.items()}
    assert sent == {
        "vector.svg": Kind.SVG,
        "photo.png": Kind.JPEG,
        "pic.webp": Kind.WEBP,
        "anim.gif": Kind.GIF,
        "scan.tiff": Kind.PNG,
        "pic.bmp": Kind.PNG,
    }
    assert all(f"output/{name}" in words for name, (_, kind) in FILES.items() if kind == "refused")


@pytest.mark.parametrize("name", ["fake.png", "empty.png", "cut.png"])
async def test_in_what_is_no_picture_is_a_file_and_the_next_prompt_works(tmp_path: Path, name: str) -> None:
    play = Play(tmp_path / "play")
    play.steps({"read_stdin": "eof"}, *turn(says("fine")))
    async with roost(configured(tmp_path, play.command)) as whole:
        room = Room(whole)
        (told,) = await room.says("look", {name: FILES[name][0]})
        assert name in told
        assert await room.says("and this", {"photo.png": FILES["photo.png"][0]}) == []
        assert await room.says("thanks, go on") == []
        assert {(await whole.ended(prompt)).status for prompt in room.took} == {Status.DONE}
    bad, good, text = play.starts
    inbox = whole.workspace / ".roost" / "inbox"
    assert "--image" not in bad.argv + text.argv
    assert str(inbox / name).encode() in bad.stdin
    shown = Path(good.argv[good.argv.index("--image") + 1])
    assert shown.read_bytes() == FILES["photo.png"][0]
    assert shown.parent == inbox
    assert text.stdin.startswith(b"thanks, go on\n")
