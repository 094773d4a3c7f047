"""Who is who on one platform: owners of the settings, people that were let in, and strangers."""

from __future__ import annotations

from collections.abc import Collection

from bot.access import Role
from bot.chat import Person, RoomAddress
from core.store import people
from core.store.database import Database


class Roster:
    """Asked at every message, so it answers from memory; `refresh` after the store has changed."""

    def __init__(self, store: Database, platform: str, *, owners: Collection[str]) -> None:
        self._store = store
        self._platform = platform
        self._owners = frozenset(owners)
        self._roles: dict[str, Role] = {}

    async def refresh(self) -> None:
        known = await self._store.read(people.everybody, self._platform)
        self._roles = {one.person: Role(one.role) for one in known}

    def role(self, room: RoomAddress, person: Person) -> Role:
        if person.id in self._owners:
            return Role.OWNER
        return self._roles.get(person.id, Role.STRANGER)

    @property
    def owners(self) -> list[str]:
        """Everybody who owns this Roost here."""
        return [person for person, role in self.everybody if role is Role.OWNER]

    @property
    def everybody(self) -> list[tuple[str, Role]]:
        """All who were let in, owners of the settings first."""
        others = [(person, role) for person, role in self._roles.items() if person not in self._owners]
        return [(person, Role.OWNER) for person in sorted(self._owners)] + others
