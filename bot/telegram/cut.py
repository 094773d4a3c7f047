"""What we say as messages that Telegram takes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby
from typing import assert_never

from bot.chat import File, Outgoing, Picture, Text
from bot.markup.blocks import PicturePart
from bot.markup.cutting import utf16_units
from bot.markup.long_tables import NAME, LongTable, apart
from bot.markup.rich import html
from bot.markup.tables import Table
from bot.markup.telegram import (
    LONGEST_MESSAGE,
    Aside,
    CodePart,
    TablePart,
    TextPart,
    linkable,
    render,
    render_apart,
)
from bot.telegram.aside import HEAD_UNITS, as_file, code, table
from bot.telegram.part import Part, in_turn
from core.answers.markdown import clean
from core.model.answer import Placed

LONGEST_CAPTION = 1024
"""UTF-16 units, after parsing, as `LONGEST_MESSAGE`."""
FOR_A_MARK = 128
"""Units that each message leaves for what may have to stand above it."""
TEXT, CAPTION = LONGEST_MESSAGE - FOR_A_MARK, LONGEST_CAPTION - FOR_A_MARK
LONGEST_RICH = 32_000
"""Signs of HTML; of those that are shown there may be 32,768."""
MOST_MESSAGES = 4
"""Of text: a longer answer is read more easily as a file, and fills nobody's screen."""
ALBUM = 10
BEGINNING = 8 * HEAD_UNITS
"""Signs in which a head is looked for, whatever mark-up is among them."""
ANSWER, MARKDOWN = "answer", ".md"
DATA_URL = "data: …"
ELLIPSIS = "…"


def cut(what: Outgoing) -> list[Part]:
    """The first one rings, if any does, and replies; the last one that can carries the buttons."""
    parts = _parts(what)
    return in_turn(parts, _like(what)) if parts else []


def first(what: Outgoing) -> Part | None:
    """One message that says as much of it as one can, in its longest way that fits, and carries the buttons:
    what shows how far something is, and is soon said anew."""
    if not isinstance(what, Text):
        return next(iter(cut(what)), None)
    for shown in (_texts(way, TEXT) for way in what.ways):
        if len(shown) < 2:
            break
    return in_turn(shown[:1], _like(what))[0] if shown else None


def _like(what: Outgoing) -> Part:
    return Part(buttons=what.buttons, silent=what.silent, reply_to=what.reply_to)


def listed(found: Table) -> list[Part]:
    """A table in words."""
    return _texts(found.markdown(), TEXT)


def _parts(what: Outgoing) -> list[Part]:
    match what:
        case Text(markdown, placed=placed, rich=rich, theme=theme):
            drawn = [replace(one, theme=theme) if one.table else one for one in _answer(markdown, placed)]
            return _rich(markdown, drawn) if rich else drawn
        case Picture(media, name, caption):
            return _captioned(Part(media=media, name=name, photo=True), caption)
        case File(media, name, caption):
            return _captioned(Part(media=media, name=name), caption)
        case _:
            assert_never(what)


def _rich(markdown: str, parts: list[Part]) -> list[Part]:
    """Words, tables and code as one message; what no words are is what it is without that."""
    more = any(part.media or part.album or part.name == ANSWER + MARKDOWN for part in parts)
    if more or not parts or len(markdown) > 2 * LONGEST_RICH:
        return parts
    shown = html(markdown, linkable=linkable, data_note=DATA_URL)
    return parts if len(shown) > LONGEST_RICH else [Part(rich=shown, plainer=tuple(parts))]


def _answer(markdown: str, placed: Sequence[Placed]) -> list[Part]:
    """Its words with what stands between them; of very many words a head, and all of them as a file. Files
    that no place in the text is for come last."""
    files = {one.src: one for one in placed if one.kind in ("photo", "file")}
    shown = list(_read(markdown, files))
    parts: list[Part] = []
    if _too_long(shown):
        (head, *_) = _texts(markdown[:BEGINNING], HEAD_UNITS) or _texts(markdown, HEAD_UNITS)
        parts += as_file(head, ANSWER + MARKDOWN, clean(markdown))
        shown = [part for part in shown if isinstance(part, PicturePart)]
    parts += chain.from_iterable(_shown(one, files) for one in shown)
    parts += [_placed(file, "") for file in placed if file.kind == "made"]
    return _in_albums(parts)


def _read(markdown: str, files: Collection[str]) -> Iterator[TextPart | Aside | LongTable]:
    """A very long table stays as it is."""
    for piece in apart(markdown):
        if isinstance(piece, LongTable):
            yield piece
        else:
            yield from render_apart(piece, pictures=files, data_note=DATA_URL, limit=TEXT)


def _too_long(shown: Sequence[TextPart | Aside | LongTable]) -> bool:
    """Whether the words alone take more messages than anybody reads; pictures between them count for none."""
    return sum(utf16_units(one.text) for one in shown if isinstance(one, TextPart)) > MOST_MESSAGES * TEXT


def _shown(part: TextPart | Aside | LongTable, files: dict[str, Placed]) -> list[Part]:
    match part:
        case LongTable():
            return [*_head(part), Part(name=NAME, content=part.csv())]
        case TextPart(text, entities):
            return [Part(text, entities)]
        case PicturePart(src, alt):
            return [_placed(files[src], alt)]
        case TablePart(found):
            return table(found, listed(found), caption=CAPTION)
        case CodePart(text, language, name):
            return code(text, language, name)
        case _:
            assert_never(part)


def _head(found: LongTable) -> list[Part]:
    """Its beginning as any table is shown, but for a file of that alone."""
    shown = render_apart(found.head, pictures=(), data_note=DATA_URL, limit=TEXT)
    return [part for one in shown for part in _shown(one, {}) if not part.content]


def _placed(file: Placed, alt: str) -> Part:
    """Its description beneath it, of which nobody needs more than a caption holds."""
    return Part(_shortened(alt), media=file.media, name=file.name, photo=file.kind == "photo")


def _in_albums(parts: Sequence[Part]) -> list[Part]:
    """Photos in a row are one album. It takes no buttons, so where there is nothing else the last photo stays
    by itself."""
    free, last = (parts[:-1], parts[-1:]) if all(map(_is_photo, parts)) else (parts, [])
    found: list[Part] = []
    for photos, run in groupby(free, key=_is_photo):
        row = list(run)
        found += _albums(row) if photos else row
    return [*found, *last]


def _is_photo(part: Part) -> bool:
    return part.photo and part.table is None


def _albums(photos: Sequence[Part]) -> list[Part]:
    rows = [tuple(photos[at : at + ALBUM]) for at in range(0, len(photos), ALBUM)]
    return [row[0] if len(row) == 1 else Part(album=row) for row in rows]


def _shortened(alt: str) -> str:
    if utf16_units(alt) <= CAPTION:
        return alt
    fitting = alt.encode("utf-16-le")[: (CAPTION - 1) * 2].decode("utf-16-le", "ignore")
    return fitting.rstrip() + ELLIPSIS


def _captioned(media: Part, caption: str) -> list[Part]:
    """What is too long for a caption follows as messages."""
    if short := _texts(caption, CAPTION):
        if len(short) == 1:
            return [replace(media, text=short[0].text, entities=short[0].entities)]
        return [media, *_texts(caption, TEXT)]
    return [media]


def _texts(markdown: str, limit: int) -> list[Part]:
    return [Part(part.text, part.entities) for part in _rendered(markdown, limit)]


def _rendered(markdown: str, limit: int) -> list[TextPart]:
    parts = render(markdown, data_note=DATA_URL, limit=limit)
    return [part for part in parts if isinstance(part, TextPart)]
