"""A picture as blocks of colour, two pixels in each cell."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from itertools import groupby
from pathlib import Path

WIDEST = 100
"""In cells; taller than a window a picture is never, and seldom as tall: two thirds of it."""
UPPER = "▀"
RESET = "\x1b[0m"
UNREADABLE = (OSError, SyntaxError, ValueError)
"""What Pillow says of a file that is no picture any more."""

Pixel = tuple[int, int, int]


class Colours(Enum):
    """What a terminal can show."""

    NONE = auto()
    FEW = auto()
    """Enough for words, not for pictures."""
    INDEXED = auto()
    """256, as xterm numbers them."""
    TRUE = auto()


def colours_of(environ: Mapping[str, str]) -> Colours:
    """As a terminal says of itself (https://no-color.org, and `COLORTERM` for what `TERM` can't tell)."""
    terminal = environ.get("TERM", "dumb")
    if environ.get("NO_COLOR") or terminal == "dumb":
        return Colours.NONE
    if environ.get("COLORTERM") in ("truecolor", "24bit") or terminal.endswith("-direct"):
        return Colours.TRUE
    return Colours.INDEXED if "256color" in terminal else Colours.FEW


def picture(path: Path, *, columns: int, rows: int, colours: Colours) -> str:
    """As large as fits a window of *columns* × *rows*; empty where there is nothing to see."""
    if colours in (Colours.NONE, Colours.FEW):
        return ""
    try:
        pixels = _pixels(path, min(columns, WIDEST), 2 * max(1, rows * 2 // 3))
    except UNREADABLE:
        return ""
    pairs = zip(pixels[::2], pixels[1::2], strict=False)
    return "\n".join(_line(list(zip(upper, lower, strict=True)), colours) for upper, lower in pairs)


def _pixels(path: Path, wide: int, tall: int) -> list[list[Pixel]]:
    """The picture's pixels on white, an even number of rows, in its own proportions."""
    from PIL import Image

    with Image.open(path) as image:
        image.draft("RGB", (wide, tall))
        small = image.convert("RGBA")
    small.thumbnail((wide, tall))
    paper = Image.new("RGBA", (small.width, small.height + small.height % 2), "white")
    paper.alpha_composite(small)
    data = paper.convert("RGB").tobytes()
    pixels = [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]
    return [pixels[start : start + paper.width] for start in range(0, len(pixels), paper.width)]


def _line(cells: list[tuple[Pixel, Pixel]], colours: Colours) -> str:
    parts = [f"{_codes(*pair, colours)}{UPPER * len(list(same))}" for pair, same in groupby(cells)]
    return "".join(parts) + RESET


def _codes(upper: Pixel, lower: Pixel, colours: Colours) -> str:
    """Foreground and background; Select Graphic Rendition, ISO 8613-6."""
    if colours is Colours.TRUE:
        return f"\x1b[38;2;{_joined(upper)};48;2;{_joined(lower)}m"
    return f"\x1b[38;5;{_cube(upper)};48;5;{_cube(lower)}m"


def _joined(pixel: Pixel) -> str:
    return ";".join(map(str, pixel))


def _cube(pixel: Pixel) -> int:
    """The nearest colour of xterm's cube of 6 × 6 × 6."""
    red, green, blue = (round(part / 51) for part in pixel)
    return 16 + 36 * red + 6 * green + blue
