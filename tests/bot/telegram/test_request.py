"""Calls over connections of our own: kept, replaced, bounded, and with the errors that httpx would give."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from telegram.error import NetworkError, RetryAfter, TimedOut
from telegram.request import BaseRequest, HTTPXRequest, RequestData
from telegram.request._requestparameter import RequestParameter

from bot.telegram.api import NO_WARNING
from bot.telegram.connection import MOST_BYTES
from bot.telegram.errors import retry_seconds
from bot.telegram.request import Bounds, Direct, connecting

BOUNDS = Bounds(connections=2, pool=0.1, connect=1.0, read=0.3)
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Serve = Callable[[int, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def server(serve: Serve, context: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """*serve* is told the number of its connection, from 0."""
    taken: list[asyncio.StreamWriter] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken.append(writer)
        try:
            await serve(len(taken) - 1, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", ssl=context) as listening:
        port = listening.sockets[0].getsockname()[1]
        yield f"{'https' if context else 'http'}://127.0.0.1:{port}/bot/getMe"


@asynccontextmanager
async def direct(context: ssl.SSLContext | None = None) -> AsyncIterator[Direct]:
    made = Direct(BOUNDS, context)
    await made.initialize()
    yield made
    await made.shutdown()


async def heard(reader: asyncio.StreamReader) -> bytes:
    """A call as it came."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0"
    )
    return head + await reader.readexactly(int(length.partition(b":")[2]))


async def ask(request: BaseRequest, url: str) -> bytes:
    return (await request.do_request(url, "POST", RequestData([])))[1]


