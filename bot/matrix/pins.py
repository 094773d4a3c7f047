"""What stands out in a room: a list of events, kept as the room's state."""

from __future__ import annotations

import msgspec

from bot.chat import Refused, Why
from bot.matrix.api import Api, in_room
from bot.matrix.wire import Nothing

PINS = ("state", "m.room.pinned_events")


class Pinned(msgspec.Struct):
    pinned: list[str] = []


async def pin(api: Api, room: str, event: str) -> None:
    """Beside what others have pinned. Errors: `ChatError`; `Why.FORBIDDEN` where we may not."""
    there = await _pinned(api, room)
    if event not in there:
        await _set(api, room, [*there, event])


async def unpin(api: Api, room: str, event: str) -> None:
    there = await _pinned(api, room)
    if event in there:
        await _set(api, room, [one for one in there if one != event])


async def _pinned(api: Api, room: str) -> list[str]:
    """Nothing where nobody has pinned anything yet."""
    try:
        return (await api.call("GET", in_room(room, *PINS), Pinned)).pinned
    except Refused as refusal:
        if refusal.why is not Why.GONE:
            raise
        return []


async def _set(api: Api, room: str, events: list[str]) -> None:
    await api.call("PUT", in_room(room, *PINS), Nothing, {"pinned": events})
