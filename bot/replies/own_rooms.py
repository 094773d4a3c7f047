"""What is said of rooms that were made for projects, and in them."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts
from core.store.own_rooms import Changed, Told


def asked(told: Told, texts: Texts) -> Text:
    """Where somebody added its project."""
    if told.refused:
        return refused(told.title, told.platform, told.refused, texts)
    name, chat = literal(told.title), told.platform.capitalize()
    return quiet(texts.say("own_room.made", name=name, chat=chat))


def refused(title: str, platform: str, why: str, texts: Texts) -> Text:
    words = {"name": literal(title), "chat": platform.capitalize(), "why": code(why, most=200)}
    return quiet(texts.say("own_room.refused", **words))


def stands(room: Changed, texts: Texts) -> Text:
    """In the room itself: how it stands with its project from now on."""
    return quiet(texts.say(f"own_room.{room.state}", name=literal(room.title)))
