"""A prompt is stored with the files that came with it, and whoever dispatches is called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from bot.access import Role
from bot.chat import FileRef, MessageRef, Outgoing
from bot.ears import hears
from bot.handlers import deciding
from bot.handlers.beside import tell_of
from bot.handlers.desk import Desk, Place
from bot.handlers.files import keep
from bot.handlers.projects import adds
from bot.handlers.room import carried_on, choices, conversation_here, in_reach, prompt_here, put_away
from bot.intents.values import Ask, SendCorrection
from bot.replies import amended, cancelled
from bot.replies import project as project_reply
from bot.replies import queue as queue_reply
from bot.replies.beside import beside
from core.crash import crash_point
from core.model.conversation import Conversation
from core.model.events import Asked, AskKind
from core.model.ids import EventId, PromptId
from core.model.project import Project
from core.model.prompt import COMPACT, Attachment, Kind, Piece, Status
from core.store import conversations, deliveries, log, pieces, prompts, said, threads
from core.store.database import Db
from core.store.log import Logged
from core.store.prompts import Accepted


async def ask(
    intent: Ask | SendCorrection,
    place: Place,
    desk: Desk,
    *,
    steers: bool = False,
) -> list[Outgoing]:
    """Whoever asked is shown what becomes of it by `Desk.took`; in return come only words about files.
    With *steers* the words are for the turn that runs, if one does."""
    can_answer = place.answers or not (desk.replies or steers)
    if can_answer and isinstance(intent, Ask):
        told = await _answers(intent, place, desk)
        if told is not None:
            return told
    match intent:
        case Ask() if place.answers:
            shows = await desk.store.read(_shown_by, place)
            if shows is None:
                return await _ask(intent, place, desk, steers=steers)
            return await _for_the_turn(replace(intent, points_at=()), shows, place, desk, steers=steers)
        case Ask():
            return await _ask(intent, place, desk, steers=steers)
        case SendCorrection(number):
            return await _correct(number, place, desk)


async def _for_the_turn(
    intent: Ask, shows: PromptId, place: Place, desk: Desk, *, steers: bool
) -> list[Outgoing]:
    """It was said in reply to what shows the turn of *shows*: words for that one, while it works."""
    name = await desk.store.read(_at_work, shows)
    if not name:
        return await _ask(intent, place, desk, steers=steers)
    engine = desk.catalogue.engine(name)
    can = await desk.store.read(_heard, shows, desk)
    notes = await _ask(intent, place, desk, steers=steers or can)
    return notes if can else [*notes, queue_reply.no_steering(engine.label, desk.texts(place))]


async def _ask(intent: Ask, place: Place, desk: Desk, *, steers: bool) -> list[Outgoing]:
    if place.project is None:
        return await _unplaced(intent, place, desk, steers=steers)
    kept: tuple[Attachment, ...] = ()
    notes: list[Outgoing] = []
    text, files = intent.text, (*intent.files, *_pointed_at(intent))
    later = files if desk.delivers else ()
    if files and not desk.delivers:
        rest = bool(text.strip()) or len(files) > 1
        kept, notes = await keep(files, place.project, desk.texts(place), desk, rest=rest)
        if not kept and not text.strip():
            return notes
    accepted = await desk.store.write(
        _accept, intent, kept, later, place, desk, steers=steers, now=desk.clock.now()
    )
    taken(accepted, place, desk)
    return notes


async def _unplaced(intent: Ask, place: Place, desk: Desk, *, steers: bool) -> list[Outgoing]:
    """Where there is nothing to choose, nobody is asked: the room works in the only project there is."""
    only = await desk.store.read(_only, place)
    if only is None:
        return await _parked(place, desk)
    await desk.store.write(threads.choose, place.room.id, only.id)
    picked = project_reply.picked(only, desk.texts(place))
    return [picked, *await _ask(intent, replace(place, project=only), desk, steers=steers)]


def _only(db: Db, place: Place) -> Project | None:
    """The one project in which somebody may work who adds none, in a room of their own that showed none
    yet."""
    if adds(place.rights) or not place.own or place.room.project is not None:
        return None
    match choices(db, place):
        case [only] if place.rights.within(only.id).at_least(Role.MEMBER):
            return only
        case _:
            return None


def _pointed_at(intent: Ask) -> Iterator[FileRef]:
    """What is spoken there is no word of who points at it."""
    for pointed in intent.points_at:
        yield from (replace(file, spoken=False, pointed=True) for file in pointed.files)


async def _answers(intent: Ask, place: Place, desk: Desk) -> list[Outgoing] | None:
    """What is said where its text answers a question of the agent, by a reply to it, or where there are no
    replies; None where it is a prompt."""
    if desk.replies:
        question = await desk.store.read(_question, intent, place)
    else:
        question = await desk.store.read(_waiting, place)
    if question is None:
        return None
    text, now, texts = intent.text, desk.clock.now(), desk.texts(place)
    left = await desk.once(
        place,
        lambda db: deciding.answer_in_words(db, question, text, place, now=now),
        lambda answered: [] if answered else [cancelled.too_late(texts)],
    )
    desk.ring()
    return left


def _question(db: Db, intent: Ask, place: Place) -> Logged | None:
    """The open question of an agent that was replied to, by somebody who may answer it in words."""
    told = deliveries.told_by(db, place.room.id, place.answers or "")
    number = told[1] % deliveries.BEYOND if told else 0
    asked = log.one(db, EventId(number)) if number else _nameless(db, intent, place)
    return asked if asked and deciding.takes_words(db, asked, place) else None


def _nameless(db: Db, intent: Ask, place: Place) -> Logged | None:
    """The question that a message of ours asks of which nobody knows the name, known by its words: it was
    sent, and nobody told us so, and may be there twice."""
    pointed = next((_letters(one.text) for one in intent.points_at if one.ours), "")
    if not pointed or deliveries.is_known(db, place.room.id, place.answers or ""):
        return None
    asked = (log.one(db, EventId(number)) for number in deliveries.doubtful(db, place.room.id))
    return next((one for one in asked if _words_of(one, pointed)), None)


def _words_of(asked: Logged, pointed: str) -> bool:
    words = _letters(asked.event.title) if isinstance(asked.event, Asked) else ""
    return bool(words) and (words in pointed or pointed in words)


def _letters(text: str) -> str:
    """What every chat shows of it in the same way."""
    return "".join(filter(str.isalnum, text))


def _waiting(db: Db, place: Place) -> Logged | None:
    """The question in the room's conversation that waits longest for words; a step is allowed by a choice."""
    found = said.open_questions(db, place.conversation.id) if place.conversation else []
    asked = (one for one in found if isinstance(one.event, Asked) and one.event.kind is AskKind.QUESTION)
    return next((one for one in asked if deciding.takes_words(db, one, place)), None)


