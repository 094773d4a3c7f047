"""An answer as Telegram messages: text with entities, and pictures between."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from operator import attrgetter

from bot.markup.blocks import Block, PicturePart, Span, Style, joined
from bot.markup.cutting import pieces, utf16_units
from bot.markup.settle import Terms, settled
from bot.markup.tables import Table
from bot.markup.walk import WIDEST_TABLE, blocks

LONGEST_MESSAGE = 4096  # UTF-16 units, after parsing
LONGEST_CODE = 3500  # of one block, in units: more than two screens of a phone
MOST_ENTITIES = 100  # the server drops those beyond without a word

# A link to a host without a dot, or of another scheme, vanishes from the message without a word.
LINKABLE = re.compile(r"(?:https?://(?:[^/?#@]*@)?[^/?#@.]+\.[^/?#@]+|tg://)", re.IGNORECASE)

TYPES = {
    Style.BOLD: "bold",
    Style.ITALIC: "italic",
    Style.UNDERLINE: "underline",
    Style.STRIKE: "strikethrough",
    Style.LINK: "text_link",
    Style.CODE: "code",
    Style.PRE: "pre",
    Style.QUOTE: "blockquote",
    Style.FOLDED: "expandable_blockquote",
}
CODE = (Style.CODE, Style.PRE)
SPLITTABLE = (Style.BOLD, Style.ITALIC, Style.UNDERLINE, Style.STRIKE)


@dataclass(frozen=True, slots=True)
class Entity:
    """A Bot API MessageEntity; offset and length in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    """One message."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table that is too wide for text."""

    table: Table


@dataclass(frozen=True, slots=True)
class CodePart:
    """A block of code that is too long to be read in a chat; *name* is what the answer calls its file."""

    text: str
    language: str
    name: str


Part = TextPart | PicturePart
Aside = PicturePart | TablePart | CodePart


def render(
    markdown: str,
    *,
    pictures: Collection[str] = (),
    data_note: str = "",
    limit: int = LONGEST_MESSAGE,
    max_entities: int = MOST_ENTITIES,
) -> list[Part]:
    """The messages that show this text, pictures where their source is one of `pictures`.

    Each message is within `limit` UTF-16 units and `max_entities`; what is code stays code across a cut.
    `data_note` stands for the content of a `data:` URL.
    """
    items = blocks(settled(markdown, _terms(pictures, data_note)))
    packed = _packed(items, limit, max_entities)
    return [part for part in packed if isinstance(part, Part)]


def render_apart(
    markdown: str, *, pictures: Collection[str], data_note: str, limit: int
) -> list[TextPart | Aside]:
    """The same, but that a table or a block of code that a phone can't show as text stands apart from it."""
    items = blocks(settled(markdown, _terms(pictures, data_note)))
    return _packed(map(_apart, items), limit, MOST_ENTITIES)


def linkable(url: str) -> bool:
    return bool(LINKABLE.match(url))


def _terms(pictures: Collection[str], data_note: str) -> Terms:
    return Terms(linkable, pictures, data_note)


def _apart(item: Block | PicturePart) -> Block | Aside:
    if isinstance(item, PicturePart):
        return item
    if item.table and item.table.width > WIDEST_TABLE:
        return TablePart(item.table)
    if item.code and utf16_units(item.text) > LONGEST_CODE:
        return CodePart(item.text, item.spans[0].value, item.name)
    return item


def _packed(items: Iterable[Block | Aside], limit: int, max_entities: int) -> list[TextPart | Aside]:
    """Blocks together in as few messages as they fit in."""
    parts: list[TextPart | Aside] = []
    waiting: list[Block] = []
    units = entities = 0

    def send() -> None:
        nonlocal waiting, units, entities
        if waiting:
            parts.append(_message(joined(waiting)))
        waiting, units, entities = [], 0, 0

    for item in _fitting(items, limit, max_entities):
        if not isinstance(item, Block):
            send()
            parts.append(item)
            continue
        more_units, more_entities = utf16_units(item.text) + 2, _entity_count(item)
        if units + more_units > limit + 2 or entities + more_entities > max_entities:
            send()
        waiting.append(item)
        units, entities = units + more_units, entities + more_entities
    send()
    return parts


def _fitting(items: Iterable[Block | Aside], limit: int, max_entities: int) -> Iterator[Block | Aside]:
    """Lawful blocks that fit into a message each, those that were too long in pieces."""
    for item in items:
        if not isinstance(item, Block):
            yield item
            continue
        block = _lawful(item)
        if utf16_units(block.text) <= limit and _entity_count(block) <= max_entities:
            yield block
        else:
            yield from pieces(block, units=limit, spans=max_entities - bool(block.quote))


def _entity_count(block: Block) -> int:
    return len(block.spans) + bool(block.quote)


def _lawful(block: Block) -> Block:
    """The block with spans as the server keeps them.

    Code holds no other entity, and a link no code; bold and the like may hold a link, and are interrupted
    by code. An entity over nothing but blanks is dropped.
    """
    links = _spans(block, (Style.LINK,))
    code = [span for span in _spans(block, CODE) if not _overlapping(span, links)]
    free = (_outside(span, _overlapping(span, code)) for span in _spans(block, SPLITTABLE))
    kept = [*links, *code, *chain.from_iterable(free)]
    shown = (span for span in kept if block.text[span.start : span.end].strip())
    return replace(block, spans=tuple(sorted(shown, key=_outer_first)))


def _spans(block: Block, styles: Collection[Style]) -> list[Span]:
    return [span for span in block.spans if span.style in styles]


def _outer_first(span: Span) -> tuple[int, int]:
    return span.start, -span.end


def _overlapping(span: Span, others: list[Span]) -> list[Span]:
    """Those of the others, which are in order and apart from each other, that share a sign with the span."""
    first = bisect_right(others, span.start, key=attrgetter("end"))
    return others[first : bisect_left(others, span.end, lo=first, key=attrgetter("start"))]


def _outside(span: Span, holes: Iterable[Span]) -> Iterator[Span]:
    start = span.start
    for hole in holes:
        if start < hole.start:
            yield replace(span, start=start, end=hole.start)
        start = hole.end
    if start < span.end:
        yield replace(span, start=start)


def _message(text: Block) -> TextPart:
    ascii_only = text.text.isascii()
    offsets = (
        range(len(text.text) + 1) if ascii_only else [*accumulate(map(utf16_units, text.text), initial=0)]
    )
    ordered = sorted(text.spans, key=_outer_first)
    return TextPart(
        text.text, tuple(_entity(span, offsets[span.start], offsets[span.end]) for span in ordered)
    )


def _entity(span: Span, start: int, end: int) -> Entity:
    return Entity(
        TYPES[span.style],
        start,
        end - start,
        url=span.value if span.style is Style.LINK else None,
        language=span.value or None if span.style is Style.PRE else None,
    )
