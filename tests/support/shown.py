"""A message as people see it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.chat import File, Outgoing, Picture, RoomAddress, Text
from bot.markup.telegram import TextPart, render


@dataclass(slots=True)
class Shown:
    """One message of ours, as it stands now."""

    room: RoomAddress
    what: Outgoing
    edits: int = 0

    @property
    def words(self) -> str:
        match self.what:
            case Text(markdown, placed=placed):
                return visible(markdown, tuple(one.src for one in placed))
            case Picture() | File():
                return " ".join(filter(None, (f"[{self.what.name}]", visible(self.what.caption))))


def visible(markdown: str, pictures: tuple[str, ...] = ()) -> str:
    """What a person reads of *markdown*: its words without marks, `[src]` for a picture in its place."""
    parts = render(markdown, pictures=pictures)
    return "\n".join(part.text if isinstance(part, TextPart) else f"[{part.src}]" for part in parts)
