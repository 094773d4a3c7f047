"""Who is let in, as what, and who is not any more."""

from __future__ import annotations

from typing import assert_never

from bot.access import Role
from bot.chat import Text
from bot.handlers.desk import Desk, Place
from bot.intents.commands import NOBODY
from bot.intents.values import Allow, Everybody
from bot.replies import people as reply
from bot.replies import start


async def people(intent: Everybody | Allow, place: Place, desk: Desk) -> Text:
    """Errors: `Refused` where somebody can't be made that."""
    texts = desk.texts(place)
    if desk.people is None:
        return start.not_needed(desk.machine, texts)
    match intent:
        case Everybody():
            return reply.everybody(desk.people.everybody, texts)
        case Allow(person, word):
            role = Role.STRANGER if word == NOBODY else Role(word)
            await desk.people.let_in(person, role, now=desk.clock.now())
            desk.ring()
            return reply.let_in(person, role, texts)
        case _:
            assert_never(intent)
