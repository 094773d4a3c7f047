"""A prompt is stored with the files that came with it, and whoever dispatches is called."""

from __future__ import annotations

import asyncio
from pathlib import PurePath

from bot.chat import FileRef, Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import choices, conversation_here, project_of, prompt_here
from bot.intents.values import Ask, TryAgain
from bot.replies import project as project_reply
from bot.replies import queue as queue_reply
from core.answers.pictures import FOR_AGENTS, Broken, Picture, fit
from core.crash import crash_point
from core.model.prompt import Attachment
from core.store import prompts
from core.store.database import Db
from core.store.prompts import Accepted

PICTURES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"))


async def ask(intent: Ask | TryAgain, place: Place, desk: Desk) -> list[Outgoing]:
    """Whoever asked is shown what becomes of it by `Desk.took`; in return come only words about files."""
    match intent:
        case Ask(text, files):
            return await _ask(text, files, place, desk)
        case TryAgain():
            return await _again(intent, place, desk)


async def _ask(text: str, files: tuple[FileRef, ...], place: Place, desk: Desk) -> list[Outgoing]:
    if place.project is None:
        return [project_reply.which(await desk.store.read(choices, place), desk.texts(place))]
    kept, notes = await _kept(files, place, desk)
    accepted = await desk.store.write(_accept, text, kept, place, desk, now=desk.clock.now())
    _accepted(accepted, place, desk)
    return notes


async def _again(intent: TryAgain, place: Place, desk: Desk) -> list[Outgoing]:
    accepted = await desk.store.write(_accept_again, intent, place, now=desk.clock.now())
    if accepted is None:
        return [queue_reply.begun(desk.texts(place))]
    _accepted(accepted, place, desk)
    return []


def _accepted(accepted: Accepted, place: Place, desk: Desk) -> None:
    crash_point("before-ack")
    desk.ring()
    if not accepted.again:
        desk.took(place, accepted.prompt)


def _accept(
    db: Db, text: str, files: tuple[Attachment, ...], place: Place, desk: Desk, *, now: float
) -> Accepted:
    conversation = conversation_here(db, place, desk, now=now)
    author = place.person.name
    return prompts.accept(db, place.source, conversation.id, text, now=now, attachments=files, author=author)


def _accept_again(db: Db, intent: TryAgain, place: Place, *, now: float) -> Accepted | None:
    """A new prompt with the words and files of one that ended; None if there is one under way."""
    old = prompt_here(db, intent.prompt, place)
    if not old.status.ended or any(one.retry_of == old.id for one in prompts.open_of(db, old.conversation)):
        return None
    return prompts.accept(
        db,
        place.source,
        old.conversation,
        old.text,
        now=now,
        attachments=old.attachments,
        author=old.author,
        retry_of=old.id,
    )


async def _kept(
    files: tuple[FileRef, ...], place: Place, desk: Desk
) -> tuple[tuple[Attachment, ...], list[Outgoing]]:
    """The files as the agent finds them, and what the person is told about them."""
    project = project_of(place)
    host = desk.host(project.host)
    kept: list[Attachment] = []
    notes: list[Outgoing] = []
    for file in files:
        data = await desk.fetch(file)
        shown = await asyncio.to_thread(fit, data, limits=FOR_AGENTS)
        if isinstance(shown, Picture):
            name, data = str(PurePath(file.name).with_suffix(f".{shown.kind}")), shown.data
        else:
            name = file.name
        path = await host.put(project.path, name, data)
        kept.append(Attachment(file.name, path, image=isinstance(shown, Picture)))
        if isinstance(shown, Broken) and _means_a_picture(file):
            notes.append(queue_reply.as_file(file.name, shown.reason, desk.texts(place)))
    return tuple(kept), notes


def _means_a_picture(file: FileRef) -> bool:
    return file.mime.startswith("image/") or PurePath(file.name).suffix.lower() in PICTURES
