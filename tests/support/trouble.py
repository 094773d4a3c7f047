"""What a call into a chat may meet, and what a transcript has of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bot.chat import ChatError, RoomAddress


@dataclass(frozen=True, slots=True)
class Trouble:
    """What becomes of the next call, or of the next that is a *call* or into *room*. Without an *error* it
    never comes back; with *arrives* it was done all the same."""

    error: ChatError | None = None
    call: str = ""
    room: RoomAddress | None = None
    arrives: bool = False

    def meets(self, call: str, room: RoomAddress | None) -> bool:
        return self.call in ("", call) and self.room in (None, room)


class Line(NamedTuple):
    """What went over the network: *at* in seconds of the chat's clock."""

    at: float
    call: str
    words: str
