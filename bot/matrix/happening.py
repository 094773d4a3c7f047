"""What people do to a room without a word: they take us in or out, and others join."""

from __future__ import annotations

from bot.chat import Happened, Joined, Named, Person, Standing
from bot.matrix.translate import PLATFORM, Here, address
from bot.matrix.wire import RoomEvent
from core.answers.markdown import clean
from core.model.prompt import Source

LONGEST_TITLE = 60
OUT = ("leave", "ban")
OPENING = ("m.room.join_rules", "m.room.history_visibility")
"""What may let anybody at all read along."""
NAME = "m.room.name"


def happened(event: RoomEvent, here: Here, title: str, inviter: str) -> Happened | None:
    """*inviter*: who asked us into the room, where that was heard just now."""
    called = clean(title)[:LONGEST_TITLE]
    if event.state_key == here.account:
        return _standing(event, here, called, inviter or here.account)
    if event.type == NAME and event.sender != here.account:
        return Named(_source(event, here), address(here), Person(event.sender, clean(event.sender)), called)
    if event.type in OPENING and here.public:
        return Joined(_source(event, here), address(here), called, (), public=True)
    if not (event.joins and event.state_key):
        return None
    one = Person(event.state_key, clean(here.name or event.state_key))
    return came(_source(event, here), here, title, (one,))


def came(source: Source, here: Here, title: str, people: tuple[Person, ...]) -> Joined:
    """*people* are in the room from here on."""
    return Joined(source, address(here), clean(title)[:LONGEST_TITLE], people, public=here.public)


def _standing(event: RoomEvent, here: Here, title: str, inviter: str) -> Standing | None:
    source = _source(event, here)
    if event.joins:
        person = Person(inviter, clean(inviter))
        return Standing(source, address(here), person, title, inside=True, new=True, public=here.public)
    if event.membership in OUT and event.sender != here.account:
        sender = Person(event.sender, clean(event.sender))
        return Standing(source, address(here), sender, title, inside=False)
    return None


def _source(event: RoomEvent, here: Here) -> Source:
    return Source(PLATFORM, here.account, event.event_id)
