"""The room's project: shown, picked, added."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import assert_never

from bot.chat import Outgoing, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import can_show, choices
from bot.intents.commands import NUMBER
from bot.intents.values import AddProject, OpenProject, PickProject, ShowProject
from bot.paths import path_fault
from bot.replies import project as reply
from bot.texts import Texts
from core.errors import Refused, UnknownProject
from core.model.ids import ProjectId
from core.model.project import Project
from core.store import conversations, projects, threads
from core.store.database import Db

NAME = re.compile(r"[^\W_][\w.-]{0,39}")


async def project(
    intent: ShowProject | PickProject | OpenProject | AddProject, place: Place, desk: Desk
) -> list[Outgoing]:
    """Errors: `Refused` for a name or path that can't be a project's, `UnknownProject`."""
    texts = desk.texts(place)
    match intent:
        case ShowProject():
            others = await desk.store.read(choices, place)
            if place.project is None:
                return [reply.which(others, texts)]
            return [reply.shown(place.project, others, texts)]
        case PickProject() | OpenProject():
            return await desk.once(
                place, lambda db: _pick(db, intent, place), lambda found: [_picked(*found, texts)]
            )
        case AddProject(name, path):
            wanted = new_project(name, path, engine=desk.engine, data_dir=desk.data_dir)
            now = desk.clock.now()
            return await desk.once(
                place, lambda db: _add(db, wanted, place, now=now), lambda added: [reply.added(added, texts)]
            )
        case _:
            assert_never(intent)


def new_project(name: str, path: str, *, engine: str, data_dir: Path) -> Project:
    """A project to be stored. Errors: `Refused` for a *name* or *path* that can't be one's."""
    if not NAME.fullmatch(name):
        raise Refused("project.bad_name", name=name)
    folder = Path(os.path.expanduser(path))
    if wrong := path_fault(folder, data_dir):
        raise Refused(wrong, path=path)
    return Project(ProjectId(0), name, str(folder), engine, real=os.path.realpath(folder))


def _add(db: Db, wanted: Project, place: Place, *, now: float) -> Project:
    added = projects.add(db, wanted, now=now)
    threads.choose(db, place.room.id, added.id)
    return added


def _pick(db: Db, intent: PickProject | OpenProject, place: Place) -> tuple[Project, Project]:
    """The project that is meant, and that which the room shows from now on; what it said in another one is
    left there. A button that was there before its project was chosen changes that no more."""
    found = _meant(db, intent, place)
    pressed = place.message if place.reply_to is None else None
    if place.project and pressed and conversations.chosen_since(db, place.room.id, pressed):
        return found, place.project
    if place.project is None or place.project.id != found.id:
        threads.choose(db, place.room.id, found.id)
    return found, found


def _picked(wanted: Project, shown: Project, texts: Texts) -> Text:
    return reply.picked(shown, texts) if wanted.id == shown.id else reply.chosen_since(wanted, shown, texts)


def _meant(db: Db, intent: PickProject | OpenProject, place: Place) -> Project:
    """Errors: `UnknownProject`, which names it as who asked did: of one that is closed to them it says no
    more than of one that isn't there."""
    with suppress(UnknownProject):
        found = _found(db, intent)
        if not found.archived and can_show(found, place.rights, own=place.own):
            return found
    raise UnknownProject(name=intent.name if isinstance(intent, PickProject) else f"{NUMBER}{intent.project}")


def _found(db: Db, intent: PickProject | OpenProject) -> Project:
    match intent:
        case PickProject(name):
            return projects.named(db, name)
        case OpenProject(number):
            return projects.get(db, number)
