"""The room's project: shown, picked, added."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import assert_never

from bot.access import Rights, needs
from bot.chat import Outgoing, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.folders import NAME, folders, home_of, short
from bot.handlers.mirroring import leave
from bot.handlers.room import can_show, choices, put_away
from bot.intents.commands import NUMBER
from bot.intents.values import AddProject, NewProject, OpenProject, PickProject, ShowProject
from bot.kept import parked_words
from bot.paths import path_fault
from bot.replies import project as reply
from bot.texts import Texts
from core.errors import Refused, UnknownProject
from core.model.ids import ProjectId
from core.model.project import Project
from core.store import conversations, own_rooms, projects, threads
from core.store.database import Db


async def project(
    intent: ShowProject | PickProject | OpenProject | NewProject | AddProject, place: Place, desk: Desk
) -> list[Outgoing]:
    """Errors: `Refused` for a name or path that can't be a project's, `UnknownProject`."""
    texts, now = desk.texts(place), desk.clock.now()
    match intent:
        case ShowProject():
            if place.project is None:
                return [await which(place, desk)]
            others = await desk.store.read(choices, place)
            return [reply.shown(place.project, others if place.own else [], texts)]  # others read along
        case PickProject() | OpenProject():
            return await desk.once(
                place,
                lambda db: _pick(db, intent, place, desk, now=now),
                lambda found: [_picked(*found, texts)],
            )
        case NewProject():
            return [await _offered(place, desk)]
        case AddProject(name, path):
            place_of_it = path or await _made(name, desk)
            wanted = new_project(name, place_of_it, engine=desk.engine, data_dir=desk.data_dir)
            return await desk.once(
                place,
                lambda db: _add(db, wanted, place, desk, now=now),
                lambda added: [_added(added, place, desk, named=bool(path))],
            )
        case _:
            assert_never(intent)


async def which(place: Place, desk: Desk) -> Text:
    """Ask for the room's project, and say what became of one that it had."""
    known, away = await desk.store.read(lambda db: (choices(db, place), put_away(db, place)))
    return reply.which(known, desk.texts(place), adds=adds(place.rights), away=away)


async def unplaced(place: Place, desk: Desk) -> Text | None:
    """What waits for the room's project, and the question for that; None where nothing does."""
    words, known = await desk.store.read(lambda db: (parked_words(db, place.room.id), choices(db, place)))
    return reply.unplaced(words, known, desk.texts(place), adds=adds(place.rights)) if words else None


def adds(rights: Rights) -> bool:
    """Whether that is somebody who may make one."""
    return rights.everywhere.at_least(needs(NewProject()))


async def _offered(place: Place, desk: Desk) -> Text:
    """What folders there are is for who owns them: others read along in a group."""
    known = await desk.store.read(projects.every)
    home = home_of(known)
    found = await asyncio.to_thread(folders, home, known, desk.data_dir) if place.own else []
    return reply.new(short(home), [(one.name, short(one)) for one in found], desk.texts(place))


async def _made(name: str, desk: Desk) -> str:
    """The folder of that name where the others are, made if it isn't there. Errors: `Refused`."""
    if not NAME.fullmatch(name):
        raise Refused("project.bad_name", name=name)
    known = await desk.store.read(projects.every)
    if any(one.name.casefold() == name.casefold() for one in known):
        raise Refused("project.name_taken", name=name)
    path = home_of(known) / name
    try:
        await asyncio.to_thread(path.mkdir, exist_ok=True)
    except OSError as error:
        raise Refused("project.not_made", path=str(path), why=error.strerror or "") from None
    return str(path)


def new_project(name: str, path: str, *, engine: str, data_dir: Path, whole_home: bool = False) -> Project:
    """A project to be stored; *whole_home*: somebody means all of a home. Errors: `Refused` for a *name* or
    *path* that can't be one's."""
    if not NAME.fullmatch(name):
        raise Refused("project.bad_name", name=name)
    folder = Path(os.path.expanduser(path))
    if wrong := path_fault(folder, data_dir, whole_home=whole_home):
        raise Refused(wrong, path=path)
    return Project(ProjectId(0), name, str(folder), engine, real=os.path.realpath(folder))


def _add(db: Db, wanted: Project, place: Place, desk: Desk, *, now: float) -> Project:
    added = projects.add(db, wanted, now=now)
    if not _keeps(place, desk):
        leave(db, place, desk, now=now)
        threads.choose(db, place.room.id, added.id)
    for platform in desk.rooms_on:
        if place.own or place.address.platform != platform:  # else this is its room
            own_rooms.want(db, added, platform, asked=place.room.id if desk.delivers else None)
    return added


def _keeps(place: Place, desk: Desk) -> Project | None:
    """What a room of one's own goes on with, where the new project has a room for itself."""
    return place.project if place.own and place.address.platform in desk.rooms_on else None


def _added(added: Project, place: Place, desk: Desk, *, named: bool) -> Text:
    texts = desk.texts(place)
    if kept := _keeps(place, desk):
        return reply.added_elsewhere(added, kept, texts)
    return reply.added(added, texts) if named else reply.shown(added, [], texts)


def _pick(
    db: Db, intent: PickProject | OpenProject, place: Place, desk: Desk, *, now: float
) -> tuple[Project, Project]:
    """The project that is meant, and that which the room shows from now on; what it said in another one is
    left there. A button that was there before its project was chosen changes that no more."""
    found = _meant(db, intent, place)
    pressed = place.message if place.reply_to is None else None
    if place.project and pressed and conversations.chosen_since(db, place.room.id, pressed):
        return found, place.project
    if place.project is None or place.project.id != found.id:
        leave(db, place, desk, now=now)
        threads.choose(db, place.room.id, found.id)
    return found, found


def _picked(wanted: Project, shown: Project, texts: Texts) -> Text:
    return reply.picked(shown, texts) if wanted.id == shown.id else reply.chosen_since(wanted, shown, texts)


def _meant(db: Db, intent: PickProject | OpenProject, place: Place) -> Project:
    """Errors: `Refused` for one that was put away, `UnknownProject`, which names it as who asked did: of one
    that is closed to them it says no more than of one that isn't there."""
    with suppress(UnknownProject):
        found = _found(db, intent)
        if can_show(found, place.rights, own=place.own):
            return projects.at_work(found)
    raise UnknownProject(name=intent.name if isinstance(intent, PickProject) else f"{NUMBER}{intent.project}")


def _found(db: Db, intent: PickProject | OpenProject) -> Project:
    match intent:
        case PickProject(name):
            return projects.named(db, name)
        case OpenProject(number):
            return projects.get(db, number)
