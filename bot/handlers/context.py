"""The context of the room's conversation: made smaller, measured."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Outgoing, Text
from bot.handlers import ask
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of
from bot.intents.values import Compact, ShowUsage
from bot.replies import context as reply
from bot.texts import Texts
from core.engines.port import Engine
from core.model.conversation import Conversation
from core.model.events import LimitsUpdated
from core.store import log
from core.store.database import Db
from core.store.spent import Spent, spent


async def context(intent: Compact | ShowUsage, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `Refused` for an engine that this version can't drive."""
    engine = desk.catalogue.engine(desk.engine_for(project_of(place), place.conversation))
    here, texts, now = place.conversation, desk.texts(place), desk.clock.now()
    if isinstance(intent, ShowUsage):
        used, limits = await desk.store.read(_told, here) if here else (None, None)
        return [reply.usage(used, limits, engine.label, texts, now=now)]
    if here is None or here.session is None:
        return [_too_early(here, engine, texts)]
    match intent:
        case Compact() if not engine.capabilities.compact:
            return [reply.no_compaction(engine.label, texts)]
        case Compact():
            await ask.compact(here, place, desk)
            return []
        case _:
            assert_never(intent)


def _too_early(here: Conversation | None, engine: Engine, texts: Texts) -> Text:
    """Why there is nothing to compact before the first turn; a fork knows what was said before it."""
    if here is None or here.parent is None:
        return reply.nothing_yet(texts)
    if not engine.capabilities.compact:
        return reply.no_compaction(engine.label, texts)
    return reply.nothing_since_fork(texts)


def _told(db: Db, here: Conversation) -> tuple[Spent | None, LimitsUpdated | None]:
    return spent(db, here.id), log.newest(db, here.id, LimitsUpdated)
