"""Who is who on one platform: owners of the settings, people that were let in, and strangers."""

from __future__ import annotations

from collections.abc import Callable, Collection

from bot.access import Role
from bot.chat import Person, RoomAddress
from bot.door import Door
from core.errors import Refused
from core.model.people import Known
from core.store import inbox, people, prompts
from core.store.database import Database, Db


class Roster:
    """Asked at every message, so it answers from memory; `refresh` after the store has changed.

    *private_to* is whose private chat a room is, empty for a group.
    """

    def __init__(
        self,
        store: Database,
        platform: str,
        *,
        owners: Collection[str],
        private_to: Callable[[RoomAddress], str] = lambda room: "",
        door: Door | None = None,
    ) -> None:
        self._store = store
        self._platform = platform
        self._owners = frozenset(owners)
        self._private_to = private_to
        self._door = door or Door()
        self._known: dict[str, Known] = {}

    async def refresh(self) -> None:
        known = await self._store.read(people.everybody, self._platform)
        self._known = {one.person: one for one in known}

    def let_in(self, db: Db, person: str, role: Role, *, name: str = "", now: float) -> None:
        """Make somebody that, which `refresh` tells; a stranger's private chat is shut with it. Errors:
        `Refused` for an owner whom the settings name, and for the last one."""
        if role is not Role.OWNER and person in self._owners:
            raise Refused("people.by_settings", id=person)
        if role is not Role.OWNER and self._owners_in(db) == {person}:
            raise Refused("people.last_owner")
        people.let_in(db, self._platform, person, role, name=name)
        if role is Role.STRANGER:
            self.shut(db, now=now)

    def _owners_in(self, db: Db) -> set[str]:
        let_in = {one.person for one in people.everybody(db, self._platform) if one.role == Role.OWNER}
        return let_in | self._owners

    def redeem(self, db: Db, code: str, person: Person, *, now: float) -> Role | None:
        """What a one-time code makes of somebody, who is that from now on; `refresh` tells. None for a wrong
        one, and for any once somebody has said too many."""
        offer = people.offered(db, now=now)
        if offer is None or not self._door.may_try(offer, person.id):
            return None
        word = people.redeem(db, code.casefold(), now=now)
        if word is None:
            self._door.tried(offer, person.id)
            return None
        people.let_in(db, self._platform, person.id, word, name=person.name)
        return Role(word)

    def shut(self, db: Db, *, now: float) -> None:
        """Nothing runs or waits for the private chats of strangers any more: those who were let out, also by
        the settings. What was asked in a group is the group's, and goes on."""
        known = self._owners | {one.person for one in people.everybody(db, self._platform)}
        for room, address in prompts.rooms_open(db, self._platform):
            person = self._private_to(RoomAddress(*address))
            if person and person not in known:
                prompts.cancel_for(db, room, now=now)
                inbox.drop_parked(db, room)

    def reads(self, room: RoomAddress) -> bool:
        """Whether somebody is there who may read what we say."""
        person = self._private_to(room)
        return not person or self._role(person) is not Role.STRANGER

    def role(self, room: RoomAddress, person: Person) -> Role:
        return self._role(person.id)

    def _role(self, person: str) -> Role:
        if person in self._owners:
            return Role.OWNER
        known = self._known.get(person)
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