async def test_a_connection_is_used_again() -> None:
    calls: list[tuple[int, bytes]] = []

    async def serve(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            calls.append((number, await heard(reader)))
            writer.write(ANSWER)

    async with server(serve) as url, direct() as request:
        data = RequestData([RequestParameter("text", "größer & more", [])])
        assert await request.do_request(url, "POST", data) == (200, b"ok")
        assert await ask(request, url) == b"ok"
    assert [number for number, _ in calls] == [0, 0]
    assert calls[0][1].startswith(b"POST /bot/getMe HTTP/1.1\r\n")
    assert calls[0][1].endswith(b"\r\n\r\ntext=gr%C3%B6%C3%9Fer+%26+more")


@pytest.mark.parametrize("last_words", [b"", b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"])
async def test_one_that_ended_meanwhile_is_not(last_words: bytes) -> None:
    """Nor is one over which something came that nobody had asked for: it would be taken for an answer."""

    async def serve(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heard(reader)
        writer.write(ANSWER.replace(b"ok", b"%02d" % number))
        await writer.drain()
        await asyncio.sleep(0.01)
        writer.write(last_words)

    async with server(serve) as url, direct() as request:
        assert await ask(request, url) == b"00"
        await asyncio.sleep(0.05)
        assert await ask(request, url) == b"01"


async def test_a_long_call_and_a_long_answer_without_a_length() -> None:
    async def serve(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await heard(reader)
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + said[-3_000_000:])
        await writer.drain()

    async with server(serve) as url, direct() as request:
        data = RequestData([RequestParameter("text", "x" * 3_000_000, [])])
        assert await request.do_request(url, "POST", data) == (200, b"x" * 3_000_000)


async def nothing(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def hangs_up(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await heard(reader)


async def half(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await heard(reader)
    writer.write(ANSWER[:-1])
    await writer.drain()


async def nonsense(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await heard(reader)
    writer.write(b"220 mail.example.org ESMTP\r\n\r\n")
    await writer.drain()


@pytest.mark.parametrize(
    ("serve", "error", "cause"),
    [
        (nothing, TimedOut, httpx.ReadTimeout),
        (hangs_up, NetworkError, httpx.RemoteProtocolError),
        (half, NetworkError, httpx.RemoteProtocolError),
        (nonsense, NetworkError, httpx.RemoteProtocolError),
    ],
)
async def test_no_whole_answer(serve: Serve, error: type[Exception], cause: type[Exception]) -> None:
    async with server(serve) as url, direct() as request:
        with pytest.raises(error) as raised:
            await ask(request, url)
    assert isinstance(raised.value.__cause__, cause)


async def test_nobody_is_there() -> None:
    async with server(nothing) as url:
        pass
    async with direct() as request:
        with pytest.raises(NetworkError) as raised:
            await ask(request, url)
    assert isinstance(raised.value.__cause__, httpx.ConnectError)


async def test_every_connection_is_taken() -> None:
    async with server(nothing) as url, direct() as request:
        calls = await asyncio.gather(*(ask(request, url) for _ in range(3)), return_exceptions=True)
    causes = [type(call.__cause__) for call in calls if isinstance(call, TimedOut)]
    assert causes == [httpx.ReadTimeout, httpx.ReadTimeout, httpx.PoolTimeout]


async def test_a_call_that_was_given_up_leaves_no_connection_behind() -> None:
    async def serve(number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heard(reader)
        if number == 0:
            await reader.read()
        writer.write(ANSWER.replace(b"ok", b"%02d" % number))
        await writer.drain()

    async with server(serve) as url, direct() as request:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(request, url), 0.05)
        assert await ask(request, url) == b"01"


async def test_a_certificate_is_looked_at(tmp_path: Path) -> None:
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test"
    names = "-addext subjectAltName=IP:127.0.0.1 -keyout key -out cert"
    subprocess.run(["openssl", *words.split(), *names.split()], cwd=tmp_path, check=True, capture_output=True)
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(tmp_path / "cert", tmp_path / "key")

    async def serve(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            said = await heard(reader)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(said) + said)

    trusting = ssl.create_default_context(cafile=tmp_path / "cert")
    async with server(serve, ours) as url, direct(trusting) as trusted, direct() as strict:
        assert (await ask(trusted, url)).startswith(b"POST")
        assert (await ask(trusted, url)).startswith(b"POST")
        with pytest.raises(NetworkError) as raised:
            await ask(strict, url)
    assert isinstance(raised.value.__cause__, httpx.ConnectError)


def test_a_proxy_is_left_to_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert isinstance(connecting(BOUNDS, None), Direct)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example.org:3128")
    assert isinstance(connecting(BOUNDS, None), HTTPXRequest)


# --- what any answer has to be, whichever way it came -------------------------------------------------------


@pytest.fixture(params=["direct", "proxied"])
def through(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], BaseRequest]:
    """Calls of a server, straight or as through a proxy, for which the server stands in as well."""

    def made(url: str) -> BaseRequest:
        if request.param == "proxied":
            monkeypatch.setenv("http_proxy", url.removesuffix("/bot/getMe"))
        return connecting(BOUNDS, None)

    return made


def answering(head: str, body: bytes = b"") -> Serve:
    async def serve(_: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heard(reader)
        writer.write(f"HTTP/1.1 {head}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()

    return serve


@pytest.mark.parametrize(
    ("body", "seconds"),
    [(b'{"parameters": {"retry_after": 7}}', 7), (b"{}", 0), (b"<html>", 0), (b'{"ok": false}', 0)],
)
async def test_a_429_is_a_flood(
    through: Callable[[str], BaseRequest], body: bytes, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(*NO_WARNING)  # as whoever makes calls does
    async with server(answering("429 Too Many Requests", body)) as url:
        request = through(url)
        await request.initialize()
        with pytest.raises(RetryAfter) as raised:
            await ask(request, url)
        await request.shutdown()
    assert retry_seconds(raised.value) == seconds


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f"200 OK\r\nContent-Length: {MOST_BYTES + 1}", b""),
        ("200 OK", b"x" * (MOST_BYTES + 1)),
    ],
)
async def test_an_answer_has_a_size(through: Callable[[str], BaseRequest], head: str, body: bytes) -> None:
    async with server(answering(head, body)) as url:
        request = through(url)
        await request.initialize()
        with pytest.raises(NetworkError) as raised:
            await ask(request, url)
        await request.shutdown()
    assert isinstance(raised.value.__cause__, httpx.ReadError)
