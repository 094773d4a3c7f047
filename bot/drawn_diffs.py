"""What changed in a project, drawn as a picture that a phone can show."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from bot.drawing import LINE, PAD, PALETTES, TALLEST, WIDEST, chopped, fonts, has
from core.answers.diffs import Kind, Line, lines
from core.model.preferences import Theme

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FONTS = ("DejaVuSansMono.ttf", "NotoSansMono-Regular.ttf", "LiberationMono-Regular.ttf")
MOST_ROWS = (TALLEST - PAD) // LINE
ROWS_OF_A_LINE = 3
"""Of a longer line nobody reads the rest."""
LONGEST_LINE = 400
"""Signs, of which a picture shows less in so many rows."""
TAB = 4
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Ink:
    """The *ground* behind a line, and its *letters*."""

    ground: str
    letters: str


INKS = {
    Theme.SYSTEM: {Kind.ADDED: Ink("#cfeed6", "#14532d"), Kind.REMOVED: Ink("#fbd5d5", "#7f1d1d")},
    Theme.LIGHT: {Kind.ADDED: Ink("#dcf5e2", "#14532d"), Kind.REMOVED: Ink("#fde3e3", "#7f1d1d")},
    Theme.DARK: {Kind.ADDED: Ink("#143d2b", "#b6f2c8"), Kind.REMOVED: Ink("#4a1f24", "#fbc4c4")},
}


def png(diff: str, more: Callable[[int], str], theme: Theme = Theme.SYSTEM) -> bytes | None:
    """The beginning of *diff*; *more* says that so many lines of it are not shown. None where it has none."""
    every = list(lines(diff))
    if not every:
        return None
    font = _font_for(islice(every, MOST_ROWS))
    shown = list(_rows(every, font, more))
    return _drawn(shown, font, theme)


def _rows(every: list[Line], font: FreeTypeFont, more: Callable[[int], str]) -> Iterator[Line]:
    """The lines broken, as many as have room, and how many have none."""
    room = MOST_ROWS
    for at, line in enumerate(every):
        broken = _broken(line.text, font)
        rest = len(every) - at
        if len(broken) > room - (rest > 1):
            yield Line(Kind.PLACE, more(rest))
            return
        room -= len(broken)
        yield from (Line(line.kind, one) for one in broken)


def _broken(text: str, font: FreeTypeFont) -> list[str]:
    whole = _seen(text)
    rows = chopped(whole[:LONGEST_LINE], WIDEST - 2 * PAD, font.getlength)
    if len(rows) <= ROWS_OF_A_LINE and len(whole) <= LONGEST_LINE:
        return rows
    *most, last = rows[:ROWS_OF_A_LINE]
    return [*most, last[:-1] + ELLIPSIS]


def _seen(text: str) -> str:
    """*text* with what can't be seen named: it may turn round what follows it."""
    spread = text[: 2 * LONGEST_LINE].expandtabs(TAB)
    return "".join(sign if sign.isprintable() else f"<U+{ord(sign):04X}>" for sign in spread)


def _drawn(shown: list[Line], font: FreeTypeFont, theme: Theme) -> bytes:
    from PIL import Image, ImageDraw

    colours = PALETTES[theme]
    plain, head = Ink(colours.ground, colours.ink), Ink(colours.band, colours.ink)
    inks = {Kind.FILE: head, Kind.PLACE: Ink(colours.ground, colours.faint), Kind.SAME: plain, **INKS[theme]}
    picture = Image.new("RGB", (WIDEST, LINE * len(shown) + PAD), colours.ground)
    pen = ImageDraw.Draw(picture)
    for at, line in enumerate(shown):
        top = PAD // 2 + LINE * at
        pen.rectangle((0, top, WIDEST, top + LINE - 1), inks[line.kind].ground)
        pen.text((PAD, top + LINE // 2), line.text, inks[line.kind].letters, font, anchor="lm")
    held = io.BytesIO()
    picture.save(held, "PNG", optimize=True)
    return held.getvalue()


def _font_for(shown: Iterator[Line]) -> FreeTypeFont:
    """The one that has most signs: what is missing in a picture stands in the text beside it."""
    signs = {sign for line in shown for sign in _seen(line.text)[:LONGEST_LINE] if not sign.isspace()}
    return max(fonts(FONTS), key=lambda font: sum(has(font, sign) for sign in signs))
