"""What comes with a prompt: files are put where its agent finds them, spoken words become written ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import msgspec

from bot.chat import File, FileRef, Outgoing, Picture, Refused, TooLarge
from bot.handlers.copying import copied
from bot.handlers.desk import Desk
from bot.replies import queue as queue_reply
from bot.replies import voice
from bot.texts import Texts
from bot.transcription import NotTranscribed
from core.answers.pictures import FOR_AGENTS, Broken, fit
from core.answers.pictures import Picture as Fitting
from core.dispatch.answers import Media
from core.hosts.names import safe
from core.hosts.port import Host
from core.model.project import Project
from core.model.prompt import Attachment, ChatPlace, Prompt
from core.store import conversations, mirrors, projects
from core.store.database import Db

PICTURES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"))


@dataclass(frozen=True, slots=True)
class Brought:
    """What became of the files of a prompt, and what its sender is told about them. *heard*: what was spoken;
    *empty*: nothing is left to run. *copies* are for the other rooms that show it."""

    kept: tuple[Attachment, ...] = ()
    said: tuple[Outgoing, ...] = ()
    heard: str = ""
    empty: bool = False
    copies: tuple[Picture | File, ...] = ()


async def bring(prompt: Prompt, place: ChatPlace, desk: Desk, texts: Texts) -> Brought:
    """What came with a stored prompt is where its agent finds it. Errors: `ChatError` and `CoreError`, and
    then it can be tried again."""
    project = await desk.store.read(project_of, prompt)
    files = [msgspec.json.decode(file, type=FileRef) for file in place.files]
    worded = bool(prompt.text.strip())
    host, shared = desk.host(project.host), bool(await desk.store.glance(mirrors.told, prompt.id))
    rest = worded or len(files) > 1
    got = [
        await _got(file, host, project, texts, desk, rest=rest, listens=True, shared=shared) for file in files
    ]
    return _brought(got, prompt, texts)


def _brought(got: Sequence[_Got], prompt: Prompt, texts: Texts) -> Brought:
    kept, heard = _kept(got), "\n\n".join(one.heard for one in got if one.heard)
    shown = (voice.heard(heard, prompt.id, texts),) if heard else ()
    empty = not (kept or heard or prompt.text.strip())
    copies = tuple(one.copy for one in got if one.copy)
    return Brought(kept, (*_notes(got), *shown), heard, empty=empty, copies=copies)


async def keep(
    files: Iterable[FileRef], project: Project, texts: Texts, desk: Desk, *, rest: bool
) -> tuple[tuple[Attachment, ...], list[Outgoing]]:
    """The files as the agent finds them, and what the person is told about them. *rest*: one that can't be
    had is not all there was."""
    host = desk.host(project.host)
    got = [await _got(file, host, project, texts, desk, rest=rest, listens=False) for file in files]
    return _kept(got), _notes(got)


def project_of(db: Db, prompt: Prompt) -> Project:
    return projects.get(db, conversations.get(db, prompt.conversation).project)


@dataclass(frozen=True, slots=True)
class _Got:
    """What one file came to: it is *kept*, or what is said in it was *heard*; or neither, and a note says
    why. *copy*: for other rooms."""

    kept: Attachment | None = None
    note: Outgoing | None = None
    heard: str = ""
    copy: Picture | File | None = None


def _kept(got: Iterable[_Got]) -> tuple[Attachment, ...]:
    return tuple(one.kept for one in got if one.kept)


def _notes(got: Iterable[_Got]) -> list[Outgoing]:
    return [one.note for one in got if one.note]


async def _got(
    file: FileRef,
    host: Host,
    project: Project,
    texts: Texts,
    desk: Desk,
    *,
    rest: bool,
    listens: bool,
    shared: bool = False,
) -> _Got:
    try:
        data = await desk.fetch(file)
    except Refused as refusal:
        most = refusal.most if isinstance(refusal, TooLarge) else 0
        return _Got(note=queue_reply.not_fetched(file.name, texts, most=most, rest=rest))
    copies = shared and not file.pointed
    copy = await copied(safe(file.name), data, Media(desk.data_dir)) if copies else None
    if not (listens and file.spoken and desk.transcribe):
        return replace(await _put(file, data, host, project, texts), copy=copy)
    try:
        return _Got(heard=await desk.transcribe(file.name, data), copy=copy)
    except NotTranscribed as trouble:
        note = voice.not_heard(file.name, trouble, texts)
        return replace(await _put(file, data, host, project, texts), note=note, copy=copy)


async def _put(file: FileRef, data: bytes, host: Host, project: Project, texts: Texts) -> _Got:
    """A picture in a form that agents can see; anything else as it is."""
    shown = await asyncio.to_thread(fit, data, limits=FOR_AGENTS)
    name = safe(file.name)  # somebody can call a file `/`, of which no other name can be made
    if isinstance(shown, Fitting):
        name, data = str(PurePath(name).with_suffix(f".{shown.kind}")), shown.data
    path = await host.put(project.path, name, data, real=project.real)
    note = None
    if isinstance(shown, Broken) and _means_a_picture(file):
        note = queue_reply.as_file(file.name, shown.reason, texts)
    return _Got(Attachment(file.name, path, image=isinstance(shown, Fitting)), note)


def _means_a_picture(file: FileRef) -> bool:
    return file.mime.startswith("image/") or PurePath(file.name).suffix.lower() in PICTURES
