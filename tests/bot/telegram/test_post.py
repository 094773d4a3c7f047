"""Who knows path and secret is heard; everybody else is told that nothing is there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from bot.telegram.post import MOST_BYTES, MOST_CONNECTIONS, MOST_HEAD, Post
from tests.telegram.server.hooking import post as call

URL = "https://roost.example.org/telegram/hook"
SECRET = "a-secret_of-48-signs"
UPDATE = json.dumps({"update_id": 7}).encode()
DEEP = b'{"update_id": 7, "message": ' + b"[" * 50_000


@dataclass
class Taking:
    """What was brought; *stores* says whether it is stored, while *slow* is not set nothing is."""

    stores: bool = True
    taken: list[dict[str, object]] = field(default_factory=list)
    slow: asyncio.Event | None = None

    async def take(self, raw: dict[str, object]) -> bool:
        self.taken.append(raw)
        if self.slow:
            await self.slow.wait()
        return self.stores


@pytest.fixture
def taking() -> Taking:
    return Taking()


@pytest.fixture
async def door(taking: Taking) -> AsyncIterator[Post]:
    post = Post(URL, SECRET, taking.take)
    await post.open("127.0.0.1", 0)
    yield post
    await post.close()


async def test_an_update_is_taken(door: Post, taking: Taking) -> None:
    assert await call(door.port, URL, SECRET, UPDATE) == "200"
    assert taking.taken == [{"update_id": 7}]


async def test_what_is_not_stored_comes_again(door: Post, taking: Taking) -> None:
    taking.stores = False
    assert await call(door.port, URL, SECRET, UPDATE) == "503"


@pytest.mark.parametrize(
    ("url", "secret", "method"),
    [
        (URL, "", "POST"),
        (URL, SECRET[:-1], "POST"),
        (URL, SECRET + "x", "POST"),
        (URL, "é", "POST"),
        (URL + "/", SECRET, "POST"),
        ("https://roost.example.org/", SECRET, "POST"),
        (URL, SECRET, "GET"),
        (URL, SECRET, "PUT"),
    ],
)
async def test_nothing_is_there_for_anybody_else(
    door: Post, taking: Taking, url: str, secret: str, method: str
) -> None:
    assert await call(door.port, url, secret, UPDATE, method=method) == "404"
    assert taking.taken == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"{}",
        b'{"update_id": "7"}',
        b'{"update_id": true}',
        b'{"update_id": 7, "x": ' + b"[" * 50_000,
    ],
)
async def test_what_is_no_update_is_refused(door: Post, taking: Taking, body: bytes) -> None:
    assert await call(door.port, URL, SECRET, body) == "400"
    assert taking.taken == []


async def test_a_body_has_a_size(door: Post, taking: Taking) -> None:
    assert await call(door.port, URL, SECRET, b" " * (MOST_BYTES + 1)) in ("404", "")
    assert await call(door.port, URL, SECRET, UPDATE, more=f"X: {'x' * 20 * MOST_HEAD}\r\n") in ("404", "")
    assert taking.taken == []
    assert await call(door.port, URL, SECRET, UPDATE) == "200"


async def test_what_is_no_http_ends_the_connection(door: Post) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    writer.write(b"\x16\x03\x01\x00\xa5\x01\r\n\r\n")
    assert await reader.read() == b""
    writer.close()


async def test_several_updates_come_over_one_connection(door: Post, taking: Taking) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    for number in (7, 8):
        body = json.dumps({"update_id": number})
        writer.write(
            f"POST /telegram/hook HTTP/1.1\r\nHost: x\r\nX-Telegram-Bot-Api-Secret-Token: {SECRET}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
    writer.close()
    assert [one["update_id"] for one in taking.taken] == [7, 8]


async def knows(door: Post, count: int) -> list[asyncio.StreamWriter]:
    """So many connections over each of which an update came."""
    writers = []
    for _ in range(count):
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        head = f"POST /telegram/hook HTTP/1.1\r\nHost: x\r\nX-Telegram-Bot-Api-Secret-Token: {SECRET}\r\n"
        writer.write(f"{head}Content-Length: {len(UPDATE)}\r\n\r\n".encode() + UPDATE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writers.append(writer)
    return writers


async def test_only_so_many_come_at_a_time(door: Post) -> None:
    idle = await knows(door, MOST_CONNECTIONS)
    assert await call(door.port, URL, SECRET, UPDATE) == ""
    for writer in idle:
        writer.close()
    async with asyncio.timeout(10):
        while await call(door.port, URL, SECRET, UPDATE) != "200":
            await asyncio.sleep(0)


async def test_who_says_nothing_keeps_nobody_out(door: Post, taking: Taking) -> None:
    known = await knows(door, 1)
    idle = [await asyncio.open_connection("127.0.0.1", door.port) for _ in range(2 * MOST_CONNECTIONS)]
    assert await call(door.port, URL, SECRET, UPDATE) == "200"
    assert len(taking.taken) == 2
    assert await idle[0][0].read() == b""
    for writer in (*known, *(writer for _, writer in idle)):
        writer.close()
