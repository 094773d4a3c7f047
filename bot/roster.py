"""Who is who on one platform: owners of the settings, people that were let in, and strangers."""

from __future__ import annotations

from collections.abc import Collection

from bot.access import Role
from bot.chat import Person, RoomAddress
from core.errors import Refused
from core.model.people import Known
from core.store import people
from core.store.database import Database


class Roster:
    """Asked at every message, so it answers from memory; `refresh` after the store has changed."""

    def __init__(self, store: Database, platform: str, *, owners: Collection[str]) -> None:
        self._store = store
        self._platform = platform
        self._owners = frozenset(owners)
        self._known: dict[str, Known] = {}

    async def refresh(self) -> None:
        known = await self._store.read(people.everybody, self._platform)
        self._known = {one.person: one for one in known}

    async def let_in(self, person: str, role: Role, *, name: str = "") -> None:
        """Errors: `Refused` for an owner whom the settings name, and for the last one."""
        if role is not Role.OWNER and person in self._owners:
            raise Refused("people.by_settings", id=person)
        if role is not Role.OWNER and self.owners == [person]:
            raise Refused("people.last_owner")
        await self._store.write(people.let_in, self._platform, person, role, name=name)
        await self.refresh()

    def role(self, room: RoomAddress, person: Person) -> Role:
        if person.id in self._owners:
            return Role.OWNER
        known = self._known.get(person.id)
        return Role(known.role) if known else Role.STRANGER

    @property
    def owners(self) -> list[str]:
        """Everybody who owns this Roost here."""
        return [one.person for one in self.everybody if one.role == Role.OWNER]

    @property
    def everybody(self) -> list[Known]:
        """All who were let in, owners of the settings first."""
        named = {person: self._known[person].name for person in self._owners if person in self._known}
        owners = [Known(person, named.get(person, ""), Role.OWNER) for person in sorted(self._owners)]
        return [*owners, *(one for one in self._known.values() if one.person not in self._owners)]
