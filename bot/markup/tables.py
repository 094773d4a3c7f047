"""A table as text."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

BETWEEN = " │ "
PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
JOINERS = "\u200d\ufe0e\ufe0f"


@dataclass(slots=True)
class Table:
    """Rows of plain cells as they come in; the first row is the head. Alignments: left, center or right."""

    rows: list[list[str]] = field(default_factory=list)
    alignments: list[str] = field(default_factory=list)

    @property
    def widths(self) -> list[int]:
        """The columns that each column of it takes as text."""
        return [max(map(display_width, column)) for column in zip(*self.rows, strict=True)]

    @property
    def width(self) -> int:
        """The columns that a line of it takes where they are aligned."""
        return sum(self.widths) + len(BETWEEN) * (len(self.widths) - 1)

    def text(self, widest: int) -> str:
        """Aligned columns, or cells as they are where a line would take more columns and be wrapped."""
        widths = self.widths if self.width <= widest else [1] * len(self.widths)
        head, *body = [self._line(row, widths) for row in self.rows]
        return "\n".join([head, "─┼─".join("─" * width for width in widths), *body])

    def _line(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = map(_padded, row, widths, self.alignments)
        return BETWEEN.join(cells).rstrip()

    def csv(self) -> str:
        """As programs for tables read it."""
        held = io.StringIO()
        csv.writer(held, lineterminator="\n").writerows(self.rows)
        return held.getvalue()

    def markdown(self) -> str:
        """A list for each row, every cell after the head of its column: what a narrow screen can show."""
        head, *body = self.rows
        return "\n\n".join("\n".join(_beneath(head, row)) for row in body or [head])


def _beneath(head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for at, (name, cell) in enumerate(zip(head, row, strict=True)):
        said = ": ".join(filter(None, (_literal(name), _literal(cell))))
        yield f"{'- ' if at == 0 else '  '}{said}  "


def _literal(cell: str) -> str:
    return PUNCTUATION.sub(r"\\\g<0>", cell)


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
