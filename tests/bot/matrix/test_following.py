"""A room that its people upgraded: we go where it goes on, and say what is needed where we can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.chat import Moved, Stranded
from bot.matrix.following import PATIENCE_SECONDS
from tests.bot.matrix.rig import Rig, matrix
from tests.matrix.person import People

pytestmark = pytest.mark.synapse


async def moves(rig: Rig, new: str) -> None:
    """Until we have heard that the room goes on there."""
    async with rig.listening(Moved) as said:
        await rig.ann.until(lambda: Moved(rig.chat, new) in said)
    assert rig.ann.members(new)[rig.member.id] == "join"


@pytest.mark.parametrize("version", ["11", "12"])
async def test_where_members_of_another_room_may_come_in_we_do(
    everybody: People, tmp_path: Path, version: str
) -> None:
    async with matrix(everybody, tmp_path) as rig:
        other = rig.chat
        await rig.joins(encrypted=True)
        rig.ann.lets_in(rig.chat, "restricted", members_of=other)
        await moves(rig, rig.ann.upgrades(rig.chat, version))


async def test_where_anybody_may_come_in_we_do(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.opens_to_all(rig.chat)
        await moves(rig, rig.ann.upgrades(rig.chat, "11"))


async def test_where_people_are_let_in_we_knock_once(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.lets_in(rig.chat, "knock")
        new = rig.ann.upgrades(rig.chat, "11")
        async with rig.listening():
            await rig.ann.until(lambda: rig.ann.members(new).get(rig.member.id) == "knock")
        rig.ann.invites(new, rig.member.id)
        await moves(rig, new)


async def test_where_only_who_is_invited_comes_in_that_is_told_once(
    everybody: People, tmp_path: Path
) -> None:
    """After a while, for who upgrades a room asks its people in; we come whenever that is."""
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.names(rig.chat, "The shop")
        new = rig.ann.upgrades(rig.chat, "11")
        rig.ann.says(rig.chat, "one")
        async with rig.listening(Stranded) as said:
            await rig.ann.until(lambda: len(said) >= 1)
            rig.clock.at += PATIENCE_SECONDS
            await rig.ann.until(lambda: len(said) >= 2)
            rig.ann.says(rig.chat, "two")
            await rig.ann.until(lambda: len(said) >= 3)
        told = [one for one in said if isinstance(one, Stranded)]
        assert [(one.room, one.title) for one in told] == [(rig.room, "The shop")]
        rig.ann.invites(new, rig.member.id)
        await moves(rig, new)


async def test_nobody_who_may_not_invite_us_leads_us_away(everybody: People, tmp_path: Path) -> None:
    async with matrix(everybody, tmp_path) as rig:
        rig.ann.opens_to_all(rig.chat)
        rig.allowed.clear()
        new = rig.ann.upgrades(rig.chat, "11")
        rig.ann.says(rig.chat, "one")
        await rig.hears("one")
        assert rig.member.id not in rig.ann.members(new)
