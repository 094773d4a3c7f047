"""The whole service behind a webhook: prompts are answered, nothing is lost, polling takes over again."""

from __future__ import annotations

import signal

from tests.bot.telegram.test_hook import free_port
from tests.support.phone import phone
from tests.support.roost import Roost

URL = "https://roost.example.org/hook"


async def test_a_talk_by_webhook_and_then_by_polling(shop: Roost) -> None:
    port = free_port()
    hooked = {
        "ROOST_TELEGRAM__WEBHOOK_URL": URL,
        "ROOST_TELEGRAM__WEBHOOK_LISTEN": f"127.0.0.1:{port}",
    }
    async with phone(shop) as held:
        held.api.hooks.proxies["roost.example.org"] = port
        await held.start(**hooked)
        await held.works_in_shop()
        secret = held.api.bot.updates.secret
        assert len(secret) == 64
        held.ann.writes("Why?")
        await held.until("Hi.")
        await held.end(signal.SIGTERM)
        held.ann.writes("And while nobody listens?")
        await held.start(**hooked)
        await held.api.until(lambda: held.chat.reads().count("Hi.") == 2)
        assert held.api.bot.updates.secret == secret
        assert not held.api.called("getUpdates")
        await held.end(signal.SIGTERM)
        held.ann.writes("And back?")
        await held.start()
        await held.api.until(lambda: held.chat.reads().count("Hi.") == 3)
        assert held.api.bot.updates.webhook == ""
        assert len(held.rung) == 3
        assert held.api.bot.token.partition(":")[2] not in held.log + secret
    assert len(shop.play.starts) == 3
