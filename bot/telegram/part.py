"""One message for Telegram, in the form in which it is stored and sent."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from bot.chat import Button, MessageRef
from bot.markup.cutting import utf16_units
from bot.markup.rich import paragraph
from bot.markup.tables import Table
from bot.markup.telegram import Entity
from core.model.preferences import Theme


@dataclass(frozen=True, slots=True)
class Part:
    """*media* is a file name in `data_dir/media`, *content* the text of a file, *table* one to be drawn in
    the colours of *theme*, *album* photos that are shown together, *rich* the HTML of a message for which
    *plainer* ones stand in where it is not taken; with none of them the message is its text alone.

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
    content: str = ""
    table: Table | None = None
    theme: Theme = Theme.SYSTEM
    album: tuple[Part, ...] = ()
    rich: str = ""
    plainer: tuple[Part, ...] = ()

    @property
    def plain(self) -> Part:
        return replace(self, entities=())

    def marked(self, mark: str) -> Part:
        """With *mark* above it, on a line of its own; an album has it under its first picture."""
        if not mark:
            return self
        if self.rich:
            (first, *others) = self.plainer
            return replace(self, rich=paragraph(mark) + self.rich, plainer=(first.marked(mark), *others))
        if self.album:
            first, *others = self.album
            return replace(self, album=(first.marked(mark), *others))
        above = f"{mark}\n\n" if self.text else mark
        moved = (replace(one, offset=one.offset + utf16_units(above)) for one in self.entities)
        return replace(self, text=above + self.text, entities=tuple(moved))


def encode(part: Part) -> str:
    return msgspec.json.encode(part).decode()


def decode(body: str) -> Part:
    return msgspec.json.decode(body, type=Part)


def in_turn(parts: list[Part], like: Part) -> list[Part]:
    """*parts* as what takes the place of *like*: the first replies, and rings if that did; the last one that
    can has its buttons."""
    parts = [replace(part, silent=like.silent or at > 0) for at, part in enumerate(parts)]
    parts[0] = replace(parts[0], reply_to=like.reply_to)
    last = max((at for at, part in enumerate(parts) if not part.album), default=0)
    parts[last] = replace(parts[last], buttons=like.buttons)
    return parts
