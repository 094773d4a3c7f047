"""What changed in a project, shown to who may work in it: as text and as a picture."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial

from bot import drawn_diffs
from bot.chat import File, Outgoing, Picture, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import asked_about, project_of, prompt_here, replied_to
from bot.intents.values import DiffOf, ShowDiff
from bot.intents.wishes import Wish
from bot.replies import diff as reply
from bot.replies import errors
from bot.texts import Texts
from core.answers.diffs import DiffSize, size_of
from core.answers.pictures import Kind
from core.dispatch.answers import Media
from core.errors import CoreError
from core.model.ids import PromptId
from core.model.preferences import Theme
from core.model.project import Project
from core.store import preferences
from core.store.database import Db

LONGEST_SECONDS = 60.0
"""Nobody waits longer for what changed; git has its own bounds, so nothing runs on for ever."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What is told: *diff* without a secret, how large it is, and a picture of its beginning."""

    diff: str
    size: DiffSize
    picture: bytes | None


async def diffing(intent: ShowDiff | DiffOf, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `UnknownPrompt`, `Refused` for one that was put away."""
    project = await desk.store.read(_project, intent, place)
    wishes = await desk.store.glance(preferences.of_room, place.room.id)
    look = partial(_told, project, wishes.theme, place, desk)
    return await desk.later(place, f"what changed in project {project.id}", look)


def _project(db: Db, intent: ShowDiff | DiffOf, place: Place) -> Project:
    """That of the prompt which is meant or replied to, else the one that the room shows."""
    if isinstance(intent, DiffOf):
        prompt: PromptId | None = prompt_here(db, intent.prompt, place).id
    else:
        prompt = replied_to(db, place)
    return asked_about(db, prompt) if prompt else project_of(place)


async def _told(project: Project, theme: Theme, place: Place, desk: Desk) -> list[Outgoing]:
    texts = desk.texts(place)
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            diff = await desk.host(project.host).diff(project.path, real=project.real)
            look = await asyncio.to_thread(_look, diff, theme, desk, texts)
        return await _said(look, project, texts, desk)
    except TimeoutError:
        return [reply.too_slow(project.name, texts)]
    except CoreError as error:
        return [errors.refused(error, desk.about(project, desk.engine_for(project)), texts)]


def _look(diff: str, theme: Theme, desk: Desk, texts: Texts) -> _Look:
    """It may take its time: never in the event loop."""
    masked = desk.mask(diff)
    return _Look(masked, size_of(masked), drawn_diffs.png(masked, texts.more, theme))


async def _said(look: _Look, project: Project, texts: Texts, desk: Desk) -> list[Outgoing]:
    if look.picture is None:
        return [reply.nothing(project.name, texts)]
    media, name = Media(desk.data_dir), reply.name(project.name)
    text: Text = reply.changes(look.diff, look.size, project.name, texts)
    said: list[Outgoing] = [text]
    if Wish.THEME not in desk.lacks:
        drawn = await media.keep(look.picture, Kind.PNG)
        said.append(Picture(drawn, f"{name}.png", silent=True))
    if not reply.fits(look.diff):
        whole = await media.keep(look.diff.encode(), Kind.OTHER)
        said.append(File(whole, name, silent=True))
    return said
