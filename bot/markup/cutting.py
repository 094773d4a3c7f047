"""A block that is too long, cut where a reader would cut it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from operator import attrgetter

from bot.markup.blocks import Block

INK = re.compile(r"\S|\Z")
MARKS = ("Mn", "Mc", "Me")
ZERO_WIDTH_JOINER = "\u200d"
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s")


def utf16_units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def pieces(block: Block, *, units: int, spans: int) -> Iterator[Block]:
    """The block in pieces of at most so many UTF-16 units and spans; code stays code of its language.

    Code is cut at line ends; prose at an empty line, a line end, a sentence or a word, the first of these
    that makes no small piece; only what has none of them is cut between signs, and never inside one.
    """
    start, tight, ahead = 0, block.tight, 0
    while start < len(block.text):
        while ahead < len(block.spans) and block.spans[ahead].end <= start:
            ahead += 1
        beyond = bisect_left(block.spans, start + units, lo=ahead, key=attrgetter("start"))
        near = replace(block, spans=block.spans[ahead:beyond])
        end = _end(near, start, units, spans)
        piece = _trimmed(near.cut(start, end))
        if piece.visible:
            yield replace(piece, tight=tight)
        start = end if block.code else _after_blanks(block.text, end)
        tight = True


def _after_blanks(text: str, place: int) -> int:
    ink = INK.search(text, place)
    return ink.start() if ink else len(text)


def _trimmed(piece: Block) -> Block:
    kept = piece.text.removesuffix("\n") if piece.code else piece.text.rstrip()
    return piece.cut(0, len(kept))


def _end(block: Block, start: int, units: int, spans: int) -> int:
    farthest = min(
        start + _reach(block.text[start : start + units], units), _last_by_spans(block, start, spans)
    )
    if farthest >= len(block.text):
        return len(block.text)
    window = block.text[start:farthest]
    good = _line_end(window) if block.code else _prose_end(window)
    return _between_signs(block.text, start, start + good if good else farthest)


def _reach(window: str, units: int) -> int:
    """How many signs of the window fit; at least one, so that every cut gets on."""
    if window.isascii():
        return len(window)
    fitting = window.encode("utf-16-le", "surrogatepass")[: units * 2]
    return max(1, len(fitting.decode("utf-16-le", "ignore")))


def _last_by_spans(block: Block, start: int, spans: int) -> int:
    """Where the first span begins that would be one too many."""
    ahead = [span.start for span in block.spans if span.end > start]
    return max(ahead[spans], start + 1) if len(ahead) > spans else len(block.text)


def _line_end(window: str) -> int:
    return window.rfind("\n") + 1


def _prose_end(window: str) -> int:
    """The end of the best place to cut, 0 if there is none in the last two thirds."""
    least = len(window) // 3
    sentence = max((found.end() for found in SENTENCE_END.finditer(window)), default=0)
    places = (window.rfind("\n\n") + 1, window.rfind("\n") + 1, sentence, window.rfind(" ") + 1)
    return next((place for place in places if place > least), 0)


def _between_signs(text: str, start: int, end: int) -> int:
    """The last place up to `end` that is inside no sign; `end` itself in a sign longer than a message."""
    place = end
    while place > start and _inside_sign(text, place):
        place -= 1
    return place if place > start else end


def _inside_sign(text: str, place: int) -> bool:
    """Whether the sign before this place goes on after it: accents, skin tones, joined emoji, flags."""
    before, after = text[place - 1], text[place]
    if after < "\u0300":
        return before == ZERO_WIDTH_JOINER
    if _regional(before) and _regional(after):
        return _run_of_regionals(text, place) % 2 == 1
    return before == ZERO_WIDTH_JOINER or _extends(after)


def _extends(sign: str) -> bool:
    return (
        unicodedata.category(sign) in MARKS
        or sign == ZERO_WIDTH_JOINER
        or "\U0001f3fb" <= sign <= "\U0001f3ff"
        or "\U000e0020" <= sign <= "\U000e007f"
    )


def _regional(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _run_of_regionals(text: str, place: int) -> int:
    run = text[max(0, place - 64) : place]
    return len(run) - len(run.rstrip("".join(map(chr, range(0x1F1E6, 0x1F200)))))
