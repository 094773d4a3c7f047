"""In a group with one person everything is said to us, until a second one comes."""

from __future__ import annotations

import asyncio

from bot.chat import Message, NotSent, Readers
from bot.telegram.company import AGAIN_SECONDS, KEPT_SECONDS, Company
from tests.bot.telegram.rig import HastyClock, Rig


async def test_a_group_of_one_is_as_a_private_chat_until_somebody_comes(rig: Rig) -> None:
    rig.api.bot.reads_all = True
    group, bob = rig.api.group("shop", rig.ann), rig.api.person("Bob", 2002)
    incoming = rig.adapter.incoming()

    async def heard() -> list[bool]:
        rig.ann.writes("hello", group)
        found: list[bool] = []
        while not found:
            told = await asyncio.wait_for(anext(incoming), timeout=10)
            found += [told.alone] if isinstance(told, Message) else []
        return found

    assert await heard() + await heard() == [True, True]
    assert len(rig.api.called("getChatMemberCount")) == 1
    bob.joins(group)
    assert await heard() == [False]
    bob.leaves(group)
    assert await heard() == [True]


async def test_where_nobody_says_how_many_there_are_it_is_asked_again_after_a_while() -> None:
    clock, asked = HastyClock(), []

    async def count(chat: str) -> int:
        asked.append(chat)
        if len(asked) == 1:
            raise NotSent
        return 2

    company = Company(count, clock)
    assert [await company.one("-5") for _ in range(2)] == [False, False]
    clock.at += AGAIN_SECONDS
    assert [await company.one("-5") for _ in range(2)] == [True, True]
    clock.at += KEPT_SECONDS
    assert await company.one("-5")
    assert len(asked) == 3


async def test_who_of_those_that_we_know_is_in_a_group_is_asked_of_each(rig: Rig) -> None:
    """Of somebody whom the bot never met nothing is told: they may be there."""
    bob, sam, _ = (rig.api.person(name, number) for name, number in (("B", 2002), ("S", 3003), ("E", 4004)))
    group = rig.api.group("shop", rig.ann, bob, sam)
    known, nobody = str(rig.ann.user.id), "77"
    told = await rig.adapter.readers(rig.address(group), {known, "2002", "4004", nobody})
    assert told == Readers(3, frozenset({known, "2002"}), frozenset({nobody}))
    bob.leaves(group)
    told = await rig.adapter.readers(rig.address(group), {"2002"})
    assert told == Readers(2, frozenset())
