"""Which words of a room are prompts."""

from __future__ import annotations

from bot.chat import Outgoing, RoomAddress
from bot.handlers.desk import Desk, Place
from bot.intents.values import Listen, SetListen, ShowListen
from bot.intents.wishing import LISTEN
from bot.replies import listening as reply
from bot.replies.wishes import lacking
from core.store import threads
from core.store.database import Database
from core.store.threads import Hearing


async def listening(intent: ShowListen | SetListen, place: Place, desk: Desk) -> list[Outgoing]:
    texts = desk.texts(place)
    if LISTEN in desk.lacks:
        return [lacking(LISTEN, texts)]
    match intent:
        case ShowListen():
            told = await hearing(desk.store, place.address)
            return [reply.shown(Listen(told.listen or Listen.AUTO), texts)]
        case SetListen(listen):
            return await desk.once(
                place,
                lambda db: threads.set_listen(db, place.room.id, listen),
                lambda _: [reply.now(listen, texts)],
            )


async def hearing(store: Database, room: RoomAddress) -> Hearing:
    """What *room* is told to hear, as far as anybody said."""
    return await store.glance(threads.hearing, room.platform, room.account, room.chat, room.thread)
