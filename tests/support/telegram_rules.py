"""Telegram's rules for a message with entities, as its open server keeps them, apart from our renderer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Protocol
from urllib.parse import urlsplit

LONGEST = 4096
MOST_ENTITIES = 100
FREE = {"bold", "italic", "underline", "strikethrough", "spoiler"}
CODE = {"code", "pre"}
QUOTES = {"blockquote", "expandable_blockquote"}
KNOWN = FREE | CODE | QUOTES | {"text_link"}


class EntityLike(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def url(self) -> str | None: ...


def utf16(text: str) -> bytes:
    return text.encode("utf-16-le")


def covered(text: str, entity: EntityLike) -> str:
    """The text under an entity; an offset inside a surrogate pair raises UnicodeDecodeError."""
    return utf16(text)[entity.offset * 2 : (entity.offset + entity.length) * 2].decode("utf-16-le")


def faults(
    text: str, entities: Sequence[EntityLike], *, longest: int = LONGEST, most: int = MOST_ENTITIES
) -> list[str]:
    """What the server would refuse, drop or show otherwise; empty if the message arrives as it is."""
    found = [
        *_text_faults(text, longest),
        *(f"{len(entities)} entities" for _ in [0] if len(entities) > most),
    ]
    for entity in entities:
        found += _entity_faults(text, entity)
    for one, other in combinations(sorted(entities, key=lambda e: (e.offset, -e.length)), 2):
        if other.offset < one.offset + one.length:
            found += _pair_faults(one, other)
    return found


def _text_faults(text: str, longest: int) -> Iterator[str]:
    size = len(utf16(text)) // 2
    if size > longest:
        yield f"message is too long: {size}"
    if len(text.encode()) > 32_768:
        yield "text is too long"
    if not text.strip():
        yield "text must be non-empty"
    if any((ord(sign) < 32 and sign not in "\n\t") or "\x7f" <= sign <= "\x9f" for sign in text):
        yield "a control character"


def _entity_faults(text: str, entity: EntityLike) -> Iterator[str]:
    if entity.type not in KNOWN:
        yield f"unknown type {entity.type}"
    if entity.offset < 0 or entity.length <= 0 or entity.offset + entity.length > len(utf16(text)) // 2:
        yield f"out of the text: {entity}"
        return
    try:
        blank = not covered(text, entity).strip()
    except UnicodeDecodeError:
        yield f"inside a surrogate pair: {entity}"
        return
    if blank:
        yield f"over nothing: {entity}"
    if entity.type == "text_link" and not _good_url(entity.url or ""):
        yield f"a bad URL: {entity.url}"


def _good_url(url: str) -> bool:
    parts = urlsplit(url)
    return url.isascii() and (
        parts.scheme == "tg" or (parts.scheme in ("http", "https") and "." in parts.netloc)
    )


def _pair_faults(one: EntityLike, other: EntityLike) -> Iterator[str]:
    """`one` begins first; they overlap."""
    nested = other.offset + other.length <= one.offset + one.length
    both = {one.type, other.type}
    if both <= QUOTES:
        yield f"quotes nest: {one} {other}"
    elif both & QUOTES:
        if not nested:
            yield f"a quote is crossed: {one} {other}"
    elif both & CODE:
        yield f"code holds or is held: {one} {other}"
    elif not both & FREE:
        yield f"links nest: {one} {other}"
    elif not nested and not both <= FREE:
        yield f"a link is crossed: {one} {other}"
