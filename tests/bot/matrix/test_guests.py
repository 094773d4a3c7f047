"""Somebody whom nobody let in may say a code in a room of just the two of us, and is left alone otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.access import Role
from bot.handlers.inviting import invite
from bot.matrix.guests import MOST_ROOMS, STAY_SECONDS
from tests.bot.matrix.rig import Rig, matrix
from tests.matrix.person import People, Person

pytestmark = pytest.mark.synapse


async def offers(rig: Rig) -> str:
    return await rig.store.write(invite, Role.MEMBER, None, now=rig.clock.now())


async def stands(rig: Rig, person: Person, room: str, how: str) -> None:
    async with rig.listening():
        await person.until(lambda: person.members(room)[rig.member.id] == how)


async def test_while_a_code_is_out_a_stranger_may_write(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        bob = everybody.person("bob")
        await stands(rig, bob, bob.writes_to(rig.member.id), "leave")
        await offers(rig)
        await stands(rig, bob, bob.room(rig.member.id), "leave")
        room = bob.writes_to(rig.member.id)
        await stands(rig, bob, room, "join")
        bob.says(room, "!start abc")
        (said,) = await rig.hears("!start abc")
        assert (said.person.id, rig.adapter.private_to(said.room)) == (bob.id, bob.id)
        rig.allowed.add(bob.id)
        rig.clock.at += STAY_SECONDS
        bob.says(room, "one")
        await rig.hears("one")
        await stands(rig, bob, room, "join")


async def test_nobody_who_is_not_let_in_keeps_us(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        await offers(rig)
        bob, eve = everybody.person("bob"), everybody.person("eve")
        await stands(rig, bob, bob.writes_to(rig.member.id, eve.id), "leave")
        room = bob.writes_to(rig.member.id)
        await stands(rig, bob, room, "join")
        rig.clock.at += STAY_SECONDS
        await stands(rig, bob, room, "leave")


async def test_a_restart_forgets_none_and_there_are_few(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        await offers(rig)
        bob = everybody.person("bob")
        rooms = [bob.writes_to(rig.member.id) for _ in range(MOST_ROOMS)]
        for room in rooms:
            await stands(rig, bob, room, "join")
        await stands(rig, bob, bob.writes_to(rig.member.id), "leave")
        await rig.closes()
        await rig.opens()
        rig.clock.at += STAY_SECONDS
        for room in rooms:
            await stands(rig, bob, room, "leave")
        assert rig.ann.members(rig.chat)[rig.member.id] == "join"
