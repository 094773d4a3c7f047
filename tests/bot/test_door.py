"""Before the door: codes let in whoever says them, strangers spoil them for nobody, and wear nobody out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.chat import Person, RoomAddress
from bot.door import TOLD_MOST, TRIES_EACH
from core.store import people
from core.store.database import Db
from tests.support.at_work import AtWork, at_work
from tests.support.fake_chat import ANN, BOB, ROOM, FakeChat
from tests.support.hand_clock import HandClock

BOBS = RoomAddress("fake", "roost", "1002")
OWNER = "You are the owner of Roost on pi5. What is this chat about?"
BAD = "That code is no longer good. On pi5, roost pair makes a new one."


@pytest.fixture
async def owned_by_nobody(tmp_path: Path, chat: FakeChat, clock: HandClock) -> AsyncIterator[AtWork]:
    async with at_work(tmp_path, chat, clock, owners=()) as work:
        yield work


async def offer(work: AtWork, code: str = "k7") -> None:
    soon = work.clock.now() + 600
    await work.store.write(people.offer, code, "owner", salt="x", expires_at=soon)


async def says(work: AtWork, words: str, person: Person = ANN) -> list[str]:
    """What somebody reads in return, in their own chat."""
    room = RoomAddress(ROOM.platform, ROOM.account, person.id)
    before = len(work.chat.reads(room))
    work.chat.writes(words, room=room, person=person)
    await work.passes()
    return work.chat.reads(room)[before:]


async def test_a_code_that_lets_nobody_in_is_not_used_up(owned_by_nobody: AtWork) -> None:
    work = owned_by_nobody
    await offer(work)
    await work.store.write(_refusing_people)
    assert OWNER not in await says(work, "/start k7")
    await work.store.write(lambda db: db.execute("DROP TRIGGER refusing"))
    await work.passes(10)
    assert work.chat.reads()[-1:] == [OWNER]
    assert not await work.store.read(people.offered, now=work.clock.now())


def _refusing_people(db: Db) -> None:
    db.execute("CREATE TRIGGER refusing BEFORE INSERT ON people BEGIN SELECT RAISE(ABORT, 'killed'); END")


async def test_a_stranger_uses_up_no_tries_but_their_own(owned_by_nobody: AtWork) -> None:
    work = owned_by_nobody
    await offer(work)
    said = [await says(work, f"/start guess{number}", BOB) for number in range(TRIES_EACH + 3)]
    assert said[:TRIES_EACH] == [[BAD]] * TRIES_EACH
    assert all(BAD not in each for each in said[TRIES_EACH:])
    assert OWNER not in await says(work, "/start k7", BOB)
    assert await says(work, "/start wrong") == [BAD]
    assert await says(work, "/start K7") == [OWNER]


async def test_with_a_new_code_everybody_may_try_again(owned_by_nobody: AtWork) -> None:
    work = owned_by_nobody
    await offer(work)
    for number in range(TRIES_EACH + 1):
        await says(work, f"/start guess{number}")
    await offer(work, "z9")
    assert await says(work, "/start z9") == [OWNER]


async def test_who_was_let_in_has_no_more_tries_either(work: AtWork) -> None:
    await says(work, "/allow 1002 viewer")
    await offer(work)
    for number in range(TRIES_EACH):
        assert await says(work, f"/start guess{number}", BOB) == [BAD]
    assert await says(work, "/start k7", BOB) == [BAD]
    assert await says(work, "/allow") == ["1001 · owner\n1002 · viewer"]


NO_OWNER = "Roost runs on pi5 and has no owner yet. There: roost pair."
HOUR = 3_600.0


async def test_that_nobody_owns_it_is_told_to_each_once_an_hour(owned_by_nobody: AtWork) -> None:
    work = owned_by_nobody
    assert [await says(work, "Hello") for _ in range(3)] == [[NO_OWNER], [], []]
    assert await says(work, "Hello", BOB) == [NO_OWNER]
    work.clock.move(HOUR)
    assert await says(work, "Hello") == [NO_OWNER]


async def test_and_to_so_many_an_hour_at_most(owned_by_nobody: AtWork) -> None:
    crowd = [Person(str(number), "Eve") for number in range(3000, 3000 + TOLD_MOST + 5)]
    said = [await says(owned_by_nobody, "Hello", person) for person in crowd]
    assert said == [[NO_OWNER]] * TOLD_MOST + [[]] * 5
    owned_by_nobody.clock.move(HOUR)
    assert await says(owned_by_nobody, "Hello", crowd[-1]) == [NO_OWNER]
