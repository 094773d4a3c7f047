"""The picture is a WebP that a phone shows as it is."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageColor

from core.demo.chart import COLOURS, REST, Bar, draw


def drawn(title: str, bars: list[Bar]) -> Image.Image:
    file = io.BytesIO()
    draw(title, "3 files", bars, file)
    return Image.open(file)


def near(picture: Image.Image, place: tuple[int, int], colour: str) -> bool:
    pixel, wanted = picture.convert("RGB").getpixel(place), ImageColor.getrgb(colour)
    assert isinstance(pixel, tuple)
    return all(abs(one - other) < 12 for one, other in zip(pixel, wanted, strict=False))


@pytest.mark.parametrize(
    "title", ["project", "Écurie de Zoé", "a name that is far too long " * 9, "漢字", ""]
)
def test_any_title_makes_a_picture_of_the_same_width(title: str) -> None:
    picture = drawn(title, [Bar("Python", 10, "10 B")])
    assert (picture.format, picture.width) == ("WEBP", 1080)


def test_parts_are_as_wide_as_they_are_large() -> None:
    picture = drawn("p", [Bar("Python", 75, "75 B"), Bar("Rust", 25, "25 B")])
    band = 238
    assert near(picture, (700, band), COLOURS[0])
    assert near(picture, (900, band), COLOURS[1])


def test_a_row_for_each_part_and_grey_for_the_rest() -> None:
    one = drawn("p", [Bar("Python", 1, "1 B")])
    two = drawn("p", [Bar("Python", 0, "0 B"), Bar("Other", 0, "0 B", rest=True)])
    assert two.height > one.height
    assert near(two, (77, 430), REST)
