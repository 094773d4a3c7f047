"""What happens to a room, or to its whole chat, without a word."""

from __future__ import annotations

from dataclasses import dataclass

from bot.address import Person, RoomAddress
from core.model.prompt import Source


@dataclass(frozen=True, slots=True)
class Standing:
    """What we are in *room*, called *title*, from now on, as *person* made it. *inside*: we are there at all,
    *new*: we weren't before. *hears*: every message, not only what is meant for us; where not, *remedy* is a
    link that changes it."""

    source: Source
    room: RoomAddress
    person: Person
    title: str
    inside: bool
    new: bool = False
    hears: bool = True
    remedy: str = ""
    public: bool = False
    """Anybody at all can read along there; so it is with who `Joined`."""


@dataclass(frozen=True, slots=True)
class Named:
    """*person* opened the thread *room*, or gave it another name; where it is none, that is its chat's.
    *chosen*: by them, and not by their app."""

    source: Source
    room: RoomAddress
    person: Person
    name: str
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class Joined:
    """*people* read what is said in *room*, called *title*, from now on."""

    source: Source
    room: RoomAddress
    title: str
    people: tuple[Person, ...]
    public: bool = False


@dataclass(frozen=True, slots=True)
class Missed:
    """Of what was said in *room* something can't be had any more."""

    source: Source
    room: RoomAddress


@dataclass(frozen=True, slots=True)
class Stranded:
    """Another room takes the place of *room*, called *title*, and nobody has let us in there."""

    source: Source
    room: RoomAddress
    title: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The platform calls *chat* by another name from now on, *to*, and counts the messages in it anew."""

    chat: str
    to: str


Happened = Standing | Named | Joined | Missed | Stranded  # to a room
