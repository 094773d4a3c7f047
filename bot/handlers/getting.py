"""A file of a project, or the original of a picture, sent to who asks for it."""

from __future__ import annotations

from bot.access import Role
from bot.chat import File, Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from bot.intents.values import GetFile, GetPlaced
from bot.replies import getting as reply
from core.answers.pictures import Reason, named, sniff
from core.dispatch.answers import Media
from core.errors import FileRefused
from core.model.answer import Placed
from core.model.project import Project
from core.store import conversations, mirrors, projects
from core.store.database import Db


async def getting(intent: GetFile | GetPlaced, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `HostError`."""
    if isinstance(intent, GetFile):
        return [await _sent(project_of(place), intent.path, place, desk)]
    found = await desk.store.read(_placed, intent, place, desk)
    if found is None:
        return [reply.gone(desk.texts(place))]
    project, placed = found
    if placed.original:
        return [File(placed.original, placed.name, silent=True)]
    return [await _sent(project, placed.src, place, desk)]


async def _sent(project: Project, path: str, place: Place, desk: Desk) -> Outgoing:
    """What looks like a secret goes to an owner only (behaviour §6.2)."""
    owns = place.role is Role.OWNER
    try:
        file = await desk.host(project.host).open(project.path, path, secrets=owns)
    except FileRefused as refusal:
        return reply.refused(path, refusal.key, desk.texts(place))
    if not file.data:
        return reply.refused(path, Reason.EMPTY, desk.texts(place))
    kept = await Media(desk.data_dir).keep(file.data, sniff(file.data))
    return File(kept, named(file.name, file.data), silent=True)


def _placed(db: Db, intent: GetPlaced, place: Place, desk: Desk) -> tuple[Project, Placed] | None:
    """Of an answer that was given in this room: whoever reads another has no right to it by this."""
    message = conversations.answer(db, intent.message)
    if message is None or message.prompt is None or intent.at >= len(message.placed):
        return None
    if desk.delivers and not mirrors.sees(db, message.prompt, place.room.id):
        return None
    project = projects.get(db, conversations.get(db, message.conversation).project)
    if place.rights.within(project.id) is Role.STRANGER:
        return None
    return project, message.placed[intent.at]
