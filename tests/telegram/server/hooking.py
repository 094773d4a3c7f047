"""Updates brought to a webhook: one after the other, again and again until somebody has them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.telegram.server.account import Account
from tests.telegram.server.model import Json

PAUSE = 0.05
"""Seconds between two tries; Telegram's own grow."""
ANSWER_SECONDS = 30.0


@dataclass(slots=True)
class Hooks:
    """*accounts* are all bots; *proxies* says which port of this machine a host of the world leads to."""

    accounts: Mapping[str, Account]
    clock: Callable[[], float]
    proxies: dict[str, int] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            for account in list(self.accounts.values()):
                updates = account.updates
                if updates.webhook and updates.pending:
                    _, update = updates.pending[0]
                    status = await self._bring(updates.webhook, updates.secret, update)
                    if status == "200":
                        updates.brought(update["update_id"])
                    else:
                        updates.failed(f"Wrong response from the webhook: {status}")
            await asyncio.sleep(PAUSE)

    async def _bring(self, url: str, secret: str, update: Json) -> str:
        """What is answered; empty where nobody is there."""
        host = urlsplit(url).hostname or ""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await post(self.proxies[host], url, secret, json.dumps(update).encode())
        except (OSError, KeyError, TimeoutError, asyncio.IncompleteReadError):
            return ""


async def post(port: int, url: str, secret: str, body: bytes, *, method: str = "POST", more: str = "") -> str:
    """The status of one call as a proxy hands it on to *port*; empty where the connection just ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    parts = urlsplit(url)
    head = f"{method} {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
    if secret:
        head += f"X-Telegram-Bot-Api-Secret-Token: {secret}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    try:
        writer.write(head.encode() + body)
        answer = await reader.readline()
        return answer.decode().split(" ")[1] if answer else ""
    except ConnectionError:
        return ""
    finally:
        writer.close()
