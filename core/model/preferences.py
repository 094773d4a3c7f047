"""How people like to be told: what a room shows, in which colours and language, and when nobody is called."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

DAY_MINUTES = 24 * 60


class View(StrEnum):
    """What is shown of a turn at work: one compact card, or every step with what it said."""

    DASHBOARD = "dashboard"
    ATELIER = "atelier"


class Theme(StrEnum):
    """The colours of the pictures that Roost draws."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Quiet:
    """When somebody is not called: from one minute of the day until another, perhaps over midnight. All day
    where these are the same."""

    begins: int
    ends: int

    def covers(self, minute: int) -> bool:
        """Whether *minute* of the day is among them."""
        length = (self.ends - self.begins) % DAY_MINUTES or DAY_MINUTES
        return (minute - self.begins) % DAY_MINUTES < length


@dataclass(frozen=True, slots=True)
class RoomWishes:
    """What a room was told to be like. *language* is empty where nobody said; *board*: its chat has a pinned
    message that says how its project stands."""

    view: View = View.DASHBOARD
    theme: Theme = Theme.SYSTEM
    language: str = ""
    board: bool = False
    drafts: bool = False
    """An answer is shown as a draft while it is written, where the chat has such a thing."""
    rich: bool = False
    """Answers have all of their mark-up, where the chat has a form for that; not every app shows it."""