def _shown_by(db: Db, place: Place) -> PromptId | None:
    """The turn that is shown by what it was said in reply to."""
    told = deliveries.told_by(db, place.room.id, place.answers or "")
    return told[0] if told and told[1] == 0 and in_reach(db, told[0], place) else None


def _at_work(db: Db, number: PromptId) -> str:
    """The engine of its turn; empty where none runs."""
    prompt = prompts.get(db, number)
    runs = prompt.status is Status.RUNNING
    return conversations.get(db, prompt.conversation).engine if runs else ""


def _heard(db: Db, number: PromptId, desk: Desk) -> bool:
    return hears(db, prompts.get(db, number).conversation, desk.catalogue)


async def compact(here: Conversation, place: Place, desk: Desk) -> None:
    """Have the context of *here* compacted, once what waits before that has run."""
    taken(await desk.store.write(_accept_compaction, here, place, desk, now=desk.clock.now()), place, desk)


async def _parked(place: Place, desk: Desk) -> list[Outgoing]:
    """The words wait until the room has a project, where they are kept; the person is asked for it."""
    texts = desk.texts(place)

    def park(db: Db) -> tuple[list[Project], Project | None]:
        desk.park(db, place)
        return choices(db, place), put_away(db, place)

    def told(found: tuple[list[Project], Project | None]) -> list[Outgoing]:
        known, away = found
        return [project_reply.parked(known, texts, adds=adds(place.rights), away=away)]

    return await desk.once(place, park, told)


async def _correct(number: PromptId, place: Place, desk: Desk) -> list[Outgoing]:
    """What the words of a prompt were changed to is told to its turn where that can be, else it waits."""
    accepted = await desk.store.write(_accept_correction, number, place, desk, now=desk.clock.now())
    if accepted is None:
        return [amended.sent_before(desk.texts(place))]
    taken(accepted, place, desk)
    return []


def taken(accepted: Accepted, place: Place, desk: Desk) -> None:
    """It is stored: everybody whom it concerns is told."""
    crash_point("before-ack")
    desk.ring()
    if not accepted.again:
        desk.took(place, accepted.prompt)
    if accepted.beside:
        desk.news.tell()


def _accept(
    db: Db,
    intent: Ask,
    kept: tuple[Attachment, ...],
    later: tuple[FileRef, ...],
    place: Place,
    desk: Desk,
    *,
    steers: bool,
    now: float,
) -> Accepted:
    conversation = carried_on(db, place) or conversation_here(db, place, desk, now=now)
    texts = desk.texts(place)
    conversations.speak(db, conversation.id, texts.language)
    accepted = prompts.accept(
        db,
        place.source,
        conversation.id,
        intent.text,
        now=now,
        beside=beside(intent.points_at, texts),
        attachments=kept,
        author=place.person.name,
        person=place.person.id,
        steers=steers,
        room=place.room.id,
        place=desk.chat_place(place, (msgspec.json.encode(file).decode() for file in later)),
    )
    return tell_of(db, accepted, place, desk, files=[file.name for file in intent.files], now=now)


def _accept_compaction(db: Db, here: Conversation, place: Place, desk: Desk, *, now: float) -> Accepted:
    accepted = prompts.accept(
        db,
        place.source,
        here.id,
        COMPACT,
        now=now,
        person=place.person.id,
        room=place.room.id,
        place=desk.chat_place(place),
        kind=Kind.COMPACT,
    )
    desk.awaits(db, place, accepted.prompt)
    return accepted


def _accept_correction(db: Db, number: PromptId, place: Place, desk: Desk, *, now: float) -> Accepted | None:
    """None where nothing is left to send."""
    old = prompt_here(db, number, place)
    if (known := prompts.made_by(db, place.source)) is not None:
        return Accepted(known, 0, again=True)
    correction = pieces.take_correction(db, old.id)
    if correction is None:
        return None
    said = replace(place, message=MessageRef(correction.message), pieces=(Piece(correction.message),))
    accepted = prompts.accept(
        db,
        place.source,
        old.conversation,
        correction.text,
        now=now,
        author=old.author,
        person=old.person,
        steers=hears(db, old.conversation, desk.catalogue) and prompts.at_work_with(db, old),
        room=place.room.id,
        place=desk.chat_place(said),
        beside=desk.texts(place).say("instruct.correction"),
    )
    return tell_of(db, accepted, place, desk, now=now)
