"""Case 42: pictures that stand in an answer as `data:` URLs are shown, and base64 never is."""

from __future__ import annotations

import base64
import io
import random
from pathlib import Path

from PIL import Image

from bot.markup.blocks import PicturePart
from bot.markup.telegram import TextPart, render
from bot.replies.answer import answer as reply
from core.answers.pictures import Kind, sniff
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn


def encoded(image: Image.Image) -> str:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


TINY = encoded(Image.new("RGB", (16, 16), (9, 99, 9)))
NAMED = encoded(Image.new("RGB", (8, 8), (9, 99, 9)))
LARGE = encoded(Image.frombytes("RGB", (330, 310), random.Random(1).randbytes(330 * 310 * 3)))
ANSWER = f"""Start-42

![tiny](data:image/png;base64,{TINY})

![large chart](data:image/png;base64,{LARGE})

![named](data:image/png;filename=test.png;base64,{NAMED})

![page](data:text/html;base64,PGgxPng8L2gxPg==)

![broken](data:image/png;base64,@@@@)

![remote](http://x.example/a_b.c_d.png) End-42
"""


async def test_the_pictures_arrive_in_place_in_a_few_messages(tmp_path: Path) -> None:
    play = Play(tmp_path / "play")
    play.steps(*turn(says(ANSWER)))
    async with roost(configured(tmp_path, play.command)) as whole:
        answer = await whole.answer((await whole.ask()).id)
        sent = reply(answer, whole.app.texts("en"))
        kept = [whole.app.means.media.path(placed.media).read_bytes() for placed in sent.placed]
    assert [sniff(data) for data in kept] == [Kind.PNG] * 3
    parts = render(sent.markdown, pictures=[placed.src for placed in sent.placed])
    assert [part.alt for part in parts if isinstance(part, PicturePart)] == ["tiny", "large chart", "named"]
    texts = [part for part in parts if isinstance(part, TextPart)]
    words = "\n".join(part.text for part in texts)
    assert len(parts) <= 5
    assert words.startswith("Start-42")
    assert "End-42" in words
    assert not any(data in words for data in (TINY[:40], LARGE[:40], NAMED[:40], "PGgxPng8", "@@@@"))
    assert [entity.url for part in texts for entity in part.entities if entity.url] == [
        "http://x.example/a_b.c_d.png"
    ]
