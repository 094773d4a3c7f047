"""Our Bot API server: tokens, methods, updates and who polls for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.telegram.client import Client, Clock, client
from tests.telegram.server import TOKEN, BotApi, Person


def texts(updates: list[dict[str, dict[str, str]]]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_updates_come_again_until_a_higher_offset_confirms_them(bot: Client, ann: Person) -> None:
    ann.writes("one")
    ann.writes("two")
    first = await bot.ok("getUpdates")
    assert texts(first) == texts(await bot.ok("getUpdates")) == ["/start", "one", "two"]
    assert texts(await bot.ok("getUpdates", offset=first[1]["update_id"], limit=1)) == ["one"]
    assert texts(await bot.ok("getUpdates")) == ["one", "two"]
    assert await bot.ok("getUpdates", offset=first[2]["update_id"] + 1) == []


async def test_an_offset_from_the_end(bot: Client, ann: Person) -> None:
    ann.writes("one")
    ann.writes("two")
    assert texts(await bot.ok("getUpdates", offset=-1)) == ["two"]
    assert texts(await bot.ok("getUpdates")) == ["two"]


async def test_a_poll_waits_for_what_a_person_writes(api: BotApi, bot: Client, ann: Person) -> None:
    done = (await bot.ok("getUpdates"))[-1]["update_id"] + 1
    poll = asyncio.create_task(bot.ok("getUpdates", offset=done, timeout=10))
    while api.calls[-1].ended is not None:
        await asyncio.sleep(0)
    ann.writes("hello")
    assert texts(await poll) == ["hello"]
    assert api.bot.updates.handed[done]


async def test_a_poll_without_news_ends_empty(bot: Client, ann: Person) -> None:
    done = (await bot.ok("getUpdates"))[-1]["update_id"] + 1
    assert await bot.ok("getUpdates", offset=done, timeout=0.05) == []


async def test_of_two_pollers_the_older_is_sent_away(api: BotApi, bot: Client) -> None:
    async with client(api) as other:
        older = asyncio.create_task(bot.call("getUpdates", timeout=20))
        while not api.calls:
            await asyncio.sleep(0)
        newer = asyncio.create_task(other.ok("getUpdates", timeout=20))
        refused = await older
        api.person().writes("/start")
        assert texts(await newer) == ["/start"]
    assert refused == {
        "ok": False,
        "error_code": 409,
        "description": "Conflict: terminated by other getUpdates request; "
        "make sure that only one bot instance is running",
    }


async def test_a_poller_that_went_away_bothers_nobody(api: BotApi, bot: Client) -> None:
    poll = asyncio.create_task(bot.ok("getUpdates", timeout=20))
    while not api.calls:
        await asyncio.sleep(0)
    poll.cancel()
    await asyncio.gather(poll, return_exceptions=True)
    while api.calls[0].ended is None:
        await asyncio.sleep(0)
    assert api.calls[0].status == 0
    api.person().writes("/start")
    assert texts(await bot.ok("getUpdates", timeout=5)) == ["/start"]


async def test_updates_are_kept_for_a_day(bot: Client, ann: Person, clock: Clock) -> None:
    clock.now += 24 * 3600
    ann.writes("today")
    assert texts(await bot.ok("getUpdates")) == ["today"]


async def test_reactions_come_only_to_who_asked_and_the_list_is_remembered(bot: Client, ann: Person) -> None:
    message = ann.writes("hello")
    ann.reacts(message, "🔥")
    assert len(await bot.ok("getUpdates")) == 2
    await bot.ok("getUpdates", allowed_updates=["message_reaction"])
    await bot.ok("getUpdates")
    ann.reacts(message, "👍")
    ann.writes("not asked for")
    news = (await bot.ok("getUpdates"))[2:]
    assert [update["message_reaction"]["new_reaction"] for update in news] == [
        [{"type": "emoji", "emoji": "👍"}]
    ]
    await bot.ok("getUpdates", allowed_updates=[])
    ann.writes("again")
    assert texts((await bot.ok("getUpdates"))[3:]) == ["again"]


async def test_with_a_webhook_nobody_polls(bot: Client, ann: Person) -> None:
    assert "HTTPS" in await bot.refused("setWebhook", url="http://example.org")
    await bot.ok("setWebhook", url="https://example.org/hook")
    assert (await bot.ok("getWebhookInfo"))["pending_update_count"] == 1
    assert (await bot.refused("getUpdates")).startswith("Conflict: can't use getUpdates method while webhook")
    await bot.ok("deleteWebhook", drop_pending_updates=True)
    assert await bot.ok("getUpdates") == []


async def test_tokens_and_methods(api: BotApi, bot: Client) -> None:
    assert (await bot.ok("getMe"))["username"] == "demo_agent_bot"
    assert await bot.refused("sendHologram", chat_id=1) == "Not Found"
    assert (await bot.ok("GETME"))["id"] == 7000001
    for token, answer in (("7000001:wrong", "Unauthorized"), ("paste", "Not Found")):
        async with client(api, token) as stranger:
            assert await stranger.refused("getMe") == answer
    api.revoke()
    assert await bot.refused("getMe") == "Unauthorized"


async def test_another_bot_has_a_world_of_its_own(api: BotApi, ann: Person) -> None:
    new = api.add_bot("7000002:new", "new_bot")
    new.updates.deliver({"update_id": 5000, "message": {}})
    async with client(api, "7000002:new") as bot:
        assert [update["update_id"] for update in await bot.ok("getUpdates")] == [5000]
        assert await bot.ok("getUpdates", offset=926_831_435) == []
        assert await bot.refused("sendMessage", chat_id=1001, text="hi") == "Bad Request: chat not found"


async def test_a_raw_update_of_a_case_makes_its_chat_known(api: BotApi, bot: Client) -> None:
    group = {"id": -500001, "type": "group", "title": "g"}
    replied = {
        "message_id": 3,
        "date": 1,
        "chat": group,
        "from": {"id": 7000001, "first_name": "demo"},
        "text": "a",
    }
    sender = {"id": 2002, "is_bot": False, "first_name": "Eve"}
    message = {
        "message_id": 9,
        "date": 1,
        "chat": group,
        "from": sender,
        "text": "run",
        "reply_to_message": replied,
    }
    api.deliver({"update_id": 7, "message": message})
    assert await bot.ok("getUpdates") == [{"update_id": 7, "message": message}]
    sent = await bot.ok("sendMessage", chat_id=-500001, text="no", reply_parameters={"message_id": 9})
    assert sent["message_id"] == 10
    assert api.bot.chats[-500001].reads() == ["a", "no"]


@pytest.mark.parametrize("verb", ["GET", "form", "multipart", "chunked"])
async def test_every_way_to_hand_in_parameters(api: BotApi, ann: Person, verb: str) -> None:
    url, params = f"{api.base_url}{TOKEN}/sendMessage", {"chat_id": "1001", "text": "a b&c é"}
    form = b"chat_id=1001&text=a+b%26c+%C3%A9"

    async def pieces() -> AsyncIterator[bytes]:
        yield form[:10]
        yield form[10:]

    async with httpx.AsyncClient(verify=False) as http:
        match verb:
            case "GET":
                response = await http.get(url, params=params)
            case "form":
                response = await http.post(url, data=params)
            case "multipart":
                response = await http.post(url, data=params, files={"spare": ("a.bin", b"\r\n--\r\n")})
            case _:
                kind = {"Content-Type": "application/x-www-form-urlencoded"}
                response = await http.post(url, content=pieces(), headers=kind)
    assert response.json()["result"]["text"] == "a b&c é"


async def test_parameters_of_another_shape_are_refused_and_noted(
    api: BotApi, bot: Client, ann: Person
) -> None:
    entities = [{"kind": "bold"}]
    assert "parse" in await bot.refused("sendMessage", chat_id=1001, text="hi", entities=entities)
    assert (
        await bot.refused("sendMessage", chat_id="me", text="hi") == "Bad Request: invalid chat_id specified"
    )
    assert len(api.violations) == 1


async def test_commands_by_scope_and_their_budget(api: BotApi, bot: Client, ann: Person) -> None:
    from tests.telegram.server.about import menu

    group = api.group("team", ann)
    stop, new = [{"command": name, "description": name} for name in ("stop", "new")]
    await bot.ok("setMyCommands", commands=[stop])
    await bot.ok("setMyCommands", commands=[new], scope={"type": "all_private_chats"})
    assert menu(api.bot, ann.chat, ann.user) == ["new"]
    assert menu(api.bot, group, ann.user) == ["stop"]
    assert await bot.ok("getMyCommands") == [stop]
    await bot.ok("deleteMyCommands")
    assert menu(api.bot, group, ann.user) == []
    long = [{"command": f"c{n}", "description": "d" * 200} for n in range(30)]
    assert await bot.refused("setMyCommands", commands=long) == "Bad Request: BOT_COMMANDS_TOO_MUCH"
    bad = [{"command": "a-b", "description": "d"}]
    assert await bot.refused("setMyCommands", commands=bad) == "Bad Request: BOT_COMMAND_INVALID"


async def test_names_and_descriptions(bot: Client) -> None:
    await bot.ok("setMyShortDescription", short_description="agents")
    assert await bot.ok("getMyShortDescription") == {"short_description": "agents"}
    assert "too long" in await bot.refused("setMyDescription", description="d" * 513)
