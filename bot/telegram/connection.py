"""One connection to a server of HTTP/1.1: a call, then its answer. The protocol is h11's."""

from __future__ import annotations

import asyncio
import ssl
from typing import NamedTuple

import h11
import httpx

PIECE = 64 * 1024
"""Bytes that are given to the network at a time: each has the whole patience for itself."""
HAPPY_EYEBALLS_SECONDS = 0.25
"""Until the next address is tried beside a slow one (RFC 8305)."""
MOST_BYTES = 32 * 1024 * 1024
"""Of one answer: a file that Telegram hands out has 20 MB at most, and a hundred updates are far smaller."""

Headers = list[tuple[str, str]]


class Origin(NamedTuple):
    """Where a connection leads. Another one needs another connection."""

    host: str
    port: int
    tls: bool


class Connection(asyncio.Protocol):
    """Errors: those of httpx, as it would raise them."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.usable = False
        """Nothing is under way, and nothing came that nobody asked for: not even its end."""
        self.used_at = 0.0
        self._http = h11.Connection(h11.CLIENT)
        self._transport: asyncio.Transport
        self._news = asyncio.Event()
        self._room = asyncio.Event()

    @classmethod
    async def to(cls, origin: Origin, context: ssl.SSLContext | None, *, seconds: float) -> Connection:
        """Errors: `ConnectError`, `ConnectTimeout`."""
        tls = (context or True) if origin.tls else None
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds):
                _, made = await loop.create_connection(
                    lambda: cls(origin),
                    origin.host,
                    origin.port,
                    ssl=tls,
                    happy_eyeballs_delay=HAPPY_EYEBALLS_SECONDS,
                )
        except TimeoutError as error:
            raise httpx.ConnectTimeout(str(error)) from error
        except (OSError, ssl.SSLError) as error:
            raise httpx.ConnectError(str(error)) from error
        return made

    async def call(
        self, method: str, target: str, headers: Headers, body: bytes, *, write: float, read: float
    ) -> tuple[int, bytes]:
        """The status and the body of the answer; *write* and *read* are seconds for each piece."""
        self.usable = False
        try:
            await self._ask(h11.Request(method=method, target=target, headers=headers), body, write)
            answer = await self._answer(read)
        except h11.ProtocolError as error:
            raise httpx.RemoteProtocolError(str(error)) from error
        states = (self._http.our_state, self._http.their_state)
        if states == (h11.DONE, h11.DONE) and self._http.trailing_data == (b"", False):
            self._http.start_next_cycle()
            self.usable, self.used_at = True, asyncio.get_running_loop().time()
        return answer

    def close(self) -> None:
        self.usable = False
        self._transport.abort()

    # -- what is said ----------------------------------------------------------------------------------

    async def _ask(self, request: h11.Request, body: bytes, seconds: float) -> None:
        """A short call leaves as one packet."""
        head = self._http.send(request) or b""
        for start in range(0, max(len(body), 1), PIECE):
            piece = self._http.send(h11.Data(data=body[start : start + PIECE])) or b""
            self._transport.write(head + piece)
            head = b""
            try:
                async with asyncio.timeout(seconds):
                    await self._room.wait()
            except TimeoutError as error:
                raise httpx.WriteTimeout(str(error)) from error
        self._http.send(h11.EndOfMessage())

    # -- what is heard ---------------------------------------------------------------------------------

    async def _answer(self, seconds: float) -> tuple[int, bytes]:
        status, parts, length = 0, [], 0
        while True:
            event = await self._event(seconds)
            match event:
                case h11.Response():
                    status = event.status_code
                    bounded(int(dict(event.headers).get(b"content-length", b"0")))
                case h11.Data():
                    length += len(event.data)
                    bounded(length)
                    parts.append(bytes(event.data))
                case h11.EndOfMessage():
                    return status, b"".join(parts)
                case h11.ConnectionClosed():
                    raise httpx.RemoteProtocolError("closed without an answer")

    async def _event(self, seconds: float) -> h11.Event:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._news.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._news.wait()
            except TimeoutError as error:
                raise httpx.ReadTimeout(str(error)) from error
        assert not isinstance(event, type)  # PAUSED comes between two answers only
        return event

    # -- asyncio's side --------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._room.set()

    def data_received(self, data: bytes) -> None:
        self.usable = False
        self._http.receive_data(data)
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.data_received(b"")
        self._room.set()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()


def bounded(length: int) -> None:
    """Nobody who answers in Telegram's place, as a captive portal does, fills our memory. Errors:
    `ReadError`."""
    if length > MOST_BYTES:
        raise httpx.ReadError("the answer is too large")
