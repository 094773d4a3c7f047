"""Our Bot API server: faults on demand and by chance, flood control, and a network that goes away."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.telegram.client import Client, Clock, client
from tests.telegram.server import BotApi, Person, Rule

TOO_MANY = {
    "ok": False,
    "error_code": 429,
    "description": "Too Many Requests: retry after 5",
    "parameters": {"retry_after": 5},
}


async def says(bot: Client, text: str, method: str = "sendMessage", **more: Any) -> str:
    """`ok`, the refusal, or how the connection failed."""
    try:
        told = await bot.call(method, chat_id=1001, text=text, **more)
    except (httpx.HTTPError, ValueError) as error:
        return type(error).__name__
    return "ok" if told["ok"] else str(told["description"])


# --- rules -------------------------------------------------------------------------------------------------


async def test_the_rules_of_a_case(api: BotApi, bot: Client, ann: Person) -> None:
    api.faults.load(
        [
            {"method": "sendMessage", "nth": 2, "status": 400, "body": TOO_MANY | {"error_code": 400}},
            {"method": "sendMessage", "nth": 4, "drop_connection": True},
            {"method": "sendMessage", "nth": 5, "drop_connection": True, "store_anyway": True},
        ]
    )
    told = [await says(bot, text) for text in "abcdef"]
    assert told[:4] == ["ok", "Too Many Requests: retry after 5", "ok", told[3]]
    assert told[3] == told[4] != "ok"
    assert told[5] == "ok"
    assert ann.chat.reads() == ["a", "c", "e", "f"]
    assert [call.done for call in api.called()] == [True, False, True, False, True, True]
    assert [call.status for call in api.called()] == [200, 400, 200, 0, 0, 200]


@pytest.mark.parametrize(
    ("rule", "hit"),
    [
        (Rule("sendMessage", nth=2), "b"),
        (Rule("sendMessage", nth=2, times=2), "bc"),
        (Rule("sendMessage", times=3), "abc"),
        (Rule("sendMessage", every=2), "bd"),
        (Rule("sendMessage", every=2, times=1), "b"),
        (Rule("sendMessage"), "abcd"),
        (Rule(any_method=True, for_seconds=2), "ab"),
        (Rule("sendmessage", after_ms=1500), "cd"),
        (Rule("sendMessage", when_text_contains="c"), "c"),
        (Rule("sendMessage", when_param={"message_thread_id": 285}), ""),
        (Rule("sendMessage", when_param={"chat_id": 1001}, nth=4), "d"),
        (Rule("sendMessage", when_param_present="reply_parameters"), "d"),
        (Rule("editMessageText"), ""),
    ],
)
async def test_which_calls_a_rule_hits(
    api: BotApi, bot: Client, ann: Person, clock: Clock, rule: Rule, hit: str
) -> None:
    api.faults.add(rule)
    told = ""
    for text in "abcd":
        more: dict[str, Any] = {"reply_parameters": {"message_id": 1}} if text == "d" else {}
        told += text if await says(bot, text, **more) != "ok" else ""
        clock.now += 1
    assert told == hit


async def test_a_gateway_answers_in_html(api: BotApi, bot: Client, ann: Person) -> None:
    rule = api.faults.add(Rule("sendMessage", html=True))
    response = await bot.http.post(f"{bot.root}sendMessage", json={"chat_id": 1001, "text": "a"})
    assert (response.status_code, response.headers["content-type"]) == (502, "text/html")
    api.faults.remove(rule)
    assert await says(bot, "b") == "ok"
    assert ann.chat.reads() == ["b"]


async def test_an_answer_that_is_late_and_one_that_never_comes(api: BotApi, ann: Person) -> None:
    api.faults.add(Rule("sendMessage", nth=1, delay=0.3))
    api.faults.add(Rule("sendMessage", nth=2, hang=0.3))
    api.faults.add(Rule("sendMessage", nth=3, hang=0.3, store_anyway=True))
    async with client(api, timeout=0.1) as hasty:
        assert [await says(hasty, text) for text in "abc"] == ["ReadTimeout"] * 3
    async with client(api) as patient:
        assert await says(patient, "d") == "ok"
    assert ann.chat.reads() == ["a", "c", "d"]


async def test_chance_is_the_same_for_the_same_seed(api: BotApi, ann: Person) -> None:
    async def run(seed: int) -> list[str]:
        api.faults.by_chance(seed, share=0.3, longest_hang=0.01)
        async with client(api) as bot:
            return [await says(bot, "a", "getChat") for _ in range(60)]

    first, again, other = await run(7), await run(7), await run(8)
    assert first == again != other
    assert len(set(first)) >= 4
    assert 0 < sum(call.done and call.status != 200 for call in api.calls) < 60
    api.faults.clear()
    async with client(api) as bot:
        assert await bot.ok("getMe")


# --- flood -------------------------------------------------------------------------------------------------


async def test_a_burst_passes_then_a_message_a_second(
    api: BotApi, bot: Client, ann: Person, clock: Clock
) -> None:
    api.bot.flood.enforced = True
    assert [await says(bot, text) for text in "abcdef"] == ["ok"] * 5 + ["Too Many Requests: retry after 3"]
    clock.now += 3.1
    for _ in range(20):
        clock.now += 1
        assert await says(bot, "g") == "ok"
    assert api.violations == []


async def test_edits_count_and_reads_do_not(api: BotApi, bot: Client, ann: Person) -> None:
    api.bot.flood.enforced = True
    sent = await bot.ok("sendMessage", chat_id=1001, text="0")
    edits = [
        await bot.call("editMessageText", chat_id=1001, message_id=sent["message_id"], text=str(n))
        for n in range(1, 6)
    ]
    assert [told["ok"] for told in edits] == [True] * 4 + [False]
    assert edits[-1]["parameters"] == {"retry_after": 3}
    assert await bot.ok("getChat", chat_id=1001)


async def test_who_goes_on_calling_waits_longer_and_longer(
    api: BotApi, bot: Client, ann: Person, clock: Clock
) -> None:
    api.bot.flood.shut(1001, 5)
    assert await says(bot, "on its way already") == "Too Many Requests: retry after 5"
    assert api.violations == []
    waits = []
    for _ in range(3):
        clock.now += 1
        told = await bot.call("sendChatAction", chat_id=1001, action="typing")
        waits.append(told["parameters"]["retry_after"])
    assert waits == [10, 20, 40]
    assert api.violations == ["sendchataction into the shut chat 1001"] * 3
    clock.now += 41
    assert await says(bot, "patient now") == "ok"


async def test_a_group_takes_twenty_a_minute(api: BotApi, bot: Client, ann: Person, clock: Clock) -> None:
    api.bot.flood.enforced = True
    group = api.group("team", ann)

    async def send() -> dict[str, Any]:
        clock.now += 1.5
        return await bot.call("sendMessage", chat_id=group.id, text="a")

    told = [await send() for _ in range(21)]
    assert [one["ok"] for one in told] == [True] * 20 + [False]
    assert told[-1]["parameters"]["retry_after"] == 30


async def test_all_chats_together_take_thirty_a_second(api: BotApi, bot: Client) -> None:
    api.bot.flood.enforced = True
    people = [api.person(f"p{n}", 3000 + n) for n in range(31)]
    for person in people:
        person.writes("/start")
    told = [await bot.call("sendMessage", chat_id=person.user.id, text="a") for person in people]
    assert [one["ok"] for one in told] == [True] * 30 + [False]


async def test_a_429_on_demand_shuts_the_chat(api: BotApi, bot: Client, ann: Person, clock: Clock) -> None:
    api.faults.add(Rule("sendMessage", nth=1, status=429, body=TOO_MANY))
    await says(bot, "a")
    clock.now += 2
    assert await says(bot, "b") == "Too Many Requests: retry after 10"
    assert await bot.ok("getMe")
    assert len(api.violations) == 1


# --- the network -------------------------------------------------------------------------------------------


async def test_a_closed_port_refuses_and_opens_again(api: BotApi, bot: Client, ann: Person) -> None:
    poll = asyncio.create_task(bot.call("getUpdates", timeout=20, offset=5000))
    while not api.calls:
        await asyncio.sleep(0)
    await api.close_port()
    with pytest.raises(httpx.TransportError):
        await poll
    assert await says(bot, "a") == "ConnectError"
    await api.open_port()
    assert await says(bot, "b") == "ok"
    assert ann.chat.reads() == ["b"]


async def test_in_the_dark_everything_is_lost_without_a_sign(api: BotApi, ann: Person) -> None:
    async with client(api, timeout=0.1) as hasty:
        poll = asyncio.create_task(hasty.call("getUpdates", timeout=20, offset=5000))
        while not api.calls:
            await asyncio.sleep(0)
        api.go_dark()
        assert await says(hasty, "a") == "ReadTimeout"
        with pytest.raises(httpx.ReadTimeout):
            await poll
    api.come_back()
    async with client(api) as bot:
        assert await says(bot, "b") == "ok"
    assert ann.chat.reads() == ["b"]
