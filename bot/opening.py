"""A new conversation gets a thread of its own, or goes on where it was asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bot.chat import DeliveringChat, RoomAddress
from bot.handlers.desk import Opening
from core.model.ids import ConversationId, RoomId
from core.store import conversations, deliveries, threads
from core.store.database import Db

STEP = "open"
"""The step of a delivery that opens a thread: what it is to be called."""


def opening(chat: DeliveringChat, wanted: Opening) -> str:
    """The body of that delivery. Where the thread's first message says so, nothing else does."""
    first, told, refused = (chat.cut(text)[0] for text in (wanted.said, wanted.told, wanted.instead))
    told = "" if chat.limits.rooted else told
    of = str(wanted.conversation)
    return json.dumps({STEP: wanted.name, "of": of, "first": first, "told": told, "refused": refused})


def opened(db: Db, asked: RoomId, thread: RoomAddress, step: Mapping[str, str], *, now: float) -> None:
    """The conversation is shown in *thread* from now on; what is to be said there and where it was *asked*
    for is due."""
    where = (thread.platform, thread.account, thread.chat, thread.thread)
    shown = threads.show_in(db, *where, ConversationId(int(step["of"])), step[STEP])
    deliveries.add(db, shown, [json.dumps({"send": step["first"]})], now=now)
    if step["told"]:
        deliveries.add(db, asked, [json.dumps({"send": step["told"]})], now=now)


def refused(db: Db, asked: RoomId, step: Mapping[str, str]) -> None:
    """It goes on where it was *asked* for."""
    begun = conversations.get(db, ConversationId(int(step["of"])))
    conversations.bind(db, asked, begun.project, begun.id)
