"""What somebody asks on the command line becomes a stored prompt, in the right conversation."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from pathlib import Path

from bot.app import App
from core.answers.pictures import FOR_AGENTS, Broken, FileInstead, Picture, fit
from core.crash import crash_point
from core.errors import Refused, UnknownConversation
from core.files import read_regular
from core.model.conversation import Conversation
from core.model.ids import ConversationId
from core.model.project import Project
from core.model.prompt import Attachment, Source
from core.store import conversations, projects, prompts
from core.store.database import Db
from core.store.prompts import Accepted

PLATFORM = "cli"
PICTURE_MOST = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """*images* are paths as they were typed. Without *conversation* or *new* it is the project's newest
    one that was used from here."""

    project: str
    text: str
    images: tuple[str, ...] = ()
    conversation: ConversationId | None = None
    new: bool = False


async def submit(request: Request, app: App) -> Accepted:
    """Store it, with its pictures. Errors: `Refused` kinds, and then nothing is stored."""
    shown = [(path, await asyncio.to_thread(_picture, path)) for path in request.images]
    kept = await _kept(shown, request, app) if shown else ()
    language = app.texts().language
    accepted = await app.store.write(_accept, request, kept, language, now=app.means.clock.now())
    crash_point("before-ack")
    return accepted


async def _kept(shown: list[tuple[str, Picture]], request: Request, app: App) -> tuple[Attachment, ...]:
    """The pictures where the agent finds them."""
    project, _ = await app.store.read(_place, request)
    host = app.means.host(project.host)
    kept = []
    for path, picture in shown:
        name = Path(path).with_suffix(f".{picture.kind}").name
        there = await host.put(project.path, name, picture.data, real=project.real)
        kept.append(Attachment(Path(path).name, there, image=True))
    return tuple(kept)


def _picture(path: str) -> Picture:
    try:
        data = read_regular(Path(path), most=PICTURE_MOST)
    except OSError as error:
        raise Refused("cli.ask.unreadable", path=path) from error
    match fit(data, limits=FOR_AGENTS):
        case Picture() as picture:
            return picture
        case FileInstead() | Broken():
            raise Refused("cli.ask.no_picture", path=path)


def _accept(db: Db, request: Request, kept: tuple[Attachment, ...], language: str, *, now: float) -> Accepted:
    project, found = _place(db, request)
    room = conversations.room(db, PLATFORM, "", str(project.id))
    if found is None and room.conversation and not request.new:
        found = conversations.get(db, room.conversation)
    conversation = found or conversations.begin(db, project.id, engine=project.engine, now=now)
    conversations.bind(db, room.id, project.id, conversation.id)
    conversations.speak(db, conversation.id, language)
    source = Source(PLATFORM, "", str(uuid.uuid4()))
    return prompts.accept(db, source, conversation.id, request.text, now=now, attachments=kept)


def _place(db: Db, request: Request) -> tuple[Project, Conversation | None]:
    """The project, and the conversation if it was named."""
    project = projects.at_work(projects.named(db, request.project))
    if request.conversation is None:
        return project, None
    named = conversations.get(db, request.conversation)
    if named.project != project.id:
        raise UnknownConversation(id=named.id)
    return project, named
