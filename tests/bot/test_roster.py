"""Owners stand in the settings or were let in; everybody else is what the store says, or a stranger."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.access import Role
from bot.chat import Person
from bot.roster import Roster
from core.errors import Refused
from core.model.people import Known
from core.store import people
from core.store.database import Database
from tests.support.fake_chat import ANN, BOB
from tests.support.store import NOW, lay


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Database]:
    lay(tmp_path)
    store = await Database.open(tmp_path)
    yield store
    await store.close()


async def made(store: Database, roster: Roster, person: str, role: Role, name: str = "") -> None:
    await store.write(roster.let_in, person, role, name=name, now=NOW)
    await roster.refresh()


async def test_owners_of_the_settings_are_owners_whatever_the_store_says(store: Database) -> None:
    await store.write(people.let_in, "fake", ANN.id, "viewer")
    roster = Roster(store, "fake", owners=[ANN.id])
    await roster.refresh()
    assert roster.rights(ANN).everywhere is Role.OWNER
    assert roster.everybody == [Known(ANN.id, "", Role.OWNER)]


async def test_who_was_let_in_is_known_after_a_refresh_and_on_that_platform_alone(store: Database) -> None:
    roster, elsewhere = Roster(store, "fake", owners=[]), Roster(store, "other", owners=[])
    await store.write(people.let_in, "fake", BOB.id, "member")
    assert roster.rights(BOB).everywhere is Role.STRANGER
    for one in (roster, elsewhere):
        await one.refresh()
    assert (roster.rights(BOB).everywhere, elsewhere.rights(BOB).everywhere) == (Role.MEMBER, Role.STRANGER)


async def test_a_name_makes_nobody_anything(store: Database) -> None:
    roster = Roster(store, "fake", owners=[ANN.id])
    await roster.refresh()
    assert roster.rights(Person("9", ANN.id)).everywhere is Role.STRANGER


async def test_each_owner_is_named_once(store: Database) -> None:
    roster = Roster(store, "fake", owners=[ANN.id])
    for person in (ANN, BOB):
        await store.write(people.let_in, "fake", person.id, "owner")
    await roster.refresh()
    assert sorted(roster.owners) == [ANN.id, BOB.id]


async def test_the_last_owner_and_those_of_the_settings_stay(store: Database) -> None:
    roster = Roster(store, "fake", owners=[])
    await made(store, roster, ANN.id, Role.OWNER, name="Ann")
    for role in (Role.MEMBER, Role.STRANGER):
        with pytest.raises(Refused, match="last_owner"):
            await made(store, roster, ANN.id, role)
    await made(store, roster, BOB.id, Role.OWNER)
    await made(store, roster, ANN.id, Role.MEMBER)
    assert roster.everybody == [Known(ANN.id, "Ann", "member"), Known(BOB.id, "", "owner")]
    with pytest.raises(Refused, match="by_settings"):
        await made(store, Roster(store, "fake", owners=[ANN.id]), ANN.id, Role.STRANGER)
