"""Owners hear of one chat's trouble by the others that there are."""

from __future__ import annotations

from typing import Protocol

from bot.chat import Text


class Telling(Protocol):
    """A chat at work."""

    def tell_owners(self, text: Text) -> None:
        """Say *text* to everybody who owns this Roost there, each in private."""


class Heralds:
    """The chats of one Roost, each by the name of its platform."""

    def __init__(self) -> None:
        self._chats: dict[str, Telling] = {}
        self._troubles: dict[str, Text] = {}

    def joins(self, platform: str, chat: Telling) -> None:
        """It may come later than the trouble of another, which it is told then."""
        self._chats[platform] = chat
        for other, trouble in self._troubles.items():
            if other != platform:
                chat.tell_owners(trouble)

    def tell(self, platform: str, trouble: Text | None) -> None:
        """Nothing can be said on *platform* any more, and why; None: it can again, which is no news
        elsewhere."""
        if trouble is None:
            self._troubles.pop(platform, None)
            return
        self._troubles[platform] = trouble
        for other, chat in self._chats.items():
            if other != platform:
                chat.tell_owners(trouble)
