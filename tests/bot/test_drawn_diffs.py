"""A diff as a picture: as wide as a phone, no taller than its screen, green and red."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.drawing import LINE, PALETTES, TALLEST, WIDEST
from bot.drawn_diffs import INKS, png
from core.answers.diffs import Kind
from core.model.preferences import Theme

FILE = "diff --git a/a.py b/a.py\n"
DIFF = f"{FILE}@@ -1,2 +1,2 @@\n same\n-gone\n+came\n"


def more(count: int) -> str:
    return f"and {count} more"


def drawn(diff: str, theme: Theme = Theme.SYSTEM) -> Image.Image:
    data = png(diff, more, theme)
    assert data
    return Image.open(io.BytesIO(data)).convert("RGB")


def ground(picture: Image.Image, row: int) -> str:
    """The colour behind a row, at its right end, where nothing is written."""
    found = picture.getpixel((WIDEST - 4, LINE * row + LINE // 2))
    assert isinstance(found, tuple)
    return "#" + "".join(f"{int(part):02x}" for part in found[:3])


@pytest.mark.parametrize("theme", Theme)
def test_each_kind_of_line_has_its_colour(theme: Theme) -> None:
    picture, colours, inks = drawn(DIFF, theme), PALETTES[theme], INKS[theme]
    plain = colours.ground
    expected = [colours.band, plain, plain, inks[Kind.REMOVED].ground, inks[Kind.ADDED].ground]
    assert [ground(picture, row) for row in range(5)] == expected
    assert picture.width == WIDEST


def test_what_has_no_room_is_counted() -> None:
    told: list[int] = []

    def counting(count: int) -> str:
        told.append(count)
        return ""

    assert png(DIFF + "+x\n" * 1_000, counting)
    assert drawn(DIFF + "+x\n" * 1_000).height <= TALLEST
    assert told == [5 + 1_000 - (TALLEST // LINE - 2)]


def test_all_that_fits_is_shown() -> None:
    def never(count: int) -> str:
        raise AssertionError(count)

    assert png(DIFF + "+x\n" * (TALLEST // LINE - 6), never)


def test_a_very_long_line_takes_three_rows() -> None:
    assert drawn(f"{FILE}@@ -1 +1 @@\n+{'x' * 1_000_000}\n same\n").height < LINE * 7


def test_what_nobody_sees_turns_nothing_round() -> None:
    plain, turned = (png(f"{FILE}@@ -1 +1 @@\n+{text}\n", more) for text in ("ab", "a\u202eb"))
    named = png(f"{FILE}@@ -1 +1 @@\n+a<U+202E>b\n", more)
    assert turned == named != plain


def test_nothing_is_no_picture() -> None:
    assert png("", more) is None
