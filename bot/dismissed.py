"""Owners whom the settings name no more: what that means for rooms is seen to at the start."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.handlers import mirroring
from bot.handlers.desk import Desk
from bot.happenings import Happenings
from bot.replies import mirroring as reply
from bot.roster import Roster
from core.model.ids import RoomId
from core.store import mirrors, people
from core.store.database import Db


async def dismiss(platform: str, desk: Desk, roster: Roster, happenings: Happenings) -> None:
    """Where one of them may read along, nothing of other rooms is shown any more; the others hear of it. It
    is known from now on whom the settings name."""
    gone = await desk.store.glance(people.named_owners, platform) - roster.named
    shared = await desk.store.glance(mirrors.rooms_on, platform) if gone else []
    safe = {person: await desk.onlookers.without(person, shared) for person in gone}
    await desk.store.insist(_dismiss, platform, safe, desk, roster, happenings, now=desk.clock.now())


def _dismiss(
    db: Db,
    platform: str,
    gone: Mapping[str, Collection[RoomId]],
    desk: Desk,
    roster: Roster,
    happenings: Happenings,
    *,
    now: float,
) -> None:
    for person, safe in sorted(gone.items()):
        rooms = roster.loses(db, person, safe, owned=True)
        if lost := mirroring.lost(db, rooms, desk.words_on, now=now):
            happenings.tell(db, reply.lost(person, lost, desk.words("")), now=now)
    people.name_owners(db, platform, roster.named)
