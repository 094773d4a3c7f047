"""What we say as messages that Telegram takes, each in a form that is stored and sent as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import msgspec

from bot.chat import Button, File, MessageRef, Outgoing, Picture, Text
from bot.markup.cutting import utf16_units
from bot.markup.telegram import LONGEST_MESSAGE, Entity, TextPart, render
from core.model.answer import Placed

LONGEST_CAPTION = 1024
"""UTF-16 units, after parsing, as `LONGEST_MESSAGE`."""
FOR_A_MARK = 128
"""Units that each message leaves for what may have to stand above it."""
DATA_URL = "data: …"
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Part:
    """One message. *media* is a file name in `data_dir/media`; without it the message is its text alone.

    Text and entities are kept as they will be sent: a later version may render Markdown differently.
    """

    text: str = ""
    entities: tuple[Entity, ...] = ()
    media: str = ""
    name: str = ""
    photo: bool = False
    buttons: tuple[Button, ...] = ()
    silent: bool = False
    reply_to: MessageRef | None = None

    @property
    def plain(self) -> Part:
        return replace(self, entities=())

    def marked(self, mark: str) -> Part:
        """With *mark* above it, on a line of its own."""
        above = f"{mark}\n\n" if self.text else mark
        moved = (replace(one, offset=one.offset + utf16_units(above)) for one in self.entities)
        return replace(self, text=above + self.text, entities=tuple(moved)) if mark else self


def encode(part: Part) -> str:
    return msgspec.json.encode(part).decode()


def decode(body: str) -> Part:
    return msgspec.json.decode(body, type=Part)


def cut(what: Outgoing) -> list[Part]:
    """The first one rings, if any does, and replies; the last one carries the buttons."""
    parts = _parts(what)
    if not parts:
        return []
    parts = [replace(part, silent=what.silent or at > 0) for at, part in enumerate(parts)]
    parts[0] = replace(parts[0], reply_to=what.reply_to)
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


def _answer(markdown: str, placed: Iterable[Placed]) -> list[Part]:
    files = {one.src: one for one in placed if one.media}
    parts = render(markdown, pictures=files, data_note=DATA_URL, limit=LONGEST_MESSAGE - FOR_A_MARK)
    return [
        Part(part.text, part.entities) if isinstance(part, TextPart) else _placed(files[part.src], part.alt)
        for part in parts
    ]


def _placed(file: Placed, alt: str) -> Part:
    """Its description beneath it, of which nobody needs more than a caption holds."""
    return Part(_shortened(alt), media=file.media, name=file.name, photo=file.kind == "photo")


def _shortened(alt: str) -> str:
    longest = LONGEST_CAPTION - FOR_A_MARK
    if utf16_units(alt) <= longest:
        return alt
    fitting = alt.encode("utf-16-le")[: (longest - 1) * 2].decode("utf-16-le", "ignore")
    return fitting.rstrip() + ELLIPSIS


def _captioned(media: Part, caption: str) -> list[Part]:
    """What is too long for a caption follows as messages."""
    if short := _texts(caption, LONGEST_CAPTION - FOR_A_MARK):
        if len(short) == 1:
            return [replace(media, text=short[0].text, entities=short[0].entities)]
        return [media, *_texts(caption, LONGEST_MESSAGE - FOR_A_MARK)]
    return [media]


def _texts(markdown: str, limit: int) -> Sequence[Part]:
    parts = render(markdown, data_note=DATA_URL, limit=limit)
    return [Part(part.text, part.entities) for part in parts if isinstance(part, TextPart)]
