"""Tables drawn as pictures that a phone can show."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from bot.markup.tables import Table
from core.model.preferences import Theme

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

WIDEST, TALLEST = 1080, 1600
"""Pixels: as wide as a phone, and no taller than Telegram shows without making it smaller."""
SIZE = 30
"""Of the letters: a third of what a phone this wide has for a line of its own text, so it can be read as it
is, and well when it is tapped."""
LINE, PAD = 40, 16
NARROWEST = 90
"""What is left of a column at least: some five letters."""
FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf")
NO_SIGN = "\U0010ffff"
"""What no font has."""
PLAINER = str.maketrans({"✅": "✓", "❌": "✗", "\ufe0e": None, "\ufe0f": None})
"""What agents like to tick tables with, as fonts have it."""
RIGHT_TO_LEFT = ("R", "AL", "AN")


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of what is drawn: its *ground*, the *band* behind a head, its lines, its letters, and those
    that are *faint*."""

    ground: str
    band: str
    rule: str
    ink: str
    faint: str


PALETTES = {
    Theme.SYSTEM: Palette("#eef0f3", "#d8dde4", "#bfc6cf", "#20242a", "#5b6470"),
    Theme.LIGHT: Palette("#ffffff", "#eaedf2", "#cfd5dd", "#16191d", "#626b76"),
    Theme.DARK: Palette("#17202a", "#263341", "#3a4857", "#e4e9ee", "#93a1b0"),
}
"""Nobody tells us what a screen is like: as the system has it is calm on a light one and on a dark one."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with its lines broken: *cells* holds rows of cells of lines; *widths* are the columns', and
    *font* is the one that has all of its signs."""

    cells: list[list[list[str]]]
    widths: list[int]
    alignments: list[str]
    font: FreeTypeFont

    @property
    def heights(self) -> list[int]:
        return [LINE * max(map(len, row)) + PAD for row in self.cells]


def sheet(table: Table) -> Sheet | None:
    """None for a table that no picture of this size can show: it has too many columns or rows, or signs that
    no font here has."""
    rows = [[unicodedata.normalize("NFC", cell).translate(PLAINER) for cell in row] for row in table.rows]
    font = _font_for("".join(map("".join, rows)))
    if font is None:
        return None
    wanted = [max(map(font.getlength, column)) for column in zip(*rows, strict=True)]
    widths = _shared(wanted, WIDEST - 2 * PAD * len(wanted))
    if min(widths) < min(NARROWEST, *wanted):
        return None
    measure = font.getlength
    cells = [[_broken(*cell, measure) for cell in zip(row, widths, strict=True)] for row in rows]
    made = Sheet(cells, widths, table.alignments, font)
    return made if sum(made.heights) <= TALLEST else None


def png(drawn: Sheet, theme: Theme = Theme.SYSTEM) -> bytes:
    from PIL import Image, ImageDraw

    colours = PALETTES[theme]
    size = sum(drawn.widths) + 2 * PAD * len(drawn.widths), sum(drawn.heights)
    picture = Image.new("RGB", size, colours.ground)
    pen = ImageDraw.Draw(picture)
    top = 0
    for at, (row, height) in enumerate(zip(drawn.cells, drawn.heights, strict=True)):
        if at == 0:
            pen.rectangle((0, 0, size[0], height), colours.band)
        pen.line((0, top, size[0], top), colours.rule, 2)
        for x, y, line in _placed(row, drawn, top + PAD // 2):
            pen.text((x, y), line, colours.ink, drawn.font, anchor="la")
        top += height
    held = io.BytesIO()
    picture.save(held, "PNG", optimize=True)
    return held.getvalue()


def _placed(row: Sequence[Sequence[str]], drawn: Sheet, top: int) -> Iterator[tuple[float, int, str]]:
    """Each line of a row with its left and upper edge."""
    left = PAD
    for cell, width, alignment in zip(row, drawn.widths, drawn.alignments, strict=True):
        for at, line in enumerate(cell):
            room = width - drawn.font.getlength(line)
            yield left + room * {"right": 1.0, "center": 0.5}.get(alignment, 0.0), top + LINE * at, line
        left += width + 2 * PAD


def _shared(wanted: Sequence[float], room: float) -> list[int]:
    """What each column gets: all that it wants, or the same as the others that want too much."""
    widths = [0] * len(wanted)
    by_need = sorted(range(len(wanted)), key=wanted.__getitem__)
    for done, at in enumerate(by_need):
        widths[at] = int(min(wanted[at] + 1, room / (len(wanted) - done)))
        room -= widths[at]
    return widths


def _broken(cell: str, width: int, measure: Callable[[str], float]) -> list[str]:
    """The words of a cell in lines of a width; a word that is too long is cut."""
    lines: list[str] = []
    for word in cell.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if measure(joined) <= width:
            lines = [*lines[:-1], joined]
        else:
            lines += chopped(word, width, measure)
    return lines or [""]


def chopped(word: str, width: int, measure: Callable[[str], float]) -> list[str]:
    """*word* in pieces of a width."""
    pieces = [""]
    for sign in word:
        if pieces[-1] and measure(pieces[-1] + sign) > width:
            pieces.append("")
        pieces[-1] += sign
    return pieces


def _font_for(text: str) -> FreeTypeFont | None:
    """The first that has every sign of *text*; none where it runs from right to left or has signs in layers,
    which takes more than a font to set."""
    signs = {sign for sign in text if not sign.isspace()}
    if any(unicodedata.combining(one) or unicodedata.bidirectional(one) in RIGHT_TO_LEFT for one in signs):
        return None
    return next((font for font in fonts(FONTS) if all(has(font, sign) for sign in signs)), None)


def has(font: FreeTypeFont, sign: str) -> bool:
    return bytes(font.getmask(sign)) != bytes(font.getmask(NO_SIGN))


@cache
def fonts(names: tuple[str, ...]) -> list[FreeTypeFont]:
    """Those of *names* that this machine has, and last the library's own, which knows Latin letters alone."""
    from PIL import ImageFont

    found: list[FreeTypeFont] = []
    for name in names:
        try:
            found.append(ImageFont.truetype(name, SIZE))
        except OSError:
            continue
    own = ImageFont.load_default(SIZE)
    return [*found, own] if isinstance(own, ImageFont.FreeTypeFont) else found
