"""Who is who on one platform: owners of the settings, people that were let in, and strangers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, partial

from bot.access import Rights, Role
from bot.chat import Person, RoomAddress
from bot.door import Door
from core.errors import Refused
from core.model.ids import ProjectId, RoomId
from core.model.people import Admission, Known
from core.model.prompt import Prompt, Status
from core.model.reasons import NO_RIGHT
from core.store import deliveries, inbox, mirrors, people, prompts
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
        private_to: Callable[[RoomAddress], str] = lambda room: room.chat,
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

    def let_in(
        self,
        db: Db,
        person: str,
        role: Role,
        *,
        project: ProjectId | None = None,
        name: str = "",
        now: float,
    ) -> None:
        """Make somebody that, in one *project* or in every one, which `refresh` tells; what their private
        chat is to see no more is shut there, what they may not ask any more is set aside. Errors: `Refused`
        for an id that nobody has on this platform, for an owner whom the settings name, for the last one,
        and for one project alone of any."""
        if role is not Role.STRANGER and self._private_to(RoomAddress(self._platform, "", person)) != person:
            raise Refused("people.elsewhere", id=person)
        if role is not Role.OWNER and person in self._owners:
            raise Refused("people.by_settings", id=person)
        owners = self._owners_in(db)
        if role is not Role.OWNER and owners == {person}:
            raise Refused("people.last_owner")
        if project is not None and person in owners:
            raise Refused("people.owns_all", id=person)
        people.let_in(db, self._platform, person, role, name=name, project=project)
        self.shut(db, now=now)

    def _owners_in(self, db: Db) -> set[str]:
        let_in = {one.person for one in people.everybody(db, self._platform) if one.role == Role.OWNER}
        return let_in | self._owners

    def redeem(self, db: Db, code: str, person: Person, *, now: float) -> Admission | None:
        """What a one-time code makes of somebody, who is that from now on, unless they were more; `refresh`
        tells. None for a wrong one, and for any once somebody has said too many."""
        offer = people.offered(db, now=now)
        if offer is None or not self._door.may_try(offer, person.id):
            return None
        found = people.redeem(db, code.casefold(), now=now)
        if found is None:
            self._door.tried(offer, person.id)
            return None
        self._admit(db, person, Role(found.role), found.project)
        return found

    def _admit(self, db: Db, person: Person, role: Role, project: ProjectId | None) -> None:
        """Nobody becomes less anywhere."""
        rights = self._rights(db, person.id)
        given: dict[ProjectId | None, Role] = {}
        if not (rights.within(project) if project else rights.everywhere).at_least(role):
            given[project] = role
        if project is None:
            given |= {one: had for one, had in rights.projects.items() if had.rank < role.rank}
        for one, role_there in given.items():
            people.let_in(db, self._platform, person.id, role_there, name=person.name, project=one)

    def set_aside(self, db: Db, *, now: float) -> None:
        """Nothing waits whose asker may not ask it any more, also by the settings: an owner decides about it.
        What runs goes on."""
        rights = cache(partial(self._rights, db))
        for prompt, project in prompts.waiting_on(db, self._platform):
            if not rights(prompt.person).within(project).at_least(Role.MEMBER):
                prompts.fail(db, prompt.id, reason=NO_RIGHT, now=now)

    def shut(self, db: Db, *, now: float) -> None:
        """`set_aside`; and for a private chat whose person is nothing in its project any more nothing runs:
        nobody reads there what becomes of it."""
        for room, address in prompts.rooms_open(db, self._platform):
            if person := self._private_to(RoomAddress(*address)):
                self._shut_room(db, room, self._rights(db, person), now=now)
        for mirror, address in mirrors.on_platform(db, self._platform):
            person = self._private_to(RoomAddress(*address))
            if person and self._rights(db, person).within(mirror.project) is Role.STRANGER:
                mirrors.end(db, mirror.room)
        self.set_aside(db, now=now)

    def _shut_room(self, db: Db, room: RoomId, rights: Rights, *, now: float) -> None:
        gone = [one for one in prompts.asked_in(db, room) if not _sees(db, rights, one)]
        unasked = [one for one in gone if one.status is Status.RUNNING or not one.person]
        prompts.cancel_each(db, unasked, now=now)
        deliveries.forget_of(db, [one.id for one in gone])
        if rights.within(None) is Role.STRANGER:
            inbox.drop_parked(db, room)

    def allowed(self, project: ProjectId) -> set[str]:
        """Everybody who is something in *project*."""
        every = (one.person for one in self.everybody)
        return {one for one in every if self.rights(Person(one, "")).within(project) is not Role.STRANGER}

    def loses(self, db: Db, person: str, safe: Collection[RoomId], *, owned: bool = False) -> list[RoomId]:
        """The groups in which *person*, who is nothing in their project since the last `refresh`, or since
        they *owned* this Roost, may read what others show there; those are *safe* where they surely are
        not."""
        had = Rights(Role.OWNER) if owned else self.rights(Person(person, ""))
        has = self._rights(db, person)
        return [
            mirror.room
            for mirror, address in mirrors.on_platform(db, self._platform)
            if mirror.room not in safe
            and not self._private_to(RoomAddress(*address))
            and had.within(mirror.project) is not Role.STRANGER
            and has.within(mirror.project) is Role.STRANGER
        ]

    def reads(self, room: RoomAddress) -> bool:
        """Whether somebody is there who may read what we say."""
        person = self._private_to(room)
        return not person or not self.is_stranger(Person(person, ""))

    def is_stranger(self, person: Person) -> bool:
        """Whether they are nothing in any project."""
        return self.rights(person).within(None) is Role.STRANGER

    def rights(self, person: Person) -> Rights:
        return self._of(self._known.get(person.id), person.id)

    def _rights(self, db: Db, person: str) -> Rights:
        """As the store has it now."""
        known = (one for one in people.everybody(db, self._platform) if one.person == person)
        return self._of(next(known, None), person)

    def _of(self, known: Known | None, person: str) -> Rights:
        if person in self._owners:
            return Rights(Role.OWNER)
        if known is None:
            return Rights(Role.STRANGER)
        return Rights(Role(known.role), {one: Role(role) for one, role in known.projects.items()})

    @property
    def named(self) -> frozenset[str]:
        """The owners whom the settings name."""
        return self._owners

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


def _sees(db: Db, rights: Rights, prompt: Prompt) -> bool:
    return rights.within(prompts.project_of(db, prompt.id)) is not Role.STRANGER
