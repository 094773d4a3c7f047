"""Text with entities as the platform makes it its own: cleaned, trimmed, checked, put right, cut to 100."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from tests.telegram.server.errors import bad
from tests.telegram.server.model import Entity, Json

LONGEST_TEXT = 4096
LONGEST_CAPTION = 1024
"""Code points, after trimming."""
MOST_BYTES = 32_768
"""Before trimming."""
MOST_ENTITIES = 100

FREE = ("bold", "italic", "underline", "strikethrough", "spoiler")
CODE = ("code", "pre")
QUOTES = ("blockquote", "expandable_blockquote")
GIVEN = (*FREE, *CODE, *QUOTES, "text_link", "text_mention", "custom_emoji", "date_time")
FOUND = ("mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number")
"""Those that the platform finds by itself: given ones are left out."""

TO_SPACE = {chr(sign) for sign in range(32)} - set("\n\r")
TO_NOTHING = set("\r\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u0333\u033f\u030a")
AUTOMATIC = (
    (
        "url",
        re.compile(
            r"https?://[^\s<>\"]+(?<![.,!?:;])|(?<![\w@/.])(?:[\w-]+\.)+(?:com|org|net|io|dev|py|md|rs|sh)\b(?:/[^\s<>\"]*)?"
        ),
    ),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z]\w{2,31}\b")),
    ("bot_command", re.compile(r"(?<![\w@/<>])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?\b(?!/)")),
    ("hashtag", re.compile(r"(?<!\w)#\w*[^\W\d]\w*")),
)


@dataclass(frozen=True, slots=True)
class Formatted:
    text: str
    entities: tuple[Entity, ...]


def size16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def formatted(text: str, given: Sequence[Json]) -> Formatted:
    """Errors: 400 for a text of more than 32,768 bytes and for entities that do not fit it."""
    if len(text.encode()) > MOST_BYTES:
        raise bad("text is too long")
    text, entities = _cleaned(text, sorted(_given(given), key=_place))
    text, entities = _trimmed(text, entities)
    entities = sorted(_put_right([one for one in entities if _worth(text, one)]), key=_place)
    shown = sorted([*entities, *_automatic(text, entities)], key=_place)
    return Formatted(text, tuple(shown[:MOST_ENTITIES]))


def _place(entity: Entity) -> tuple[int, int]:
    return entity.offset, -entity.length


def _given(given: Sequence[Json]) -> Iterator[Entity]:
    for one in given:
        kind, offset, length = one["type"], one["offset"], one["length"]
        if kind not in GIVEN + FOUND:
            raise bad("can't parse MessageEntity: unsupported type specified")
        if offset < 0 or length < 0:
            raise bad(f"receive an entity with incorrect {'offset' if offset < 0 else 'length'}")
        if length and kind in GIVEN:
            yield Entity(kind, offset, length, one.get("url"), one.get("language"))


# --- cleaning ----------------------------------------------------------------------------------------------


def _cleaned(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Signs that do not survive are taken out, and the entities move along."""
    kept: list[str] = []
    moved: dict[int, int] = {}
    old = new = 0
    for sign in text:
        moved[old] = new
        width = 1 + (sign > "\uffff")
        old += width
        if sign not in TO_NOTHING:
            kept.append(" " if sign in TO_SPACE else sign)
            new += width
    moved[old] = new
    return "".join(kept), [_moved(entity, moved, old) for entity in entities]


def _moved(entity: Entity, moved: dict[int, int], size: int) -> Entity:
    if entity.offset > size:
        raise bad(f"entity begins after the end of the text at UTF-16 offset {entity.offset}")
    beginning = f"entity beginning at UTF-16 offset {entity.offset}"
    if entity.end > size:
        raise bad(f"{beginning} ends after the end of the text at UTF-16 offset {entity.end}")
    if entity.offset not in moved:
        raise bad(f"entity begins in a middle of a UTF-16 symbol at UTF-16 offset {entity.offset}")
    if entity.end not in moved:
        raise bad(f"{beginning} ends in a middle of a UTF-16 symbol at UTF-16 offset {entity.end}")
    start = moved[entity.offset]
    return replace(entity, offset=start, length=moved[entity.end] - start)


def _trimmed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """The end is stripped; the beginning up to the first entity."""
    text = text.rstrip(" \n")
    end = size16(text)
    inside = [replace(one, length=min(one.end, end) - one.offset) for one in entities if one.offset < end]
    blank = len(text) - len(text.lstrip(" \n"))
    cut = min([blank, *(one.offset for one in inside)])
    return text[cut:], [replace(one, offset=one.offset - cut) for one in inside]


def _worth(text: str, entity: Entity) -> bool:
    covered = text.encode("utf-16-le")[entity.offset * 2 : entity.end * 2].decode("utf-16-le")
    return bool(covered.strip()) and (entity.type != "text_link" or _opens(entity.url or ""))


def _opens(url: str) -> bool:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host = parts.hostname or ""
    except ValueError:
        return False
    known = parts.scheme in ("http", "https", "tg", "ton", "tonsite")
    return known and (parts.scheme == "tg" or "." in host.strip(".")) and not re.search(r"\s", url)


# --- what may lie within what ------------------------------------------------------------------------------


def _put_right(entities: list[Entity]) -> Iterator[Entity]:
    """The first of links and code stays, quotes do not nest, styles are cut around code."""
    quotes = _apart(_of(QUOTES, entities))
    others = _apart(one for one in entities if one.type not in QUOTES + FREE)
    whole = [one for one in others if not any(_crosses(one, quote) for quote in quotes)]
    yield from quotes
    yield from whole
    for style in _of(FREE, entities):
        yield from _around(style, _of(CODE, whole))


def _of(kinds: Sequence[str], entities: Iterable[Entity]) -> list[Entity]:
    return [one for one in entities if one.type in kinds]


def _apart(entities: Iterable[Entity]) -> list[Entity]:
    kept: list[Entity] = []
    for one in entities:
        if not kept or one.offset >= kept[-1].end:
            kept.append(one)
    return kept


def _crosses(one: Entity, quote: Entity) -> bool:
    outside = one.end <= quote.offset or quote.end <= one.offset
    return not outside and not (quote.offset <= one.offset and one.end <= quote.end)


def _around(style: Entity, code: list[Entity]) -> Iterator[Entity]:
    start = style.offset
    for block in code:
        if start < block.end and block.offset < style.end:
            if start < block.offset:
                yield replace(style, offset=start, length=block.offset - start)
            start = block.end
    if start < style.end:
        yield replace(style, offset=start, length=style.end - start)


def _automatic(text: str, entities: Sequence[Entity]) -> Iterator[Entity]:
    """`main.py` becomes a link, `/start` a command: anywhere but in code and links."""
    taken = [one for one in entities if one.type in CODE or one.type == "text_link"]
    for kind, pattern in AUTOMATIC:
        for found in pattern.finditer(text):
            one = Entity(kind, size16(text[: found.start()]), size16(found.group()))
            if not any(one.offset < other.end and other.offset < one.end for other in taken):
                taken.append(one)
                yield one
