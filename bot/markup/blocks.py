"""An answer as blocks: plain text with styled spans, and pictures between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING

from core.answers.signs import visible

if TYPE_CHECKING:
    from bot.markup.tables import Table


class Style(Enum):
    BOLD = auto()
    ITALIC = auto()
    UNDERLINE = auto()
    STRIKE = auto()
    LINK = auto()
    CODE = auto()
    PRE = auto()
    QUOTE = auto()
    FOLDED = auto()
    """A quotation of which a chat shows the beginning, and the rest for who asks."""


@dataclass(frozen=True, slots=True)
class Span:
    """A styled stretch of a text, in code points; `value` is a link's URL or a code block's language."""

    start: int
    end: int
    style: Style
    value: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, heading, table or code block.

    Spans are in order of their starts, and each covers something. `tight` blocks follow the one before in the
    next line, others after an empty one. Blocks of the same quotation carry its number, others 0. *name* is
    what a code block's file is called, *table* what its text was made of.
    """

    text: str
    spans: tuple[Span, ...] = ()
    tight: bool = False
    quote: int = 0
    folded: bool = False
    name: str = ""
    table: Table | None = None

    @property
    def code(self) -> bool:
        return bool(self.spans) and self.spans[0].style is Style.PRE

    @property
    def visible(self) -> bool:
        return visible(self.text)

    def cut(self, start: int, end: int) -> Block:
        """The part between two places, its spans clipped."""
        clipped = (
            replace(span, start=max(span.start - start, 0), end=min(span.end, end) - start)
            for span in self.spans
            if span.start < end and span.end > start
        )
        return replace(self, text=self.text[start:end], spans=tuple(clipped))

    def segments(self) -> Iterator[tuple[str, list[Span]]]:
        """The text in stretches of one style each, with the spans that cover them."""
        edges = sorted({0, len(self.text), *(edge for span in self.spans for edge in (span.start, span.end))})
        ahead, covering = deque(self.spans), list[Span]()
        for start, end in pairwise(edges):
            covering = [span for span in covering if span.end > start]
            while ahead and ahead[0].start == start:
                covering.append(ahead.popleft())
            yield self.text[start:end], covering


@dataclass(frozen=True, slots=True)
class PicturePart:
    """A picture that stands here, between two pieces of text."""

    src: str
    alt: str


def joined(blocks: Iterable[Block]) -> Block:
    """The blocks as one text; a quotation is one span."""
    texts: list[str] = []
    spans: list[Span] = []
    size = quote = opened = 0
    for block in blocks:
        gap = "" if not texts else "\n" if block.tight else "\n\n"
        size += len(gap)
        if block.quote and block.quote == quote:
            spans[opened] = replace(spans[opened], end=size + len(block.text))
        elif block.quote:
            opened = len(spans)
            style = Style.FOLDED if block.folded else Style.QUOTE
            spans.append(Span(size, size + len(block.text), style))
        spans += (replace(span, start=span.start + size, end=span.end + size) for span in block.spans)
        quote = block.quote
        texts += gap, block.text
        size += len(block.text)
    return Block("".join(texts), tuple(spans))
