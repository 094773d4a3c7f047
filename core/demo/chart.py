"""The picture of a project: its languages by size, to be read on a phone."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image, ImageDraw, ImageFont

WIDTH = 1080
"""Pixels, as in the file; everything is drawn `SCALE` times as large and scaled down, for smooth edges."""
SCALE = 2
MARGIN = 64
TOP = 292
ROW = 92
GAP = 3
BARS = (372, 800)
"""Where the bars of the rows begin and where the longest one ends."""

SYSTEM_FONTS = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf")
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

PAPER, INK, MUTED, TRACK = "#fbfaf7", "#22262b", "#737a83", "#eceae4"
COLOURS = ("#3d6fb4", "#ef7a56", "#4fae8f", "#f0b541", "#9270c4", "#4fb3cf", "#d9678f")
REST = "#b9bec6"


@dataclass(frozen=True, slots=True)
class Bar:
    """*size* is in bytes and *figure* the same in words; *rest* marks what is left over after the others."""

    label: str
    size: int
    figure: str
    rest: bool = False


def draw(title: str, subtitle: str, bars: Sequence[Bar], file: BinaryIO) -> None:
    """Writes a WebP picture of at most as many rows as there are colours, and one."""
    height = TOP + ROW * len(bars) + MARGIN // 2
    sheet = _Sheet(height)
    sheet.text(MARGIN, 96, title, 72, INK, room=WIDTH - 2 * MARGIN, bold=True)
    sheet.text(MARGIN, 170, subtitle, 38, MUTED, room=WIDTH - 2 * MARGIN)
    paints = [REST if bar.rest else COLOURS[number % len(COLOURS)] for number, bar in enumerate(bars)]
    _whole(sheet, bars, paints)
    for number, (bar, paint) in enumerate(zip(bars, paints, strict=True)):
        _row(sheet, TOP + ROW * number + ROW // 2, bar, paint, max(bar.size for bar in bars))
    sheet.save(file)


def _whole(sheet: _Sheet, bars: Sequence[Bar], paints: Sequence[str]) -> None:
    """All bars in one band, side by side."""
    total, room = sum(bar.size for bar in bars) or 1, WIDTH - 2 * MARGIN
    passed = 0
    for bar, paint in zip(bars, paints, strict=True):
        left, passed = passed, passed + bar.size
        sheet.slice(MARGIN, 218, room, 40, paint, (left / total, passed / total))


def _row(sheet: _Sheet, middle: int, bar: Bar, paint: str, largest: int) -> None:
    left, right = BARS
    sheet.pill(MARGIN, middle - 13, 26, 26, paint)
    sheet.text(MARGIN + 46, middle, bar.label, 42, INK, room=left - MARGIN - 66)
    sheet.pill(left, middle - 14, right - left, 28, TRACK)
    sheet.pill(left, middle - 14, max(28, round((right - left) * bar.size / (largest or 1))), 28, paint)
    sheet.text(WIDTH - MARGIN, middle, bar.figure, 40, MUTED, room=WIDTH - MARGIN - right, anchor="rm")


def _font(text: str, size: int) -> tuple[Font, str]:
    """A font at *size* pixels, and *text* as far as it can draw it: Pillow's own font has no accents."""
    if all(sign.isascii() or sign in "·…" for sign in text):
        return ImageFont.load_default(size), text
    for name in SYSTEM_FONTS:
        try:
            return ImageFont.truetype(name, size), text
        except OSError:
            continue  # not on this machine
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return ImageFont.load_default(size), plain


class _Sheet:
    """Paper to draw on, in pixels of the finished picture; texts stand around the middle of their line."""

    def __init__(self, height: int) -> None:
        self._image = Image.new("RGB", (WIDTH * SCALE, height * SCALE), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def text(
        self,
        x: int,
        y: int,
        text: str,
        size: int,
        paint: str,
        *,
        room: int,
        bold: bool = False,
        anchor: str = "lm",
    ) -> None:
        """*text* as large as *size*, cut with an ellipsis where it is longer than *room*."""
        font, shown = _font(text, size * SCALE)
        while len(shown) > 1 and font.getlength(shown) > room * SCALE:
            shown = shown[:-2] + "…"
        stroke = SCALE if bold else 0
        self._draw.text((x * SCALE, y * SCALE), shown, paint, font, anchor, stroke_width=stroke)

    def pill(self, x: int, y: int, width: int, height: int, paint: str) -> None:
        box = [x * SCALE, y * SCALE, (x + width) * SCALE, (y + height) * SCALE]
        self._draw.rounded_rectangle(box, height * SCALE // 2, paint)

    def slice(self, x: int, y: int, width: int, height: int, paint: str, part: tuple[float, float]) -> None:
        """The *part* of a pill between two fractions of its width."""
        mask = Image.new("L", (width * SCALE, height * SCALE), 0)
        pen = ImageDraw.Draw(mask)
        pen.rounded_rectangle([0, 0, *(side - 1 for side in mask.size)], height * SCALE // 2, 255)
        left, right = (round(fraction * mask.width) for fraction in part)
        gap = 0 if right == mask.width else GAP * SCALE
        shown = mask.crop((left, 0, max(left, right - gap), mask.height))
        self._image.paste(paint, (x * SCALE + left, y * SCALE), shown)

    def save(self, file: BinaryIO) -> None:
        size = (WIDTH, self._image.height // SCALE)
        self._image.resize(size, Image.Resampling.LANCZOS).save(file, "WEBP", quality=90, method=4)
