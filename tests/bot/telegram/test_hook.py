"""Brought updates are stored before Telegram hears so; trouble with the webhook is told once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.telegram.hook import CHECK_SECONDS, Webhook
from bot.telegram.insisting import Trouble
from tests.bot.telegram.rig import Rig
from tests.support.fake_chat import take
from tests.telegram.server import BotApi, Rule

URL = "https://roost.example.org/hook"
SECRET = "a-secret_of-48-signs"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class SlowClock:
    """Checks are made when a test says so."""

    def __init__(self) -> None:
        self.at, self.rests = 1_000.0, list[float]()
        self.due = asyncio.Event()

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.rests.append(seconds)
        if seconds != CHECK_SECONDS:
            await asyncio.sleep(0)
            return
        await self.due.wait()
        self.due.clear()


@pytest.fixture
async def rig(api: BotApi, tmp_path: Path) -> AsyncIterator[Rig]:
    port = free_port()
    api.hooks.proxies["roost.example.org"] = port
    hook = Webhook(URL, "127.0.0.1", port, SECRET)
    rig = Rig(api, tmp_path, webhook=hook, clock=SlowClock())  # type: ignore[arg-type]
    yield rig
    await rig.adapter.close()


async def looked(rig: Rig, so_often: int = 1) -> None:
    """It has asked how its webhook fares."""
    await rig.api.until(lambda: len(rig.api.called("getWebhookInfo")) >= so_often)
    await asyncio.sleep(0.05)


def looks_again(rig: Rig) -> None:
    assert isinstance(rig.clock, SlowClock)
    rig.clock.due.set()


async def test_what_is_said_comes_through_in_order(rig: Rig) -> None:
    await rig.writes("before")
    incoming = rig.adapter.incoming()
    assert (await take(incoming)).text == "before"
    for text in ("one", "two", "three"):
        await rig.writes(text)
    assert [(await take(incoming)).text for _ in range(3)] == ["one", "two", "three"]
    assert rig.api.bot.updates.secret == SECRET
    assert "my_chat_member" in rig.api.bot.updates.allowed
    assert not rig.api.called("getUpdates")


async def test_it_is_confirmed_when_the_next_is_asked_for(rig: Rig) -> None:
    incoming = rig.adapter.incoming()
    await rig.writes("one")
    await take(incoming)
    await asyncio.sleep(0.2)
    assert len(rig.api.bot.updates.pending) == 1
    waiting = asyncio.ensure_future(anext(aiter(incoming)))
    await rig.writes("two")
    assert (await asyncio.wait_for(waiting, 20)).text == "two"  # type: ignore[union-attr]
    assert len(rig.api.bot.updates.pending) == 1


async def test_an_update_that_nobody_can_read_hides_no_other(rig: Rig) -> None:
    rig.api.bot.updates.deliver({"update_id": 2000, "message": {"text": "without a date"}})
    await rig.writes("one")
    assert (await take(rig.adapter.incoming())).text == "one"


async def test_a_webhook_that_was_taken_is_told_of_and_set_again(rig: Rig) -> None:
    waiting = asyncio.ensure_future(take(rig.adapter.incoming()))
    await looked(rig)
    rig.api.bot.updates.webhook = "https://somebody.example.org/else"
    looks_again(rig)
    await rig.api.until(lambda: rig.api.bot.updates.webhook == URL)
    await rig.writes("one")
    assert (await waiting).text == "one"
    assert rig.heard == [Trouble.CONFLICT]


async def test_what_waits_in_vain_is_told_of_once_and_so_is_its_end(rig: Rig) -> None:
    incoming = rig.adapter.incoming()
    waiting = asyncio.ensure_future(take(incoming))
    await looked(rig)
    proxied = rig.api.hooks.proxies.pop("roost.example.org")
    await rig.writes("one")
    async with asyncio.timeout(10):
        while not rig.api.bot.updates.error:
            await asyncio.sleep(0.01)
    for often in (2, 3):
        looks_again(rig)
        await looked(rig, often)
    assert rig.heard == [Trouble.UNDELIVERED]
    rig.api.hooks.proxies["roost.example.org"] = proxied
    assert (await waiting).text == "one"
    assert rig.heard == [Trouble.UNDELIVERED, Trouble.BACK]


async def test_a_port_that_is_taken_is_waited_for(rig: Rig) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", rig.api.hooks.proxies["roost.example.org"]))
        taken.listen()
        waiting = asyncio.ensure_future(take(rig.adapter.incoming()))
        async with asyncio.timeout(10):
            while not rig.heard:
                await asyncio.sleep(0.01)
        assert "cannot listen on 127.0.0.1" in rig.reasons[0]
    await rig.writes("one")
    assert (await waiting).text == "one"
    assert rig.heard == [Trouble.UNREACHABLE, Trouble.BACK]


async def test_back_to_polling_loses_nothing(api: BotApi, tmp_path: Path) -> None:
    api.bot.updates.webhook = URL
    rig = Rig(api, tmp_path)
    await rig.writes("one")
    assert (await take(rig.adapter.incoming())).text == "one"
    (deleted,) = api.called("deleteWebhook")
    assert not deleted.params.get("drop_pending_updates")
    assert rig.heard == []
    await rig.adapter.close()


async def test_a_webhook_that_comes_back_is_somebody_elses(api: BotApi, tmp_path: Path) -> None:
    rig = Rig(api, tmp_path)
    api.bot.updates.webhook = URL
    incoming = rig.adapter.incoming()
    await rig.writes("one")
    await take(incoming)
    api.bot.updates.webhook = URL
    waiting = asyncio.ensure_future(take(incoming))
    await api.until(lambda: rig.heard)
    assert rig.heard == [Trouble.CONFLICT]
    assert len(api.called("deleteWebhook")) == 1
    waiting.cancel()
    await rig.adapter.close()


async def test_its_secret_shows_nowhere(rig: Rig) -> None:
    rig.api.faults.add(Rule("setWebhook", times=3, status=400, body={"description": f"no {SECRET}"}))
    waiting = asyncio.ensure_future(take(rig.adapter.incoming()))
    await rig.writes("one")
    await waiting
    assert SECRET not in repr(Webhook(URL, "127.0.0.1", 1, SECRET))
