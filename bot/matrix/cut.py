"""What we say as messages that Matrix takes, each in a form that is stored and sent as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain
from typing import assert_never

import msgspec

from bot.chat import Button, File, MessageRef, Outgoing, Picture, Text
from bot.markup.long_tables import NAME, LongTable, apart
from bot.markup.matrix import LARGEST_MESSAGE, TextPart, render
from core.model.answer import Placed

FOR_A_MARK = 1_000
"""Bytes that each message leaves for what may have to stand above it, and beneath."""
DATA_URL = "data: …"


@dataclass(frozen=True, slots=True)
class Part:
    """One message. *media* is a file name in `data_dir/media`; without it, and without *content*, the message
    is its text alone."""

    body: str = ""
    html: str = ""
    media: str = ""
    content: str = ""
    """The words of a file that is made when it is sent."""
    name: str = ""
    photo: bool = False
    silent: bool = False
    reply_to: MessageRef | None = None
    buttons: tuple[Button, ...] = ()
    to: str = ""
    """Who is mentioned, where they are there among others."""

    def beneath(self, body: str, html: str) -> Part:
        """With a line below."""
        shown = self.html or f"<p>{escape(self.body, quote=False)}</p>"
        return replace(self, body=f"{self.body}\n\n{body}".lstrip(), html=f"{shown}\n<p>{html}</p>")

    def marked(self, mark: str) -> Part:
        """With *mark* above it, on a line of its own."""
        if not mark:
            return self
        html = f"<p>{escape(mark, quote=False)}</p>\n{self.html}" if self.html else ""
        return replace(self, body=f"{mark}\n\n{self.body}" if self.body else mark, html=html)


def encode(part: Part) -> str:
    return msgspec.json.encode(part).decode()


def decode(body: str) -> Part:
    return msgspec.json.decode(body, type=Part)


def cut(what: Outgoing) -> list[Part]:
    """The first one rings, if any does, and replies; the last one has the buttons."""
    parts = _parts(what)
    if not parts:
        return []
    parts = [replace(part, silent=what.silent or at > 0) for at, part in enumerate(parts)]
    to = what.to if isinstance(what, Text) else ""
    parts[0] = replace(parts[0], reply_to=what.reply_to, to=to)
    parts[-1] = replace(parts[-1], buttons=what.buttons)
    return parts


def _parts(what: Outgoing) -> list[Part]:
    match what:
        case Text(markdown, placed=placed):
            return _answer(markdown, placed)
        case Picture(media, name, caption):
            return _captioned(Part(media=media, name=name, photo=True), caption)
        case File(media, name, caption):
            return _captioned(Part(media=media, name=name), caption)
        case _:
            assert_never(what)


def _answer(markdown: str, placed: Sequence[Placed]) -> list[Part]:
    """Its words and pictures, then the files that it made."""
    files = {one.src: one for one in placed if one.kind in ("photo", "file")}
    shown = list(chain.from_iterable(_read(piece, files) for piece in apart(markdown)))
    return shown + [_placed(one, one.name) for one in placed if one.kind == "made"]


def _read(piece: str | LongTable, files: dict[str, Placed]) -> list[Part]:
    """A very long table is a file, after its head."""
    words = piece if isinstance(piece, str) else piece.head
    parts = render(words, pictures=files, data_note=DATA_URL, limit=LARGEST_MESSAGE - FOR_A_MARK)
    shown = [
        Part(part.body, part.html) if isinstance(part, TextPart) else _placed(files[part.src], part.alt)
        for part in parts
    ]
    return shown if isinstance(piece, str) else [*shown, Part(name=NAME, content=piece.csv())]


def _placed(file: Placed, alt: str) -> Part:
    return Part(alt, media=file.media, name=file.name, photo=file.kind == "photo")


def _captioned(media: Part, caption: str) -> list[Part]:
    """What is too long for one caption follows as messages."""
    said = _texts(caption)
    if len(said) == 1:
        return [replace(media, body=said[0].body, html=said[0].html)]
    return [media, *said]


def _texts(markdown: str) -> Sequence[Part]:
    parts = render(markdown, data_note=DATA_URL, limit=LARGEST_MESSAGE - FOR_A_MARK)
    return [Part(part.body, part.html) for part in parts if isinstance(part, TextPart)]
