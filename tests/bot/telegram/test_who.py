"""Asking who a bot is ends with a word, whoever answers in Telegram's place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bot.telegram.account import who
from bot.telegram.insisting import Trouble
from tests.bot.telegram.test_poller import NO_ANSWERS
from tests.telegram.server import TOKEN, BotApi, Rule

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


@pytest.mark.parametrize("body", [*NO_ANSWERS, {"ok": True, "result": {}}, {"ok": True, "result": True}])
async def test_json_that_is_no_answer(api: BotApi, body: object) -> None:
    api.faults.add(Rule("getMe", times=1, status=200, body=body))
    assert await who(TOKEN, api.url) is Trouble.UNREACHABLE
    assert await who(TOKEN, api.url) == "demo_agent_bot"


async def test_an_answer_without_end() -> None:
    sent = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                writer.write(CHUNK)
                sent += len(CHUNK)
                await writer.drain()
        except ConnectionError:
            writer.close()

    async with listening(answer) as url:
        assert await who(TOKEN, url) is Trouble.UNREACHABLE
    assert sent < 100 * 1024 * 1024


@asynccontextmanager
async def listening(answer: Answer) -> AsyncIterator[str]:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
