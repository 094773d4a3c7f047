"""A file of a project, or the original of a picture, sent to who asks for it."""

from __future__ import annotations

from bot.access import Role
from bot.chat import File, Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from bot.intents.values import GetFile, GetPlaced, GetSecret
from bot.replies import getting as reply
from core.answers.pictures import Reason, named, sniff
from core.dispatch.answers import Media
from core.errors import FileRefused
from core.model.answer import Placed
from core.model.project import Project
from core.store import conversations, mirrors, projects
from core.store.database import Db

SECRET = "file.secret"


async def getting(intent: GetFile | GetSecret | GetPlaced, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `HostError`."""
    match intent:
        case GetFile(path):
            return [await _sent(project_of(place), path, place, desk, pressed=False)]
        case GetSecret(path):
            return [await _sent(project_of(place), path, place, desk, pressed=True)]
        case GetPlaced():
            return [await _named(intent, place, desk)]


async def _named(intent: GetPlaced, place: Place, desk: Desk) -> Outgoing:
    found = await desk.store.read(_placed, intent, place, desk)
    if found is None:
        return reply.gone(desk.texts(place))
    project, placed = found
    if placed.original:
        return File(placed.original, placed.name, silent=True)
    return await _sent(project, placed.src, place, desk, pressed=True)


async def _sent(project: Project, path: str, place: Place, desk: Desk, *, pressed: bool) -> Outgoing:
    """What looks like a secret goes only to an owner, who *pressed* for it, where nobody else reads along
    (behaviour §6.2)."""
    texts, owns = desk.texts(place), place.role is Role.OWNER
    try:
        within, sees = desk.host(project.host), owns and place.own and pressed
        file = await within.open(project.path, path, secrets=sees, real=project.real)
    except FileRefused as refusal:
        secret = owns and refusal.key == SECRET
        return reply.secret(path, texts, own=place.own) if secret else reply.refused(path, refusal.key, texts)
    if not file.data:
        return reply.refused(path, Reason.EMPTY, texts)
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
