"""A picture inside its link is a picture or a note, and never base64 in the chat."""

from __future__ import annotations

import base64
import io
import random

import pytest
from PIL import Image

from bot.markup import matrix, telegram, terminal
from bot.markup.blocks import PicturePart
from core.answers.markdown import images
from core.answers.pictures import Picture, data_url, fit
from tests.support import telegram_rules


def encoded(width: int, height: int, *, noise: bool = False) -> str:
    pixels = random.Random(1).randbytes(width * height * 3) if noise else bytes(width * height * 3)
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), pixels).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


TINY, LARGE, NAMED = encoded(16, 16), encoded(330, 310, noise=True), encoded(8, 8)
ANSWER = (
    f"Start-42\n\n![tiny](data:image/png;base64,{TINY})\n\n![large chart](data:image/png;base64,{LARGE})\n\n"
    f"![named](data:image/png;filename=test.png;base64,{NAMED})\n\n![page](data:text/html;base64,PGgxPng8L2gxPg==)"
    "\n\n![broken](data:image/png;base64,@@@@)\n\n![remote](http://x.example/a_b.c_d.png) End-42\n"
)


def test_only_pictures_are_pictures() -> None:
    contents = {image.alt: data_url(image.src) for image in images(ANSWER)}
    shown = {alt: fit(data) for alt, data in contents.items() if data}
    assert list(shown) == ["tiny", "large chart", "named"]
    assert all(isinstance(picture, Picture) for picture in shown.values())


def test_without_pictures_one_message_has_all_the_words() -> None:
    (part,) = telegram.render(ANSWER, data_note="left out")
    assert isinstance(part, telegram.TextPart)
    assert part.text.split("\n\n") == [
        *("Start-42", "tiny (left out)", "large chart (left out)", "named (left out)"),
        *("page (left out)", "broken (left out)", "remote End-42"),
    ]
    assert [entity.url for entity in part.entities] == ["http://x.example/a_b.c_d.png"]


def test_pictures_stand_in_their_place() -> None:
    good = {image.src for image in images(ANSWER) if data_url(image.src)}
    parts = telegram.render(ANSWER, pictures=good, data_note="left out")
    kinds = [part.alt if isinstance(part, PicturePart) else part.text for part in parts]
    assert kinds == [
        *("Start-42", "tiny", "large chart", "named"),
        "page (left out)\n\nbroken (left out)\n\nremote End-42",
    ]
    for part in parts:
        assert isinstance(part, PicturePart) or telegram_rules.faults(part.text, part.entities) == []


@pytest.mark.parametrize("secret", ["base64", TINY[-40:], LARGE[1_000:1_040], "PGgx", "@@@@"])
def test_no_chat_shows_base64(secret: str) -> None:
    assert secret not in repr(telegram.render(ANSWER))
    assert secret not in repr(matrix.render(ANSWER))
    assert secret not in repr(terminal.render(ANSWER, width=80))
