"""A prompt is stored with the files that came with it, and whoever dispatches is called."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import PurePath

import msgspec

from bot.chat import FileRef, Outgoing, Refused, TooLarge
from bot.handlers import deciding
from bot.handlers.desk import Desk, Place
from bot.handlers.room import choices, conversation_here, prompt_here
from bot.intents.values import Ask, TryAgain
from bot.replies import cancelled
from bot.replies import project as project_reply
from bot.replies import queue as queue_reply
from bot.texts import Texts
from core.answers.pictures import FOR_AGENTS, Broken, Picture, fit
from core.crash import crash_point
from core.errors import UnknownProject
from core.model.conversation import Conversation
from core.model.ids import EventId
from core.model.project import Project
from core.model.prompt import Attachment, ChatPlace, Kind, Prompt, Status
from core.store import conversations, deliveries, inbox, log, projects, prompts
from core.store.database import Db
from core.store.log import Logged
from core.store.prompts import Accepted

COMPACT = "/compact"
"""What a compaction is called in line."""
PICTURES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"))


async def ask(intent: Ask | TryAgain, place: Place, desk: Desk, *, steers: bool = False) -> list[Outgoing]:
    """Whoever asked is shown what becomes of it by `Desk.took`; in return come only words about files.
    With *steers* the words are for the turn that runs, if one does."""
    match intent:
        case Ask(text, files) if place.answers:
            if (said := await _answers(text, place, desk)) is not None:
                return said
            told = await desk.store.read(_replies_to_progress, place, desk)
            return await _ask(text, files, place, desk, steers=steers or told)
        case Ask(text, files):
            return await _ask(text, files, place, desk, steers=steers)
        case TryAgain():
            return await _again(intent, place, desk)


async def _ask(
    text: str, files: tuple[FileRef, ...], place: Place, desk: Desk, *, steers: bool
) -> list[Outgoing]:
    if place.project is None:
        return await _parked(place, desk)
    kept: tuple[Attachment, ...] = ()
    notes: list[Outgoing] = []
    later = files if desk.delivers else ()
    if files and not desk.delivers:
        rest = bool(text.strip()) or len(files) > 1
        kept, notes = await _kept(files, place.project, desk.texts(place), desk, rest=rest)
        if not kept and not text.strip():
            return notes
    accepted = await desk.store.write(
        _accept, text, kept, later, place, desk, steers=steers, now=desk.clock.now()
    )
    _accepted(accepted, place, desk)
    return notes


async def _answers(text: str, place: Place, desk: Desk) -> list[Outgoing] | None:
    """What is said where *text* answers a question of the agent, by a reply to it; None where it is a
    prompt."""
    question = await desk.store.read(_question, place)
    if question is None:
        return None
    now, texts = desk.clock.now(), desk.texts(place)
    said = await desk.once(
        place,
        lambda db: deciding.answer_in_words(db, question, text, place, now=now),
        lambda answered: [] if answered else [cancelled.too_late(texts)],
    )
    desk.ring()
    return said


def _question(db: Db, place: Place) -> Logged | None:
    """The open question of an agent that was replied to, by somebody who may answer it in words."""
    told = deliveries.told_by(db, place.room.id, place.answers or "")
    asked = log.one(db, EventId(told[1])) if told and told[1] > 0 else None
    return asked if asked and deciding.takes_words(db, asked, place) else None


def _replies_to_progress(db: Db, place: Place, desk: Desk) -> bool:
    """Whether it was said in reply to what shows a running turn, whose engine can be told more."""
    told = deliveries.told_by(db, place.room.id, place.answers or "")
    if told is None or told[1] != 0:
        return False
    prompt = prompts.get(db, told[0])
    engine = conversations.get(db, prompt.conversation).engine
    return prompt.status is Status.RUNNING and desk.catalogue.engine(engine).capabilities.steer


async def compact(here: Conversation, place: Place, desk: Desk) -> None:
    """Have the context of *here* compacted, once what waits before that has run."""
    _accepted(
        await desk.store.write(_accept_compaction, here, place, desk, now=desk.clock.now()), place, desk
    )


async def fetch_files(prompt: Prompt, place: ChatPlace, desk: Desk, texts: Texts) -> list[Outgoing]:
    """Bring what came with a stored prompt to where its agent finds it, and let it start, if there is
    anything left to it; what the person is told about it. Errors: `ChatError` and `CoreError`, and then it
    can be tried again."""
    project = await desk.store.read(_project_of, prompt)
    files = [msgspec.json.decode(file, type=FileRef) for file in place.files]
    worded = bool(prompt.text.strip())
    kept, notes = await _kept(files, project, texts, desk, rest=worded or len(files) > 1)
    if kept or worded:
        await desk.store.insist(prompts.fetched, prompt.id, kept)
    else:
        await desk.store.insist(prompts.cancel, prompt.id, by=place.room, now=desk.clock.now())
    desk.ring()
    return notes


async def _parked(place: Place, desk: Desk) -> list[Outgoing]:
    """The words wait until the room has a project, where they are kept; the person is asked for it."""
    texts = desk.texts(place)
    if not desk.delivers:
        return [project_reply.which(await desk.store.read(choices, place), texts)]

    def park(db: Db) -> list[Project]:
        inbox.park(db, place.source)
        return choices(db, place)

    return await desk.once(place, park, lambda known: [project_reply.parked(known, texts)])


async def _again(intent: TryAgain, place: Place, desk: Desk) -> list[Outgoing]:
    accepted = await desk.store.write(_accept_again, intent, place, desk, now=desk.clock.now())
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
    db: Db,
    text: str,
    kept: tuple[Attachment, ...],
    later: tuple[FileRef, ...],
    place: Place,
    desk: Desk,
    *,
    steers: bool,
    now: float,
) -> Accepted:
    conversation = conversation_here(db, place, desk, now=now)
    conversations.speak(db, conversation.id, desk.texts(place).language)
    return prompts.accept(
        db,
        place.source,
        conversation.id,
        text,
        now=now,
        attachments=kept,
        author=place.person.name,
        person=place.person.id,
        steers=steers,
        place=desk.chat_place(place, (msgspec.json.encode(file).decode() for file in later)),
    )


def _accept_compaction(db: Db, here: Conversation, place: Place, desk: Desk, *, now: float) -> Accepted:
    where, person = desk.chat_place(place), place.person.id
    return prompts.accept(
        db, place.source, here.id, COMPACT, now=now, person=person, place=where, kind=Kind.COMPACT
    )


def _project_of(db: Db, prompt: Prompt) -> Project:
    return projects.get(db, conversations.get(db, prompt.conversation).project)


def _accept_again(db: Db, intent: TryAgain, place: Place, desk: Desk, *, now: float) -> Accepted | None:
    """A new prompt with the words and files of one that ended; None if there is one under way. Errors:
    `UnknownProject` where its project was put away."""
    old = prompt_here(db, intent.prompt, place)
    if (project := _project_of(db, old)).archived:
        raise UnknownProject(name=project.name)
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
        person=place.person.id,
        retry_of=old.id,
        place=desk.chat_place(place, _never_fetched(db, old, place)),
    )


def _never_fetched(db: Db, old: Prompt, place: Place) -> tuple[str, ...]:
    """The files that *old* ended without; another account of ours can't ask for them."""
    asked = prompts.place_of(db, old.id)
    if asked is None:
        return ()
    (platform, account, *_), _ = conversations.address_of(db, asked.room)
    return asked.files if (platform, account) == (place.source.platform, place.source.account) else ()


