"""The projects whose names may be said in a room, whatever its own project waits for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.access import Rights, Role
from bot.chat import Person, RoomAddress
from core.model.ids import ProjectId
from core.store import projects
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Discretion:
    """*private_to* is whose private chat a room is, empty for a group; *rights* is what somebody is."""

    private_to: Callable[[RoomAddress], str]
    rights: Callable[[Person], Rights]

    def known(self, db: Db, room: RoomAddress, own: ProjectId) -> frozenset[str]:
        """Those in which who is alone there is anything at all; in a group, where nobody knows who reads
        along, its *own*."""
        person = self.private_to(room)
        rights = self.rights(Person(person, "")) if person else Rights(Role.STRANGER)
        found = projects.every(db)
        return frozenset(
            one.name for one in found if one.id == own or rights.within(one.id) is not Role.STRANGER
        )
