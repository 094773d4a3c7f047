"""Tables of more rows than anybody reads in a chat, found before anything of them is parsed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MOST_ROWS = 200
HEAD_ROWS = 10
NAME = "table.csv"
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
OTHER = re.compile(r" {4}|\t| {0,3}(?:>|#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|`{3}|~{3})")
"""What ends a table, and begins none."""
PICTURE = "!["
"""What has one is to be shown, however long that takes."""
BAR = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class LongTable:
    """Its *lines* as they were written; the first is its head, the second says how columns are aligned."""

    lines: Sequence[str]

    @property
    def head(self) -> str:
        """The beginning of it, as Markdown; its last row says that there is more."""
        return "\n".join([*self.lines[: 2 + HEAD_ROWS], "| … |"])

    def csv(self) -> str:
        """All of it as programs for tables read it, with the mark-up of its cells."""
        held = io.StringIO()
        rows = [self.lines[0], *self.lines[2:]]
        csv.writer(held, lineterminator="\n").writerows(map(_cells, rows))
        return held.getvalue()


def apart(markdown: str) -> list[str | LongTable]:
    """The text, and each such table that stands in it by itself, in order."""
    lines = markdown.split("\n")
    if len(lines) <= MOST_ROWS:
        return [markdown]
    found: list[str | LongTable] = []
    before = 0
    for start, end in _long(lines):
        found += [*_text(lines[before:start]), LongTable(lines[start:end])]
        before = end
    return [*found, *_text(lines[before:])]


def _long(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each begins and ends."""
    fence, at = "", 0
    while at < len(lines):
        fence = _fenced(fence, lines[at])
        end = at + 1 if fence else _end(lines, at)
        if end - at > MOST_ROWS + 2 and not any(PICTURE in line for line in lines[at:end]):
            yield at, end
        at = end


def _fenced(fence: str, line: str) -> str:
    """The fence that code stands in from this line on, empty outside of code."""
    found = FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line[found.end() :].strip()
    return "" if closes else fence


def _end(lines: Sequence[str], at: int) -> int:
    """Where a table ends whose head is there; the next line if none is."""
    if at + 1 == len(lines) or not _is_row(lines[at]) or not DELIMITER.fullmatch(lines[at + 1].rstrip("\r")):
        return at + 1
    if len(_cells(lines[at])) != len(_cells(lines[at + 1])):
        return at + 1
    return next((end for end in range(at + 2, len(lines)) if not _is_row(lines[end])), len(lines))


def _is_row(line: str) -> bool:
    return "|" in line and not OTHER.match(line)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in BAR.split(inner)]


def _text(lines: Sequence[str]) -> list[str]:
    text = "\n".join(lines)
    return [text] if text.strip() else []
