"""Nothing is lost and nothing is confirmed too early, whatever the network does."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.chat import Message
from bot.telegram.connection import MOST_BYTES
from bot.telegram.insisting import CALM_SECONDS, REVOKED_PAUSE, Trouble
from tests.bot.telegram.rig import Rig, hears, telegram
from tests.support.fake_chat import take
from tests.telegram.server import TOKEN, BotApi, Rule

NO_ANSWERS: tuple[object, ...] = ([], [1], "ok", 7, None, {"ok": True}, {"ok": True, "result": None})
NO_UPDATES: tuple[object, ...] = ([1], ["x"], [{}], [{"update_id": "x"}], [{"update_id": True}], [[]], "new")
CONFLICT = {"ok": False, "error_code": 409, "description": "Conflict: terminated by other getUpdates request"}


async def says(rig: Rig, text: str) -> None:
    """One message comes through, after whatever is wrong by now."""
    rig.ann.writes(text)
    await hears(rig, text)


async def test_a_batch_is_confirmed_when_the_next_one_is_asked_for(rig: Rig) -> None:
    for text in ("one", "two"):
        await rig.writes(text)
    incoming = rig.adapter.incoming()
    first, second = await take(incoming), await take(incoming)
    assert [first.text, second.text] == ["one", "two"]
    assert rig.api.bot.updates.confirmed == 0
    waiting = asyncio.ensure_future(anext(aiter(incoming)))
    await rig.api.until(lambda: rig.api.bot.updates.confirmed == int(second.source.update))
    waiting.cancel()


async def test_it_asks_for_the_kinds_that_it_knows(rig: Rig) -> None:
    await says(rig, "one")
    assert rig.api.bot.updates.allowed == (
        "message",
        "edited_message",
        "callback_query",
        "my_chat_member",
        "chat_member",
        "message_reaction",
        "stopped_message_generation",
    )


async def test_a_new_bot_begins_with_its_own_numbers(rig: Rig, tmp_path: Path) -> None:
    """Case 16: nothing is kept from one token to the next, and no number is compared with another."""
    rig.api.bot.updates.last_id = 926831434
    await says(rig, "to the old one")
    other = rig.api.add_bot("7000002:AAF-the-token-of-another-bot-in-here")
    other.updates.last_id = 4999
    async with telegram(rig.api, tmp_path, token=other.token) as new:
        other.updates.add("message", new.ann.writes("to the new one").json())
        incoming = await take(new.adapter.incoming())
    assert (incoming.source.account, incoming.source.update) == ("7000002", "5000")


async def test_an_update_that_nobody_can_read_hides_no_other(rig: Rig) -> None:
    rig.api.bot.updates.deliver({"update_id": 2000, "message": {"text": "without a date"}})
    rig.api.bot.updates.deliver({"update_id": 2001, "something_new": {"id": 1}})
    at_no_time = {"message_id": 1, "date": 10**18, "text": "much later", "chat": {"id": 1, "type": "private"}}
    rig.api.bot.updates.deliver({"update_id": 2002, "message": at_no_time})
    await says(rig, "one")


async def test_health_is_the_time_of_the_last_poll(rig: Rig) -> None:
    assert rig.adapter.polled_at is None
    rig.clock.at = 5_000.0
    await says(rig, "one")
    assert rig.adapter.polled_at == 5_000.0
    rig.clock.at = 9_000.0
    assert rig.adapter.polled_at == 5_000.0


@pytest.mark.parametrize(
    "rule",
    [
        Rule("getUpdates", times=5, drop_connection=True),
        Rule("getUpdates", times=5, html=True),
        Rule("getUpdates", times=3, hang=60.0),
        Rule("getUpdates", times=5, status=200, body={"captive": "portal"}),
        Rule("getMe", times=5, html=True),
        *(
            Rule(method, times=5, status=200, body=body)
            for method in ("getUpdates", "getMe")
            for body in (*NO_ANSWERS, {"ok": True, "result": {}})
        ),
        *(
            Rule("getUpdates", times=5, status=200, body={"ok": True, "result": result})
            for result in NO_UPDATES
        ),
    ],
)
async def test_trouble_is_told_once_and_so_is_its_end(rig: Rig, rule: Rule) -> None:
    rig.api.faults.add(rule)
    await says(rig, "one")
    assert rig.heard == [Trouble.UNREACHABLE, Trouble.BACK]
    assert rig.adapter.trouble is None
    assert rig.clock.rests == [1.0, 2.0, 4.0, 8.0, 16.0][: rule.times]


async def test_an_answer_of_any_size_costs_no_more_than_there_is_room_for(rig: Rig) -> None:
    huge = {"ok": True, "result": [], "more": "x" * MOST_BYTES}
    rig.api.faults.add(Rule("getUpdates", times=3, status=200, body=huge))
    await says(rig, "one")
    assert rig.heard == [Trouble.UNREACHABLE, Trouble.BACK]


async def test_trouble_that_passes_is_told_to_nobody(rig: Rig) -> None:
    rig.api.faults.add(Rule("getUpdates", times=2, drop_connection=True))
    await says(rig, "one")
    assert rig.heard == []


async def test_a_flood_of_polls_is_waited_out(rig: Rig) -> None:
    flood = {"ok": False, "error_code": 429, "description": "…", "parameters": {"retry_after": 33}}
    rig.api.faults.add(Rule("getUpdates", times=1, status=429, body=flood))
    await says(rig, "one")
    assert rig.clock.rests == [33.0]


async def test_two_pollers_are_told_of_once_while_they_take_turns(rig: Rig) -> None:
    rig.api.faults.add(Rule("getUpdates", every=2, times=3, status=409, body=CONFLICT))
    incoming = rig.adapter.incoming()
    for text in ("one", "two", "three", "four"):
        rig.ann.writes(text)
        assert (await take(incoming)).text == text
    assert rig.heard == [Trouble.CONFLICT]
    assert all(rest > rig.patience.poll for rest in rig.clock.rests)
    rig.clock.at += CALM_SECONDS
    rig.ann.writes("five")
    assert (await take(incoming)).text == "five"
    assert rig.heard == [Trouble.CONFLICT, Trouble.BACK]


async def test_a_revoked_token_is_told_of_once_and_tried_seldom(rig: Rig) -> None:
    account = rig.api.accounts[TOKEN]
    rig.api.revoke()

    async def restore() -> None:
        rig.api.accounts[TOKEN] = account

    rig.clock.due[rig.clock.at + 3 * REVOKED_PAUSE] = restore
    await says(rig, "one")
    assert rig.heard == [Trouble.REVOKED, Trouble.BACK]
    assert rig.clock.rests == [REVOKED_PAUSE] * 3


async def test_what_is_said_while_we_listen_is_as_old_as_by_our_own_clock(rig: Rig) -> None:
    """A machine whose clock is a quarter of an hour ahead of Telegram's."""
    incoming = rig.adapter.incoming()
    rig.api.bot.clock = lambda: rig.clock.at - 900
    rig.ann.writes("before the start")
    pending = await take(incoming)
    live = []
    for text in ("one", "two"):
        waiting = asyncio.ensure_future(take(incoming))
        await asyncio.sleep(0)
        rig.ann.writes(text)
        live.append(await waiting)
        rig.clock.at += 20
    rig.api.faults.add(Rule("getUpdates", times=1, drop_connection=True))
    rig.clock.at += 3_600
    rig.ann.writes("three")
    rig.clock.at += 3_600
    late = await take(incoming)
    ages = [rig.clock.at - one.at for one in (pending, *live, late) if isinstance(one, Message)]
    assert [round(age) for age in ages] == [8_141, 7_241, 7_241, 4_501]


async def test_pauses_are_jittered(api: BotApi, tmp_path: Path) -> None:
    api.faults.add(Rule("getUpdates", times=7, html=True))
    async with telegram(api, tmp_path, chance=lambda: 0.0) as rig:
        await says(rig, "one")
    assert rig.clock.rests == [0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
