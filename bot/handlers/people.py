"""Who is let in, as what, and who is not any more."""

from __future__ import annotations

from typing import assert_never

from bot.access import Role
from bot.chat import Outgoing
from bot.handlers.desk import Desk, People, Place
from bot.handlers.room import choices
from bot.intents.commands import NOBODY
from bot.intents.values import Allow, Everybody, Start
from bot.replies import people as reply
from bot.replies import start
from core.model.project import Project
from core.store.database import Db


async def people(intent: Start | Everybody | Allow, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `Refused` where somebody can't be made that."""
    known, texts = desk.people, desk.texts(place)
    if known is None:
        return [start.not_needed(desk.machine, texts)]
    match intent:
        case Start() if place.role is Role.OWNER:
            return [start.not_needed(desk.machine, texts)]
        case Start(code):
            return await _redeem(code, known, place, desk)
        case Everybody():
            return [reply.everybody(known.everybody, texts)]
        case Allow():
            return await _let_in(intent, known, place, desk)
        case _:
            assert_never(intent)


async def _redeem(code: str, known: People, place: Place, desk: Desk) -> list[Outgoing]:
    now, texts = desk.clock.now(), desk.texts(place)

    def redeem(db: Db) -> tuple[Role | None, list[Project]]:
        return known.redeem(db, code, place.person, now=now), choices(db, place)

    def say(found: tuple[Role | None, list[Project]]) -> list[Outgoing]:
        role, projects = found
        if role is None:
            return [start.bad_code(desk.machine, texts)]
        return [start.paired(role, desk.machine, projects, texts)]

    said = await desk.once(place, redeem, say)
    await known.refresh()
    return said


async def _let_in(intent: Allow, known: People, place: Place, desk: Desk) -> list[Outgoing]:
    """Whoever dispatches is called: what runs for somebody who is let out is to stop."""
    role = Role.STRANGER if intent.role == NOBODY else Role(intent.role)
    now, texts = desk.clock.now(), desk.texts(place)
    said = await desk.once(
        place,
        lambda db: known.let_in(db, intent.person, role, now=now),
        lambda _: [reply.let_in(intent.person, role, texts)],
    )
    await known.refresh()
    desk.ring()
    return said
