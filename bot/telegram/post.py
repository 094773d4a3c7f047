"""The door for what Telegram brings: HTTP/1.1 behind a proxy, of which nobody else learns. h11 reads it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import urlsplit

import h11
import msgspec

from bot.telegram.api import Json

SECRET = b"x-telegram-bot-api-secret-token"
MOST_BYTES = 1024 * 1024
"""Of one update; the largest have some 100 kB."""
MOST_HEAD = 16 * 1024
MOST_CONNECTIONS = 32
"""More than Telegram makes and a proxy keeps. Whoever comes beyond them takes the place of who has been here
longest and was never known as Telegram; where all were, they are sent away at once."""
REQUEST_SECONDS = 60.0
"""For a whole request from the end of the one before: an idle connection ends, and so does a slow one."""
PIECE = 64 * 1024

Take = Callable[[Json], Awaitable[bool]]
"""Stores an update; whether that is done."""


class Post:
    """Listens while it is open. Whoever doesn't know path and *secret* is told that nothing is there."""

    def __init__(self, url: str, secret: str, take: Take) -> None:
        self._path = (urlsplit(url).path or "/").encode()
        self._secret = secret.encode()
        self._take = take
        self._server: asyncio.Server | None = None
        self._callers: dict[asyncio.Task[None], _Caller] = {}

    async def open(self, host: str, port: int) -> None:
        """Unless it is open already. Errors: `OSError`."""
        if self._server is None:
            self._server = await asyncio.start_server(self._called, host, port, limit=PIECE)

    async def close(self) -> None:
        """Whoever is here is sent away; what was not stored comes again."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for caller in self._callers:
            caller.cancel()
        await asyncio.gather(*self._callers, return_exceptions=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server
        return int(self._server.sockets[0].getsockname()[1])

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._callers) >= MOST_CONNECTIONS and not self._makes_room():
            writer.transport.abort()
            return
        task, caller = asyncio.current_task(), _Caller(reader, writer)
        assert task
        self._callers[task] = caller
        try:
            await self._serve(caller)
        except (OSError, TimeoutError, h11.ProtocolError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self._callers.pop(task, None)
            writer.close()

    def _makes_room(self) -> bool:
        """Else anybody who opens connections and says nothing would keep Telegram out."""
        unknown = next((task for task, caller in self._callers.items() if not caller.known), None)
        if unknown is None:
            return False
        del self._callers[unknown]
        return unknown.cancel()

    async def _serve(self, caller: _Caller) -> None:
        """One request after the other. Errors: those of the network and of the protocol."""
        while True:
            async with asyncio.timeout(REQUEST_SECONDS):
                request = await caller.request()
                if request is None:
                    return None
                caller.known = self._knows(request)
                body = await caller.body() if caller.known else None
            if body is None:
                return await caller.answer(HTTPStatus.NOT_FOUND, last=True)
            await caller.answer(await self._stored(body))
            if not caller.again():
                return None

    def _knows(self, request: h11.Request) -> bool:
        """Whether that is Telegram; what is compared tells nothing by how long it takes."""
        told = dict(request.headers).get(SECRET, b"")
        known = hmac.compare_digest(told, self._secret)
        return known and (request.method, request.target) == (b"POST", self._path)

    async def _stored(self, body: bytes) -> HTTPStatus:
        try:
            raw = msgspec.json.decode(body, type=dict[str, object])
        except (msgspec.DecodeError, RecursionError):
            return HTTPStatus.BAD_REQUEST
        if type(raw.get("update_id")) is not int:
            return HTTPStatus.BAD_REQUEST
        return HTTPStatus.OK if await self._take(raw) else HTTPStatus.SERVICE_UNAVAILABLE


class _Caller:
    """One connection, with its requests one after the other. *known*: as Telegram's, so far."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.known = False
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)

    async def request(self) -> h11.Request | None:
        """The head of the next one; None where there is none any more."""
        event = await self._event()
        return event if isinstance(event, h11.Request) else None

    async def body(self) -> bytes | None:
        """None where it is larger than any that is meant for us."""
        parts, size = [], 0
        while isinstance(event := await self._event(), h11.Data):
            size += len(event.data)
            if size > MOST_BYTES:
                return None
            parts.append(bytes(event.data))
        return b"".join(parts)

    async def answer(self, status: HTTPStatus, *, last: bool = False) -> None:
        headers = [("Content-Length", "0"), *([("Connection", "close")] if last else [])]
        said = self._http.send(h11.Response(status_code=status, headers=headers)) or b""
        self._writer.write(said + (self._http.send(h11.EndOfMessage()) or b""))
        await self._writer.drain()

    def again(self) -> bool:
        """Whether another request may come."""
        if (self._http.our_state, self._http.their_state) != (h11.DONE, h11.DONE):
            return False
        self._http.start_next_cycle()
        return True

    async def _event(self) -> h11.Event:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self._reader.read(PIECE))
        assert not isinstance(event, type)  # PAUSED comes before `again` only
        return event
