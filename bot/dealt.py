"""What was heard is dealt with: its reply is due, and what its chat had not taken before."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import RoomAddress
from core.model.ids import RoomId
from core.model.prompt import Source
from core.store import conversations, deliveries, inbox
from core.store.database import Db


def dealt_with(
    db: Db,
    source: Source,
    room: RoomId,
    bodies: Sequence[str],
    address: RoomAddress,
    *,
    owed: bool,
    now: float,
) -> bool:
    """The reply, made for this address, is due and the update is dealt with, as one; what it parked stays
    parked. Whether anything is due: what the chat did not take while it was closed to us comes before the
    reply. It is *owed* to those whom we know: a stranger who takes us back in gets nothing by that."""
    moved = RoomAddress(*conversations.address_of(db, room)[0]) != address
    deliveries.add(db, room, bodies, now=now, moved=moved)
    inbox.done(db, source)
    found = deliveries.owe(db, room) if owed else 0
    return found > 0 or deliveries.next_due(db, room) is not None
