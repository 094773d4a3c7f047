"""Rooms of one project show the same: an owner has it so, and what is done in one is told in the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.bodies import saying
from bot.chat import Outgoing, Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from bot.intents.wishes import AgreeMirror, RefuseMirror
from bot.replies import mirroring as reply
from bot.texts import Texts
from core.model.ids import ProjectId, RoomId
from core.store import conversations, deliveries, mirrors, projects
from core.store.database import Db
from core.store.mirrors import Fellow, MirrorId, State

Words = Callable[[str, str], Texts]
"""On a platform, in a language."""


async def mirror(on: bool, place: Place, desk: Desk) -> list[Outgoing]:
    """The room shows the same as others of its project from now on, or what is its own. Errors:
    `NoProject`."""
    now, verb = desk.clock.now(), _wanted if on else _ended
    project_of(place)
    return await desk.once(place, lambda db: verb(db, place, desk, now=now), lambda said: [said])


async def settle(intent: AgreeMirror | RefuseMirror, place: Place, desk: Desk) -> list[Outgoing]:
    """What an owner was asked."""
    now = desk.clock.now()
    return await desk.once(place, lambda db: _settled(db, intent, place, desk, now=now), lambda said: [said])


def _wanted(db: Db, place: Place, desk: Desk, *, now: float) -> Text:
    """At once, unless an owner is to say that they know what it means."""
    project, texts, room = project_of(place), desk.texts(place), place.room.id
    others, here = _others(db, project.id, room), mirrors.of_room(db, room)
    own = mirrors.fellow(db, room)
    if here and here.state is State.ON:
        return reply.on(project.name, own, others, texts)
    if others and any(one.sealed or one.public for one in (own, *others)):
        return reply.ask(mirrors.ask(db, room, project.id, now=now), project.name, own, others, texts)
    return _begun(db, place, desk, now=now)


def _settled(db: Db, intent: AgreeMirror | RefuseMirror, place: Place, desk: Desk, *, now: float) -> Text:
    """Only what is still asked, in the room where it is."""
    found = mirrors.asked(db, MirrorId(intent.mirror))
    project = place.project.id if place.project else None
    if found is None or (found.room, found.project) != (place.room.id, project):
        return reply.settled(desk.texts(place))
    return (_begun if isinstance(intent, AgreeMirror) else _ended)(db, place, desk, now=now)


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


def lost(db: Db, rooms: Iterable[RoomId], words: Words, *, now: float) -> None:
    """Somebody who may be there was let out: each shows what is its own, until an owner wants it anew."""
    for room in rooms:
        if mirrors.together(db, room):
            _end(db, room, words, now=now)
            own = mirrors.fellow(db, room)
            said = reply.changed(words(own.address[0], own.language))
            deliveries.add(db, room, [saying(said)], now=now)


def changed(db: Db, rooms: Iterable[RoomId], words: Words, *, now: float) -> list[tuple[RoomId, Text]]:
    """Others can read there what is said in other rooms, or the other way round, than when somebody agreed:
    each shows what is its own until an owner agrees anew. What those are asked, each in its room."""
    asked = []
    for room in rooms:
        found = mirrors.of_room(db, room)
        if found is None or not mirrors.together(db, room):
            continue
        _end(db, room, words, now=now)
        own, number = mirrors.fellow(db, room), mirrors.ask(db, room, found.project, now=now)
        name, texts = projects.get(db, found.project).name, words(own.address[0], own.language)
        question = reply.ask(number, name, own, _others(db, found.project, room), texts)
        asked.append((room, reply.again(question, texts)))
    return asked
