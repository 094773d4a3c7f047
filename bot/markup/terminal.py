"""An answer as text for a terminal, and pictures between."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bot.markup.blocks import Block, PicturePart, Span, Style
from bot.markup.settle import Terms, settled
from bot.markup.tables import display_width
from bot.markup.walk import blocks

NARROWEST = 20
CODE_MARGIN = "    "
QUOTE_MARGIN = "│ "
BETWEEN = " · "
RESET = "\x1b[0m"
ANSI = {  # Select Graphic Rendition, ECMA-48
    Style.BOLD: "1",
    Style.ITALIC: "3",
    Style.UNDERLINE: "4",
    Style.STRIKE: "9",
    Style.CODE: "36",
    Style.PRE: "36",
}


@dataclass(frozen=True, slots=True)
class TextPart:
    """Lines without a newline at the end; with colour, every line ends in the terminal's own style."""

    text: str


Part = TextPart | PicturePart


def render(
    markdown: str, *, width: int, pictures: Collection[str] = (), data_note: str = "", colour: bool = False
) -> list[Part]:
    """The text in at most `width` columns, but for code, tables and long words, which are left whole.

    No control character comes through, so an agent cannot drive the terminal.
    """
    terms = Terms(lambda url: False, pictures, data_note)
    parts: list[Part] = []
    for item in blocks(settled(markdown, terms), widest_table=width - len(CODE_MARGIN)):
        if isinstance(item, PicturePart):
            parts.append(item)
            continue
        text, last = _block(item, width, colour=colour), parts[-1] if parts else None
        if isinstance(last, TextPart):
            parts[-1] = TextPart(last.text + ("\n" if item.tight else "\n\n") + text)
        else:
            parts.append(TextPart(text))
    return parts


def filled(items: Iterable[str], width: int) -> list[str]:
    """The *items* on as few lines as hold them; one that no line holds is broken between its words."""
    lines: list[str] = []
    for item in items:
        longer = f"{lines[-1]}{BETWEEN}{item}" if lines else item
        if lines and display_width(longer) <= width:
            lines[-1] = longer
        else:
            lines += _wrapped_line(item, width).split("\n")
    return lines


def _block(block: Block, width: int, *, colour: bool) -> str:
    margin = (QUOTE_MARGIN if block.quote else "") + (CODE_MARGIN if block.code else "")
    set_out = block if block.code else _wrapped(block, max(NARROWEST, width - display_width(margin)))
    text = "".join(_painted(*stretch) for stretch in set_out.segments()) if colour else set_out.text
    return "\n".join((margin + line).rstrip() for line in text.split("\n"))


def _painted(text: str, spans: Iterable[Span]) -> str:
    """The stretch in its style, line by line, so that a margin is never painted."""
    codes = ";".join(sorted({ANSI[span.style] for span in spans if span.style in ANSI}))
    if not codes:
        return text
    return "\n".join(line and f"\x1b[{codes}m{line}{RESET}" for line in text.split("\n"))


def _wrapped(block: Block, width: int) -> Block:
    """Blanks become line ends where a line would grow too long; so no span moves."""
    lines = (_wrapped_line(line, width) for line in block.text.split("\n"))
    return Block("\n".join(lines), block.spans, block.tight, block.quote)


def _wrapped_line(line: str, width: int) -> str:
    if display_width(line) <= width:
        return line
    out: list[str] = []
    column = 0
    for word in line.split(" "):
        size = display_width(word)
        fits = column + 1 + size <= width
        out += (" " if fits else "\n", word) if out else (word,)
        column = column + 1 + size if fits and len(out) > 1 else size
    return "".join(out)
