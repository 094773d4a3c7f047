"""What a room or a person can wish by `/settings`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Wish(StrEnum):
    """What a conversation, a room or a person can be told of by `/settings`."""

    AUTO_COMPACT = "auto-compact"
    VIEW = "view"
    DASHBOARD = "dashboard"
    THEME = "theme"
    LANGUAGE = "language"
    NOTIFICATIONS = "notifications"
    DRAFTS = "drafts"
    RICH = "rich"
    MIRROR = "mirror"


@dataclass(frozen=True, slots=True)
class ShowWishes:
    """All that `/settings` knows, as it is here."""


@dataclass(frozen=True, slots=True)
class ShowWish:
    """One of them, with what else it may be."""

    wish: Wish


@dataclass(frozen=True, slots=True)
class SetWish:
    """*value* is one of those that the wish can have."""

    wish: Wish
    value: str


@dataclass(frozen=True, slots=True)
class AgreeMirror:
    """An owner agrees to what was asked under this number: the room shows the same as others."""

    mirror: int


@dataclass(frozen=True, slots=True)
class RefuseMirror:
    """It doesn't."""

    mirror: int
