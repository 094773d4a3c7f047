"""Groups, strangers, and trouble with the network or the token, with the real service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cases.test_32_allowlist_gaps import KINDS
from tests.support.phone import Phone, phone
from tests.support.roost import Roost
from tests.support.whole import until
from tests.telegram.client import client
from tests.telegram.server import Chat, Rule, own_token


def a_group(held: Phone) -> Chat:
    """In which Ann and Bob are, and the bot is shown every message."""
    held.api.bot.reads_all = True
    return held.api.group("Shop", held.ann, held.api.person("Bob", 2002))


def heard(shop: Roost) -> int:
    return len(shop.play.starts)


# -- groups ----------------------------------------------------------------------------------------------


async def test_in_a_group_it_hears_what_is_meant_for_it(shop: Roost) -> None:
    async with phone(shop) as held:
        group, ann = a_group(held), held.ann
        await held.start()
        await held.works_in_shop(group)
        ann.writes("Nice weather", group)
        ann.writes("@somebody_else why?", group)
        ann.writes("/status@other_bot", group)
        asked = ann.writes("@demo_agent_bot why?", group)
        await held.until("Hi.", group)
        answer = held.one("Hi.", group)
        assert answer.reply_to
        assert answer.reply_to.id == asked.id
        ann.writes("And how?", group, reply_to=answer)
        await held.api.until(lambda: group.reads().count("Hi.") == 2)
        ann.writes("/status@demo_agent_bot", group)
        await held.until("Nothing runs here", group)
        assert held.chat.reads() == []
    assert heard(shop) == 2


async def test_a_group_that_becomes_a_supergroup_keeps_its_talk(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        group = a_group(held)
        await held.start()
        await held.works_in_shop(group)
        held.ann.writes("@demo_agent_bot why?", group)
        await held.until("⏳", group)
        new = held.ann.migrates(group)
        go.touch()
        await held.until("Hi.", new)
        shop.says("Hi again.")
        held.ann.writes("@demo_agent_bot go on", new)
        await held.until("Hi again.", new)
        assert {call.status for call in held.api.called("sendMessage")} == {200}
    assert "resume" in shop.play.starts[-1].argv


# -- strangers -------------------------------------------------------------------------------------------


async def test_case_32_strangers_get_nothing_by_any_kind_of_update(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        group = a_group(held)
        await held.start()
        await held.works_in_shop()
        await held.works_in_shop(group)
        held.ann.writes("@demo_agent_bot go", group)
        await held.until("⏳", group)
        progress = held.one("⏳", group)
        calls = len(held.api.called())
        for number, kind in enumerate(KINDS[:-1], held.api.bot.updates.last_id + 1):
            held.api.deliver({"update_id": number, **of_group(kind)})
        held.api.person("Bob", 2002).presses("Stop", progress)
        held.api.person("owner", 3003, username="ann").writes("/start")
        await held.api.until(lambda: len(held.chat.reads()) == 2)
        assert held.chat.reads()[1].startswith("Someone I don’t know wrote to me (id ")
        go.touch()
        await held.until("Hi.", group)
        about = [call for call in held.api.called()[calls:] if call.params.get("chat_id") == 3003]
        assert about == []
        reacted = [c.message.id for c in group.log if c.kind == "reacted" and c.message]
        assert len(reacted) == 1
    assert heard(shop) == 1


def of_group(kind: dict[str, Any]) -> dict[str, Any]:
    """The same kind of update, its messages numbered where nothing else is."""
    return {
        name: told | ({"message_id": told["message_id"] + 500} if "message_id" in told else {})
        for name, told in kind.items()
    }


async def test_nobody_may_do_anything_while_nobody_owns_it(shop: Roost) -> None:
    async with phone(shop, users=()) as held:
        await held.start()
        held.ann.writes("Go")
        await held.until("has no owner yet")
        assert len(held.chat.reads()) == 1
        found = re.search(r"/start (\w+)", shop("pair").out)
        assert found
        bob = held.api.person("Bob", 2002)
        bob.writes("/start 12345678")
        await held.until("no longer good", bob.chat)
        held.ann.writes(found[0])
        await held.until("You are the owner")
        held.ann.writes(found[0])
        await held.until("already: you need no code.")
        bob.writes(found[0])
        await held.until("Someone I don’t know wrote to me (id 2002, called Bob).")
        assert bob.chat.reads() == [
            f"That code is no longer good. On {os.uname().nodename}, roost pair makes a new one."
        ]
    assert heard(shop) == 0


# -- the bot and its token -------------------------------------------------------------------------------


async def test_case_16_a_new_bot_is_heard_from_its_own_first_update(shop: Roost) -> None:
    new = own_token()
    async with phone(shop) as held:
        held.api.bot.updates.last_id = 926_831_433
        await held.start()
        await held.works_in_shop()
        await held.end(signal.SIGTERM)
        shop.config.write_text(shop.config.read_text().replace(held.api.token, new))
        account = held.api.add_bot(new, "next_agent_bot")
        owner = {"id": 1001, "is_bot": False, "first_name": "owner"}
        chat = {"id": 1001, "type": "private", "first_name": "owner"}
        said = {"message_id": 1, "date": 1_790_000_000, "chat": chat, "from": owner, "text": "hello new bot"}
        held.api.deliver({"update_id": 5000, "message": said}, account)
        await held.start()
        await held.until("Which project is this for?", account.chats[1001])


async def test_case_33_another_poller_is_told_of_once_and_waited_for(shop: Roost) -> None:
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        async with client(held.api, held.api.token) as other:
            await other.ok("getUpdates", timeout=1)
        await held.until("Another program fetches this bot’s messages")
        assert held.service
        assert held.service.poll() is None
        assert held.log.count("Another program fetches") == 1
        assert held.api.token not in held.log
        assert (await finding(shop)).startswith("Another program fetches this bot’s messages")
        await held.end(signal.SIGTERM)
        assert (await finding(shop)).endswith("answers.")


async def finding(shop: Roost) -> str:
    """What `roost check` has to say of the bot."""
    done = await asyncio.to_thread(shop, "check", "--json")
    (told,) = [line for line in json.loads(done.out) if line["name"] == "telegram"]
    return str(told["message"])


async def test_case_33_a_second_service_here_leaves_the_bot_alone(shop: Roost, tmp_path: Path) -> None:
    other = Roost(tmp_path / "other")
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        other.config.write_text(shop.config.read_text().replace(str(shop.data_dir), str(other.data_dir)))
        with other.started("run") as second:
            assert second.stderr
            said = ""
            while "Another program on this machine works for this" not in said:
                said = second.stderr.readline()
                assert said
            held.ann.writes("Go")
            await held.until("Hi.")
        assert {call.error for call in held.api.calls} == {""}
    assert heard(shop) == 1


async def test_case_34_a_revoked_token_is_named_nowhere(shop: Roost) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("Go")
        await held.until("⏳")
        held.api.revoke(held.api.token)
        go.touch()
        await until(lambda: "Telegram no longer takes" in held.log)
        assert await held.end(signal.SIGTERM) == 0
        held.api.accounts[held.api.token] = held.api.bot
        await held.start()
        await held.until("Hi.")
        assert held.log.count("Telegram no longer takes the bot’s token.") == 1
        assert held.api.token.partition(":")[2] not in held.log
        assert held.rung == ["Hi."]


# -- the network -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("gateway", [False, True])
async def test_case_75_a_turn_that_ends_in_an_outage_is_answered_once(shop: Roost, gateway: bool) -> None:
    go = shop.holds()
    async with phone(shop) as held:
        await held.start()
        await held.works_in_shop()
        held.ann.writes("before")
        await held.until("⏳")
        if gateway:
            held.api.faults.add(Rule(any_method=True, html=True))
        else:
            await held.api.close_port()
        held.ann.writes("/status")
        go.touch()
        await until(lambda: "Telegram can’t be reached. Nothing is lost" in held.log)
        if gateway:
            held.api.faults.clear()
        else:
            await held.api.open_port()
        await held.until("Hi.", seconds=40)
        await held.until("of 3 agents", seconds=40)
        await until(lambda: "Telegram can be reached again" in held.log)
        assert len(held.rung) == 1
        assert held.log.count("Telegram can’t be reached") == 1
    assert heard(shop) == 1