async def _kept(
    files: Iterable[FileRef], project: Project, texts: Texts, desk: Desk, *, rest: bool
) -> tuple[tuple[Attachment, ...], list[Outgoing]]:
    """The files as the agent finds them, and what the person is told about them. *rest*: one that can't be
    had is not all there was."""
    host = desk.host(project.host)
    kept: list[Attachment] = []
    notes: list[Outgoing] = []
    for file in files:
        try:
            data = await desk.fetch(file)
        except Refused as refusal:
            most = refusal.most if isinstance(refusal, TooLarge) else 0
            notes.append(queue_reply.not_fetched(file.name, texts, most=most, rest=rest))
            continue
        shown = await asyncio.to_thread(fit, data, limits=FOR_AGENTS)
        if isinstance(shown, Picture):
            name, data = str(PurePath(file.name).with_suffix(f".{shown.kind}")), shown.data
        else:
            name = file.name
        path = await host.put(project.path, name, data)
        kept.append(Attachment(file.name, path, image=isinstance(shown, Picture)))
        if isinstance(shown, Broken) and _means_a_picture(file):
            notes.append(queue_reply.as_file(file.name, shown.reason, texts))
    return tuple(kept), notes


def _means_a_picture(file: FileRef) -> bool:
    return file.mime.startswith("image/") or PurePath(file.name).suffix.lower() in PICTURES
