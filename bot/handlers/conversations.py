"""The room's conversation: a new one, an earlier one, its name."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Outgoing
from bot.handlers import importing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import conversation_here, project_of, show, turn_to, unseen
from bot.intents.values import Conversations, New, PickConversation, SetTitle, WrongUse
from bot.replies import conversations as reply
from bot.replies import help as helping
from bot.replies import importing as importing_reply
from core.answers.title import clean_title
from core.errors import UnknownConversation
from core.model.conversation import Conversation
from core.model.ids import ConversationId
from core.store import conversations
from core.store.database import Db


async def converse(
    intent: New | Conversations | PickConversation | SetTitle, place: Place, desk: Desk
) -> list[Outgoing]:
    """Errors: `NoProject`, `UnknownConversation`."""
    texts, now, project = desk.texts(place), desk.clock.now(), project_of(place)
    match intent:
        case New(title):
            return await desk.once(
                place, lambda db: _fresh(db, clean_title(title), place, desk, now=now), lambda said: said
            )
        case Conversations():
            own = await desk.store.read(conversations.latest, project.id)
            sessions, pending = await importing.found(place, desk)
            label = desk.catalogue.label(desk.engine_for(project, place.conversation))
            beside, buttons = importing_reply.lines(sessions, label, texts, pending=pending)
            used = await desk.store.read(conversations.last_used, [one.id for one in own])
            ago = {one: now - at for one, at in used.items()}
            return [reply.listed(own, project.name, texts, ago=ago, beside=beside, buttons=buttons)]
        case PickConversation(number):
            return await desk.once(
                place, lambda db: _pick(db, number, place, desk), lambda found: [reply.picked(found, texts)]
            )
        case SetTitle(title):
            if not (clean := clean_title(title)):
                return [helping.wrong_use(WrongUse("title"), texts)]
            return await desk.once(
                place,
                lambda db: _title(db, clean, place, desk, now=now),
                lambda here: [reply.titled(here, texts)],
            )
        case _:
            assert_never(intent)


def _fresh(db: Db, title: str, place: Place, desk: Desk, *, now: float) -> list[Outgoing]:
    """A new conversation; one that is still empty is as good as new, where it has no thread of its own."""
    here, texts, project = place.conversation, desk.texts(place), project_of(place)
    if here and not here.begun and not title and not place.threads:
        return [reply.begun(here, project.name, texts)]
    begun = unseen(db, place, desk, title=title, now=now)
    return show(db, begun, place, desk, reply.begun(begun, project.name, texts))


def _pick(db: Db, number: ConversationId, place: Place, desk: Desk) -> Conversation:
    """An earlier conversation of the room's project, shown there from now on."""
    project = project_of(place)
    found = conversations.get(db, number)
    if found.project != project.id:
        raise UnknownConversation(id=number)
    turn_to(db, found, place, desk)
    return found


def _title(db: Db, title: str, place: Place, desk: Desk, *, now: float) -> Conversation:
    here = conversation_here(db, place, desk, now=now)
    conversations.rename(db, here.id, title)
    return conversations.get(db, here.id)
