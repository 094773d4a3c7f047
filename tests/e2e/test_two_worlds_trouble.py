"""What happens to a project in two worlds: groups move, agents ask, Roost dies, and we are thrown out."""

from __future__ import annotations

import json
import sys

import pytest

from tests.matrix.gateway import gateway
from tests.matrix.person import People
from tests.support.both import FROM_MATRIX, FROM_TELEGRAM, both
from tests.support.roost import Roost
from tests.telegram.server import Rule

pytestmark = pytest.mark.synapse

COMMAND = json.dumps([sys.executable, "-m", "tests.support.acp_agent"])
GOOSE = f'[engines.goose]\nkind = "acp"\ncommand = {COMMAND}\n'
ASKING = json.dumps([{"ask": {"title": "rm basket.db", "kind": "execute"}}, {"where": "done"}])


async def test_a_group_that_becomes_a_supergroup_is_seen_on_as_before(shop: Roost, everybody: People) -> None:
    go = shop.holds()
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        held.served.ann.says(held.room, "Go")
        await held.phone.until("⏳", held.group)
        old, held.group = held.group, held.phone.ann.migrates(held.group)
        before = old.reads()
        go.touch()
        await held.reads("Hi.")
        await held.phone.until("Hi.", held.group)
        held.phone.ann.writes("And here?", held.group)
        asked = await held.reads("And here?")
        assert asked.body.splitlines()[0].endswith(FROM_TELEGRAM)
        await held.until(lambda: held.count("Hi.") == (2, 2))
        held.served.ann.says(held.room, "And there?")
        await held.phone.until("And there?", held.group)
        await held.until(lambda: held.count("Hi.") == (3, 3))
        assert old.reads() == before


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "encrypted"])
async def test_what_an_agent_asks_in_one_is_answered_in_the_other(
    roost: Roost, everybody: People, *, encrypted: bool
) -> None:
    roost.configure(GOOSE)
    roost.with_shop(engine="goose")
    async with both(roost, everybody, more=GOOSE) as held:
        await held.begin(encrypted=encrypted)
        if encrypted:
            await held.says("/settings mirror on", "This room shares shop")
            held.served.ann.says(held.room, "!settings mirror on")
            await held.agreed("not encrypted from end to end")
        else:
            await held.share()
        await held.says("/approvals ask", "does not cover: ask")
        held.phone.ann.writes(ASKING, held.group)
        question = await held.reads("goose wants to run")
        held.served.ann.replies(held.room, question.id, "Once")
        await held.reads("got once")
        await held.until(lambda: held.count("got once") == (1, 1))
        await held.until(lambda: held.count("Allowed by") == (1, 1))
        assert held.phone.one("Allowed by", held.group).buttons == []
        held.served.ann.says(held.room, ASKING)
        await held.phone.until("goose wants to run", held.group)
        held.phone.ann.presses("No", held.phone.one("goose wants to run", held.group))
        await held.until(lambda: held.count("Refused by") == (1, 1))
        held.served.ann.replies(held.room, (await held.reads("Refused by")).id, "Once")
        await held.until(lambda: held.count("got") == (2, 2))
        assert held.count("got once") == (1, 1)


@pytest.mark.parametrize("late", ["telegram", "matrix"])
async def test_killed_between_the_two_each_gets_the_answer_once(
    shop: Roost, everybody: People, late: str
) -> None:
    """One of them has it, and the other takes nothing yet."""
    async with gateway(everybody.server.url) as before, both(shop, everybody, url=before.url) as held:
        await held.begin()
        await held.share()
        held.phone.ann.writes("First", held.group)
        await held.until(lambda: held.count("Hi.") == (1, 1))
        away = (
            held.phone.api.faults.add(Rule("sendMessage", drop_connection=True))
            if late == "telegram"
            else None
        )
        before.failing = None if away else "/send/m.room.message"
        if away:
            held.served.ann.says(held.room, "Go")
            await held.until(lambda: held.count("Hi.") == (1, 2))
        else:
            held.phone.ann.writes("Go", held.group)
            await held.phone.api.until(lambda: sum("Hi." in read for read in held.group.reads()) == 2)
        await held.served.settles(0.5)  # until it is stored that the one has it
        await held.phone.end()
        if away:
            held.phone.api.faults.remove(away)
        before.failing = None
        await held.phone.start()
        await held.until(lambda: held.count("Hi.") == (2, 2))
        held.phone.ann.writes("Again", held.group)
        await held.until(lambda: held.count("Hi.") == (3, 3))
        assert (held.count(FROM_MATRIX)[0], held.count(FROM_TELEGRAM)[1]) == ((1, 2) if away else (0, 3))
    assert len(shop.play.starts) == 3


@pytest.mark.parametrize("nth", range(2, 5))
async def test_killed_at_any_delivery_none_gets_the_answer_twice_without_a_word(
    shop: Roost, everybody: People, nth: int
) -> None:
    """Telegram can't be asked what of it is there: what was on its way is said again, with its mark."""
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        await held.phone.end()
        await held.phone.start(ROOST_CRASH_AT=f"delivering:{nth}")
        held.served.ann.says(held.room, "Go")
        await held.phone.ended(20)
        await held.phone.start()
        await held.until(lambda: all(held.count("Hi.")))
        first = held.whole("Hi.")[0]
        assert first <= 1
        held.phone.ann.writes("Again", held.group)
        await held.until(lambda: held.whole("Hi.") == (first + 1, 2))
        assert held.count("Hi.")[1] == 2
    assert len(shop.play.starts) == 2


async def test_thrown_out_of_the_group_in_mid_turn_the_room_goes_on_alone(
    shop: Roost, everybody: People
) -> None:
    go = shop.holds()
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        held.phone.ann.writes("Go", held.group)
        await held.until(lambda: held.count("⏳") == (1, 1))
        held.phone.ann.sets_bot("kicked", held.group)
        await held.reads("What is said here is no longer shown in Telegram")
        go.touch()
        held.served.ann.says(held.room, "And you?")
        await held.until(lambda: held.count("Hi.")[1] >= 1)
        before = held.group.reads()
        held.phone.ann.sets_bot("member", held.group)
        await held.phone.until("only its own again", held.group)
        held.served.ann.says(held.room, "secret")
        await held.until(lambda: held.count("Hi.")[1] >= 2)
        new = [read for read in held.group.reads() if read not in before]
        assert not [read for read in new if "secret" in read or "And you?" in read]


async def test_thrown_out_of_the_room_in_mid_turn_the_group_goes_on_alone(
    shop: Roost, everybody: People
) -> None:
    go = shop.holds()
    async with both(shop, everybody) as held:
        await held.begin()
        await held.share()
        held.served.ann.says(held.room, "Go")
        await held.until(lambda: held.count("⏳") == (1, 1))
        held.served.ann.removes(held.room, held.served.bot.id)
        await held.phone.until("no longer shown in Matrix", held.group)
        go.touch()
        held.phone.ann.writes("And you?", held.group)
        await held.phone.until("Hi.", held.group)
