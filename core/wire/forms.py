"""Forms to be filled in, as MCP and ACP have them: fields as questions, answers as values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from core.model.events import Asked, AskKind, Choice, Grant
from core.wire.shapes import Json, Shape

YES, NO = "true", "false"
DECLINE = "roost/decline"
"""The choice that fills in nothing; no field offers one of that name."""
MOST_FIELDS = 20
"""A form of more can only be declined: nobody answers so many questions on a phone."""
MOST_CHOICES = 40
"""Of more, one is named in words."""
LONGEST = 3_000
"""Signs of a question that anybody reads."""
INTEGERS = 2**63
"""Larger ones than the JSON of both sides takes go as text."""


class Named(Shape, frozen=True, gc=False):
    const: str
    title: str = ""


class Items(Shape, frozen=True, gc=False, rename="camel"):
    enum: tuple[str, ...] = ()
    any_of: tuple[Named, ...] = ()


class Field(Shape, frozen=True, gc=False, rename="camel"):
    """One field: words, one of some words (*enum*, *one_of*), some of them (*items*), a number, yes or no."""

    type: str = "string"
    title: str | None = None
    description: str | None = None
    enum: tuple[str, ...] | None = None
    enum_names: tuple[str, ...] = ()
    """An older way to word them."""
    one_of: tuple[Named, ...] | None = None
    items: Items | None = None

    @property
    def options(self) -> dict[str, str]:
        """What it can be, and how whoever asks words that; nothing where it can be anything."""
        return {value: title for value, title in self._named.items() if value != DECLINE}

    @property
    def _named(self) -> dict[str, str]:
        if self.type == "boolean":
            return {YES: YES, NO: NO}
        items = self.items or Items()
        if named := self.one_of or items.any_of:
            return {one.const: one.title or one.const for one in named}
        words = self.enum or items.enum
        return dict(zip(words, self.enum_names or words, strict=False))


class Schema(Shape, frozen=True, gc=False):
    properties: dict[str, Field] | None = None
    required: tuple[str, ...] | None = None

    @property
    def asked(self) -> Mapping[str, Field]:
        """The fields that have to be filled in; all of them where none has to be."""
        fields = self.properties or {}
        return {name: one for name, one in fields.items() if name in (self.required or ())} or fields


def questions(key: str, message: str, fields: Mapping[str, Field], reason: str = "") -> tuple[Asked, ...]:
    """A question for each of *fields*; without any, whether somebody agrees to *message*."""
    message, reason = _cut(message), _cut(reason)
    if len(fields) > MOST_FIELDS:
        return (Asked(key, AskKind.QUESTION, message, (Choice(DECLINE, Grant.DENY),), reason),)
    if not fields:
        agree = (Choice(YES, Grant.ONCE), Choice(DECLINE, Grant.DENY))
        return (Asked(key, AskKind.QUESTION, message, agree, reason),)
    several = len(fields) > 1
    return tuple(
        _question(field_key(key, name), name, one, message, several, reason) for name, one in fields.items()
    )


def field_key(key: str, name: str) -> str:
    """The key of the question for the field *name* of the form *key*."""
    return f"{key}:{name}"


def _question(key: str, name: str, one: Field, message: str, several: bool, reason: str) -> Asked:
    label = _cut("\n".join(filter(None, (one.title or name, one.description))))
    options = tuple(Choice(value, Grant.OPTION, title) for value, title in one.options.items())
    many = len(options) > MOST_CHOICES
    return Asked(
        key,
        AskKind.QUESTION,
        title=f"{message}\n{label}" if several or one.title or one.description else message,
        choices=(*(() if many else options), Choice(DECLINE, Grant.DENY)),
        reason=reason,
        detail=_cut("\n".join(one.options.values())) if many else "",
        free=many or not options or one.type == "array",
    )


def _cut(text: str) -> str:
    """An ellipsis stands where it was cut off: the beginning of a secret before one is known."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def filled(one: Field, choice: str, text: str) -> Json:
    """What goes into the field; None for a *choice* that it does not offer. Words of one's own that do not
    fit go as they are: whoever asked says so, and nobody waits for ever."""
    if text:
        return _read(one, text)
    return _read(one, choice) if choice in one.options else None


def _read(one: Field, words: str) -> Json:
    try:
        return _READ.get(one.type, _called)(one, words)
    except ValueError:
        return words


def _integer(_: Field, words: str) -> Json:
    return number if abs(number := int(words)) < INTEGERS else words


def _number(_: Field, words: str) -> Json:
    return number if math.isfinite(number := float(words)) else words


def _list(one: Field, words: str) -> Json:
    """Some of its options."""
    return [_called(one, word.strip()) for word in words.split(",")]


def _called(one: Field, words: str) -> str:
    """One of its options, by its name or by what it is called; else the words themselves."""
    if words in one.options:
        return words
    called = {title.casefold(): value for value, title in one.options.items()}
    return called.get(words.casefold(), words)


_READ: dict[str, Callable[[Field, str], Json]] = {
    "boolean": lambda _, words: words == YES,
    "integer": _integer,
    "number": _number,
    "array": _list,
}
