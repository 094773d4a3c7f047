"""What is told of a picture: whoever waits for it sees its colours, and its shape."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.matrix.pictures import DIGITS, look


def encoded(image: Image.Image, kind: str) -> bytes:
    held = io.BytesIO()
    image.save(held, kind)
    return held.getvalue()


def average(blur: str) -> tuple[int, int, int]:
    """The colour of the whole, as every client reads it (digits three to six)."""
    number = 0
    for digit in blur[2:6]:
        number = number * 83 + DIGITS.index(digit)
    return number >> 16, number >> 8 & 255, number & 255


@pytest.mark.parametrize(
    ("kind", "mime"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")]
)
def test_its_size_its_kind_and_its_colour(kind: str, mime: str) -> None:
    seen = look(encoded(Image.new("RGB", (40, 30), (200, 40, 80)), kind))
    assert seen
    assert (seen.mime, seen.width, seen.height, seen.small) == (mime, 40, 30, b"")
    assert len(seen.blur) == 28
    assert all(abs(a - b) <= 3 for a, b in zip(average(seen.blur), (200, 40, 80), strict=True))


def test_a_large_one_has_a_small_copy_of_its_shape() -> None:
    seen = look(encoded(Image.new("RGBA", (4_000, 1_000), (0, 0, 255, 128)), "PNG"))
    assert seen
    with Image.open(io.BytesIO(seen.small)) as small:
        assert (small.size, seen.small_size, small.format) == ((800, 200), (800, 200), "JPEG")


@pytest.mark.parametrize(
    "data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n", encoded(Image.new("RGB", (9, 9)), "PNG")[:40]]
)
def test_what_is_no_picture_is_none(data: bytes) -> None:
    assert look(data) is None
