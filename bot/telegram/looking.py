"""What Telegram's server has to say of the bot's webhook, asked once: for the doctor."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.telegram.account import ASK_SECONDS
from bot.telegram.adapter import PATIENCE
from bot.telegram.api import Api
from bot.telegram.errors import FAILURES


@dataclass(frozen=True, slots=True)
class Looked:
    """*url* is where updates are brought to, empty where they are fetched; *waiting* of them wait there.
    *failed* is why the last try to bring one came to nothing, in the server's words."""

    url: str
    waiting: int = 0
    failed: str = ""


async def look(token: str, base_url: str) -> Looked | None:
    """None where nobody tells. *token* is one (`account.who`)."""
    api = Api(token, base_url, PATIENCE)
    try:
        async with asyncio.timeout(ASK_SECONDS):
            found = await api.get_webhook_info()
        return Looked(found.url, found.pending_update_count, found.last_error_message or "")
    except FAILURES:
        return None
    finally:
        await api.close_connections()
