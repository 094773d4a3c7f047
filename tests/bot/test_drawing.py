"""Tables as pictures: as wide as a phone, with every sign of theirs, or not at all."""

from __future__ import annotations

import io

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from bot.drawing import PALETTES, TALLEST, WIDEST, Sheet, png, sheet
from bot.markup.tables import Table
from core.model.preferences import Theme


def made(*rows: list[str], alignments: tuple[str, ...] = ()) -> Sheet | None:
    return sheet(Table([*rows], [*alignments] or [""] * len(rows[0])))


def drawn(*rows: list[str], alignments: tuple[str, ...] = ()) -> PngImageFile:
    found = made(*rows, alignments=alignments)
    assert found
    picture = Image.open(io.BytesIO(png(found)))
    assert isinstance(picture, PngImageFile)
    return picture


def ink(picture: PngImageFile, box: tuple[int, int, int, int]) -> bool:
    """Whether anything is written there."""
    darkest, _ = picture.convert("L").crop(box).getextrema()
    return isinstance(darkest, int) and darkest < 100


def test_a_table_is_as_wide_as_it_must_be_and_no_wider_than_a_phone() -> None:
    assert drawn(["a", "b"], ["1", "2"]).width < 150
    wide = drawn(["what", "why"], ["word " * 40, "word " * 90])
    assert WIDEST - 4 <= wide.width <= WIDEST


def test_the_head_has_a_ground_of_its_own() -> None:
    picture = drawn(["head", "x"], ["body", "y"]).convert("RGB")
    top, bottom = picture.getpixel((2, 8)), picture.getpixel((2, picture.height - 8))
    colours = PALETTES[Theme.SYSTEM]
    assert list(map(hexed, (top, bottom))) == [colours.band, colours.ground]


@pytest.mark.parametrize("theme", Theme)
def test_a_table_is_drawn_in_the_colours_of_its_room_and_can_be_read_in_them(theme: Theme) -> None:
    found = made(["head", "x"], ["body", "y"])
    assert found
    picture = Image.open(io.BytesIO(png(found, theme))).convert("RGB")
    colours = PALETTES[theme]
    assert hexed(picture.getpixel((2, 8))) == colours.band
    assert hexed(picture.getpixel((2, picture.height - 8))) == colours.ground
    assert contrast(colours.ink, colours.ground) > 10
    assert contrast(colours.ink, colours.band) > 10
    assert (luminance(colours.ground) < 0.1) == (theme is Theme.DARK)
    drawn_with = {hexed(colour) for _, colour in picture.getcolors(10_000) or []}
    assert {colours.ground, colours.band, colours.rule, colours.ink} <= drawn_with


def hexed(pixel: object) -> str:
    assert isinstance(pixel, tuple)
    return "#" + bytes(pixel).hex()


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    shares = [value / 255 for value in bytes.fromhex(colour[1:])]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG 2.1, contrast ratio; 7 is what it asks of text at most."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_words_stand_where_their_column_has_them() -> None:
    picture = drawn(["x", "a long head of a column", "x"], ["x", "1", "x"], alignments=("", "right", ""))
    left, middle = 60, picture.width // 2
    body = picture.height // 2 + 4
    assert not ink(picture, (left, body, middle, picture.height - 4))
    assert ink(picture, (middle, body, picture.width - 48, picture.height - 4))


def test_a_narrow_column_breaks_its_lines_between_words_and_long_words_anywhere() -> None:
    found = made(["name", "path", "why"], ["a b", "/srv/" + "long" * 30, "one two three four " * 8])
    assert found
    name, path, why = found.cells[1]
    assert name == ["a b"]
    assert "".join(path) == "/srv/" + "long" * 30
    assert " ".join(why) == ("one two three four " * 8).strip()
    assert len(path) > 2
    assert all(not line.startswith(" ") and not line.endswith(" ") for line in why)


@pytest.mark.parametrize("cell", ["שלום", "漢字", "e\u0335", "\U0001fae8"])
def test_what_would_be_drawn_wrongly_is_not_drawn(cell: str) -> None:
    assert made(["a", "b"], [cell, "x"]) is None


def test_ticks_and_crosses_are_drawn_as_the_font_has_them() -> None:
    found = made(["a", "b"], ["✅ done", "❌"])
    assert found
    assert found.cells[1] == [["✓ done"], ["✗"]]


def test_an_accent_that_is_one_sign_with_its_letter_is_drawn() -> None:
    assert made(["a", "b"], ["e\u0301te\u0301", "x"]) is not None


def test_what_would_be_too_small_to_read_is_not_drawn() -> None:
    assert made([f"column {n}" for n in range(14)], ["some words"] * 14) is None
    rows = [[str(n), "x"] for n in range(40)]
    assert made(["a", "b"], *rows) is None
    few = made(["a", "b"], *rows[:20])
    assert few
    assert sum(few.heights) <= TALLEST


def test_an_empty_cell_is_an_empty_line() -> None:
    found = made(["a", ""], ["", "x"])
    assert found
    assert found.cells == [[["a"], [""]], [[""], ["x"]]]
