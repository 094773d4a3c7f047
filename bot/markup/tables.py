"""A table as text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

JOINERS = "\u200d\ufe0e\ufe0f"


@dataclass(slots=True)
class Table:
    """Rows of plain cells as they come in; the first row is the head. Alignments: left, center or right."""

    rows: list[list[str]] = field(default_factory=list)
    alignments: list[str] = field(default_factory=list)

    def text(self, widest: int) -> str:
        """Aligned columns, or cells as they are where a line would take more columns and be wrapped."""
        widths = [max(map(display_width, column)) for column in zip(*self.rows, strict=True)]
        if sum(widths) + len(" │ ") * (len(widths) - 1) > widest:
            widths = [1] * len(widths)
        head, *body = [self._line(row, widths) for row in self.rows]
        return "\n".join([head, "─┼─".join("─" * width for width in widths), *body])

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = map(_padded, row, widths, self.alignments)
        return " │ ".join(cells).rstrip()


def display_width(text: str) -> int:
    """Columns that the text takes where every sign has one or two."""
    if text.isascii():
        return len(text)
    return sum(map(_sign_width, text))


def _sign_width(sign: str) -> int:
    if sign in JOINERS or unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _padded(cell: str, width: int, alignment: str) -> str:
    room = width - display_width(cell)
    before = {"right": room, "center": room // 2}.get(alignment, 0)
    return " " * before + cell + " " * (room - before)
