"""Case 40: pictures are found by every form of link that CommonMark has, and nowhere else."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from bot.markup.blocks import PicturePart
from bot.markup.telegram import TextPart, render
from tests.cases.test_40_odd_link_forms import ANSWER
from tests.support.play_agent import Play
from tests.support.whole import configured, roost, says, turn

NAMES = ("a b.png", "c (1).png", "x(y)z.png", "grün.png", "100%.png", "plot.png", "noalt.png")
SHOWN = ["sp", "sp2", "p", "p2", "q", "u", "pc", "t", "v", "f", "", "bare", "nested"]
"""A path with a space is no CommonMark, and clearly meant; a file that is named twice is shown twice."""


async def test_each_form_shows_its_picture_and_code_stays_code(tmp_path: Path) -> None:
    output = tmp_path / "project" / "output"
    output.mkdir(parents=True)
    for number, name in enumerate(NAMES):
        Image.new("RGB", (320, 200), (number, 40, 90)).save(output / name)
    play = Play(tmp_path / "play")
    play.steps(*turn(says(ANSWER)))
    async with roost(configured(tmp_path, play.command)) as whole:
        answer = await whole.answer((await whole.ask()).id)
    assert {placed.name for placed in answer.placed} == set(NAMES)
    assert [placed for placed in answer.placed if placed.kind != "photo"] == []
    assert len({placed.media for placed in answer.placed}) == len(NAMES)
    assert all((whole.app.data_dir / "media" / placed.media).read_bytes() for placed in answer.placed)
    parts = render(answer.text, pictures=tuple(placed.src for placed in answer.placed))
    words = "".join(part.text for part in parts if isinstance(part, TextPart))
    assert [part.alt for part in parts if isinstance(part, PicturePart)] == SHOWN
    assert words.count("![no](output/plot.png)") == 2
    links = [entity for part in parts if isinstance(part, TextPart) for entity in part.entities]
    assert "https://example.org/x.png?a=b" in repr(links)
