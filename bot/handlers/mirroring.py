"""Rooms of one project show the same: an owner has it so, and what is done in one is told in the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bot.bodies import saying
from bot.chat import Outgoing, RoomAddress, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from bot.intents.wishes import AgreeMirror, RefuseMirror
from bot.replies import mirroring as reply
from bot.texts import Texts
from core.model.ids import ProjectId, RoomId
from core.model.project import Project
from core.store import conversations, deliveries, mirrors, projects
from core.store.database import Db
from core.store.mirrors import Fellow, MirrorId, State

Words = Callable[[str, str], Texts]
"""On a platform, in a language."""
Seen = Mapping[RoomId, int | None]
"""How many strangers may read along in a room; None where nobody knows."""


async def mirror(on: bool, place: Place, desk: Desk) -> list[Outgoing]:
    """The room shows the same as others of its project from now on, or what is its own. Errors:
    `NoProject`."""
    verb, project = _wanted if on else _ended, project_of(place)
    seen = await look(project.id, place.room.id, desk) if on else {}
    return await _once(lambda db, now: verb(db, place, desk, now=now), seen, place, desk)


async def settle(intent: AgreeMirror | RefuseMirror, place: Place, desk: Desk) -> list[Outgoing]:
    """What an owner was asked."""
    project = place.project if isinstance(intent, AgreeMirror) else None
    seen = await look(project.id, place.room.id, desk) if project else {}
    return await _once(lambda db, now: _settled(db, intent, place, desk, now=now), seen, place, desk)


async def _once(verb: Callable[[Db, float], Text], seen: Seen, place: Place, desk: Desk) -> list[Outgoing]:
    """Do *verb*, knowing what was *seen*."""
    now = desk.clock.now()

    def do(db: Db) -> Text:
        mirrors.looked_at(db, seen)
        return verb(db, now)

    return await desk.once(place, do, lambda said: [said])


async def look(project: ProjectId, room: RoomId, desk: Desk) -> Seen:
    """How many strangers read along in *room*, and where *project* is shown as it is there."""
    rooms = await desk.store.glance(mirrors.concerned, project, room)
    return {one: await desk.onlookers.strangers(RoomAddress(*address), project) for one, address in rooms}


def _wanted(db: Db, place: Place, desk: Desk, *, now: float) -> Text:
    """At once, unless an owner is to say that they know what it means."""
    project, texts, room = project_of(place), desk.texts(place), place.room.id
    others, here = _others(db, project.id, room), mirrors.of_room(db, room)
    own = mirrors.fellow(db, room)
    if here and here.state is State.ON:
        return reply.on(project.name, own, others, texts)
    if others and any(one.sealed or one.exposed for one in (own, *others)):
        return _asked(db, room, project, texts, now=now)
    return _begun(db, place, desk, now=now)


def _settled(db: Db, intent: AgreeMirror | RefuseMirror, place: Place, desk: Desk, *, now: float) -> Text:
    """Only what is still asked, in the room where it is; and agreed to as it was asked, or it is anew."""
    found, project, texts = mirrors.asked(db, MirrorId(intent.mirror)), place.project, desk.texts(place)
    if found is None or project is None or (found.room, found.project) != (place.room.id, project.id):
        return reply.settled(texts)
    if isinstance(intent, RefuseMirror):
        return _ended(db, place, desk, now=now)
    put = mirrors.question_of(db, found.id)
    if _question(db, found.id, place.room.id, project, texts).markdown != put:
        return reply.since(_asked(db, place.room.id, project, texts, now=now), texts)
    return _begun(db, place, desk, now=now)


def _asked(db: Db, room: RoomId, project: Project, texts: Texts, *, now: float) -> Text:
    """An owner is to agree to what this says, and to nothing else."""
    number = mirrors.ask(db, room, project.id, now=now)
    question = _question(db, number, room, project, texts)
    mirrors.puts(db, number, question.markdown)
    return question


def _question(db: Db, number: MirrorId, room: RoomId, project: Project, texts: Texts) -> Text:
    return reply.ask(number, project.name, mirrors.fellow(db, room), _others(db, project.id, room), texts)


def _begun(db: Db, place: Place, desk: Desk, *, now: float) -> Text:
    project, room = project_of(place), place.room.id
    conversations.bind(db, room, project.id, place.conversation.id if place.conversation else None)
    mirrors.begin(db, room, project.id, place.person.id, place.person.name, now=now)
    others, own = _others(db, project.id, room), mirrors.fellow(db, room)
    for one in others:
        said = reply.joined(
            place.person.name, own, [own, *others], project.name, desk.words_on(one.address[0], one.language)
        )
        deliveries.add(db, one.room, [saying(said)], now=now)
    return reply.on(project.name, own, others, desk.texts(place))


def leave(db: Db, place: Place, desk: Desk, *, now: float) -> None:
    """The room is about to be in another project."""
    if mirrors.of_room(db, place.room.id):
        _end(db, place.room.id, desk.words_on, now=now)


def _ended(db: Db, place: Place, desk: Desk, *, now: float) -> Text:
    room, led = place.room.id, mirrors.lead(db, place.room.id)
    if place.project and led not in (None, room):
        mirrors.stay_apart(db, room, place.project.id, now=now)
        return reply.apart(desk.texts(place))
    _end(db, place.room.id, desk.words_on, now=now)
    return reply.off(desk.texts(place))


def _end(db: Db, room: RoomId, words: Words, *, now: float) -> None:
    own = mirrors.fellow(db, room)
    others = [mirrors.fellow(db, other) for other in mirrors.end(db, room)]
    for there in others:
        said = reply.left(own, [own, *others], words(there.address[0], there.language))
        deliveries.add(db, there.room, [saying(said)], now=now)


def _others(db: Db, project: ProjectId, room: RoomId) -> list[Fellow]:
    return [one for one in mirrors.fellows(db, project) if one.room != room]


# -- what happens to a room --------------------------------------------------------------------------------


def lost(db: Db, rooms: Iterable[RoomId], words: Words, *, now: float) -> list[Fellow]:
    """Somebody who may be there was let out: each shows what is its own, until an owner wants it anew. Those
    that showed the same as others."""
    ended = [mirrors.fellow(db, room) for room in rooms if mirrors.together(db, room)]
    for own in ended:
        _end(db, own.room, words, now=now)
        said = reply.changed(words(own.address[0], own.language))
        deliveries.add(db, own.room, [saying(said)], now=now)
    return ended


def changed(db: Db, rooms: Iterable[RoomId], words: Words, *, now: float) -> list[tuple[RoomId, Text]]:
    """Others can read there what is said in other rooms, or the other way round, than when somebody agreed:
    each shows what is its own until an owner agrees anew. What those are asked, each in its room."""
    asked = []
    for room in rooms:
        found = mirrors.of_room(db, room)
        if found is None or not mirrors.together(db, room):
            continue
        _end(db, room, words, now=now)
        own = mirrors.fellow(db, room)
        project, texts = projects.get(db, found.project), words(own.address[0], own.language)
        asked.append((room, reply.again(_asked(db, room, project, texts, now=now), texts)))
    return asked
