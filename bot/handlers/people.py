"""Who is let in, where, and as what, and who is not any more."""

from __future__ import annotations

from typing import assert_never

from bot.access import Rights, Role
from bot.chat import Outgoing, Text
from bot.handlers import mirroring
from bot.handlers.desk import Desk, People, Place
from bot.handlers.inviting import invite
from bot.handlers.room import open_to
from bot.intents.commands import EVERY, NOBODY, numbered, platform_of
from bot.intents.values import Allow, Everybody, Invite, Start
from bot.replies import mirroring as mirror_reply
from bot.replies import people as reply
from bot.replies import start
from bot.texts import Texts
from core.model.project import Project
from core.store import accounts, mirrors, projects, threads
from core.store.conversations import Room
from core.store.database import Db


async def people(intent: Start | Everybody | Allow | Invite, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `Refused` where somebody can't be made that, `UnknownProject`."""
    known, texts = desk.people, desk.texts(place)
    if known is None:
        return [await _from_here(intent, place, desk)]
    match intent:
        case Start() if place.rights.everywhere is Role.OWNER:
            return [start.not_needed(desk.machine, texts)]
        case Start(code):
            return await _redeem(code, known, place, desk)
        case Everybody():
            every = await desk.store.read(projects.every)
            names = {one.id: one.name for one in every}
            return [reply.everybody(known.everybody, names, place.project, texts)]
        case Invite():
            return await _invite(intent, place, desk)
        case Allow():
            return await _let_in(intent, known, place, desk)
        case _:
            assert_never(intent)


async def _from_here(intent: Start | Everybody | Allow | Invite, place: Place, desk: Desk) -> Text:
    """In a chat of one person alone, who owns this machine, nobody can be let in: what says who is, what lets
    somebody in, and where."""
    texts, chats = desk.texts(place), await desk.chats()
    match intent:
        case Start():
            return start.not_needed(desk.machine, texts)
        case Everybody() | Invite() if not chats:
            return reply.no_chat(texts)
        case Everybody():
            every = await desk.store.read(projects.every)
            return reply.everywhere(chats, {one.id: one.name for one in every}, texts)
        case Invite(role, named):
            project = None if role == Role.OWNER else await desk.store.read(_meant, named, place)
            return reply.by_pairing(Role(role), project, texts)
        case Allow(person):
            chat = platform_of(person)
            if chat not in chats:
                return reply.no_such_chat(person, texts)
            return reply.said_there(intent, chat, desk.words_on(chat, place.room.language), texts)


def _meant(db: Db, named: str, place: Place) -> Project | None:
    """The project that is *named*, or shown where nothing is said; None for every one."""
    if named == EVERY:
        return None
    if number := numbered(named):
        return projects.get(db, number)
    return projects.named(db, named) if named else place.project


# -- by a code -------------------------------------------------------------------------------------------


async def _redeem(code: str, known: People, place: Place, desk: Desk) -> list[Outgoing]:
    now, texts = desk.clock.now(), desk.texts(place)

    def redeem(db: Db) -> list[Outgoing]:
        found = known.redeem(db, code, place.person, now=now)
        if found is None:
            return [start.bad_code(desk.machine, texts)]
        project = projects.get(db, found.project) if found.project else None
        return [_welcome(db, place.room, texts, Role(found.role), project, desk, own=place.own)]

    said = await desk.once(place, redeem, lambda welcome: welcome)
    await known.refresh()
    return said


def _welcome(
    db: Db, room: Room, texts: Texts, role: Role, project: Project | None, desk: Desk, *, own: bool = True
) -> Outgoing:
    """What somebody is told who is let in. Let into one project, a room of their *own* that shows none shows
    that from now on."""
    if project and own and room.project is None:
        threads.choose(db, room.id, project.id)
    choices = [] if project else open_to(db, Rights(role), own=own)
    return start.welcome(role, desk.machine, project, choices, texts)


async def _invite(intent: Invite, place: Place, desk: Desk) -> list[Outgoing]:
    """Where others read along, the code is told in private: it lets in whoever reads it first."""
    role, now, texts = Role(intent.role), desk.clock.now(), desk.texts(place)

    def make(db: Db) -> Outgoing:
        project = None if role is Role.OWNER else _meant(db, intent.project, place)
        code = invite(db, role, project.id if project else None, now=now)
        name = accounts.name_on(db, place.address.platform)
        made = project, code, desk.link(name, code) if name else ""
        if place.own:
            return reply.invitation(role, *made, texts)
        desk.tell(db, place.person.id, lambda db, room, words: reply.invitation(role, *made, words))
        return reply.invited_in_private(texts)

    return await desk.once(place, make, lambda said: [said])


# -- by an owner's word ----------------------------------------------------------------------------------


async def _let_in(intent: Allow, known: People, place: Place, desk: Desk) -> list[Outgoing]:
    """Whoever dispatches is called: what runs for somebody who is let out is to stop."""
    role = Role.STRANGER if intent.role == NOBODY else Role(intent.role)
    shared = await desk.store.glance(mirrors.rooms_on, place.address.platform)
    safe = await desk.onlookers.without(intent.person, shared if role is Role.STRANGER else ())
    now, texts = desk.clock.now(), desk.texts(place)

    def let_in(db: Db) -> list[Outgoing]:
        whole = role is Role.OWNER or (role is Role.STRANGER and not intent.project)
        project = None if whole else _meant(db, intent.project, place)
        known.let_in(db, intent.person, role, project=project.id if project else None, now=now)
        lost = mirroring.lost(db, known.loses(db, intent.person, safe), desk.words_on, now=now)
        if role is not Role.STRANGER:
            desk.tell(
                db, intent.person, lambda db, room, words: _welcome(db, room, words, role, project, desk)
            )
        said = reply.let_in(intent.person, role, project, texts)
        return [said, *([mirror_reply.lost(intent.person, lost, texts)] if lost else [])]

    said = await desk.once(place, let_in, lambda said: said)
    await known.refresh()
    desk.ring()
    return said
