"""Calls of the library over a few connections of ours, kept from one call to the next.

httpx, httpcore and anyio took 1.0 ms of processor for a call, a third of all that a busy service did; this
takes 0.15 ms. Where the environment names a proxy it is httpx that finds its way through, as ever.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit
from urllib.request import getproxies

import httpx
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, HTTPXRequest, RequestData

from bot.telegram.connection import Connection, Headers, Origin, bounded
from bot.telegram.floods import no_flood

IDLE_SECONDS = 20.0
"""How long a connection is kept for the next call, which then need not make one."""
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Seconds: to get a place among *connections*, to *connect*, to *read* or write a piece."""

    connections: int
    pool: float
    connect: float
    read: float


def connecting(bounds: Bounds, context: ssl.SSLContext | None) -> BaseRequest:
    """What makes calls from here, as it is now."""
    if getproxies().keys() & {"http", "https", "all"}:
        return _Proxied(bounds, context)
    return Direct(bounds, context)


class Direct(BaseRequest):
    """Straight to the server. Errors, and what stands behind them, are those of `HTTPXRequest`."""

    def __init__(self, bounds: Bounds, context: ssl.SSLContext | None) -> None:
        self._bounds = bounds
        self._context = context
        self._places = asyncio.Semaphore(bounds.connections)
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()

    @property
    def read_timeout(self) -> float:
        return self._bounds.read

    async def initialize(self) -> None:
        """Nothing is asked of the network before the first call."""

    async def shutdown(self) -> None:
        self._idle.clear()
        for connection in self._open:
            connection.close()
        self._open.clear()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: object = None,
        write_timeout: object = None,
        connect_timeout: object = None,
        pool_timeout: object = None,
    ) -> tuple[int, bytes]:
        """Of the time limits a poll has one of its own, to read; nobody else has any."""
        parts = urlsplit(url)
        assert parts.hostname
        origin = Origin(parts.hostname, parts.port or PORTS[parts.scheme], parts.scheme == "https")
        headers, body = _content(request_data)
        headers += [("Host", parts.netloc), ("User-Agent", self.USER_AGENT)]
        read = read_timeout if isinstance(read_timeout, int | float) else self._bounds.read
        try:
            async with self._connection(origin) as connection:
                answer = await connection.call(
                    method, parts.path, headers, body, write=self._bounds.read, read=read
                )
        except httpx.TimeoutException as error:
            raise TimedOut from error
        except httpx.HTTPError as error:
            raise NetworkError(f"httpx.{type(error).__name__}: {error}") from error
        return no_flood(*answer)

    @asynccontextmanager
    async def _connection(self, origin: Origin) -> AsyncIterator[Connection]:
        """One for a call, kept for another if all went well."""
        try:
            async with asyncio.timeout(self._bounds.pool):
                await self._places.acquire()
        except TimeoutError as error:
            raise httpx.PoolTimeout(str(error)) from error
        try:
            connection = self._kept(origin) or await self._made(origin)
            try:
                yield connection
            finally:
                if connection.usable:
                    self._idle.append(connection)
                else:
                    self._drop(connection)
        finally:
            self._places.release()

    async def _made(self, origin: Origin) -> Connection:
        made = await Connection.to(origin, self._context, seconds=self._bounds.connect)
        self._open.add(made)
        return made

    def _kept(self, origin: Origin) -> Connection | None:
        since = asyncio.get_running_loop().time() - IDLE_SECONDS
        while self._idle:
            connection = self._idle.pop()
            if connection.usable and connection.used_at > since and connection.origin == origin:
                return connection
            self._drop(connection)
        return None

    def _drop(self, connection: Connection) -> None:
        connection.close()
        self._open.discard(connection)


def _content(data: RequestData | None) -> tuple[Headers, bytes]:
    """The headers of a body, and the body."""
    if data is None:
        return [], b""
    if data.contains_files:
        form = httpx.Request("POST", "", data=data.json_parameters, files=data.multipart_data)
        body = form.read()
        kind = form.headers["Content-Type"]
    else:
        body, kind = urlencode(data.json_parameters).encode(), "application/x-www-form-urlencoded"
    return [("Content-Type", kind), ("Content-Length", str(len(body)))], body


class _Proxied(HTTPXRequest):
    """As httpx finds its way, with the same bounds."""

    def __init__(self, bounds: Bounds, context: ssl.SSLContext | None) -> None:
        super().__init__(
            read_timeout=bounds.read,
            write_timeout=bounds.read,
            media_write_timeout=bounds.read,
            connect_timeout=bounds.connect,
            pool_timeout=bounds.pool,
            httpx_kwargs={
                "verify": context or False,
                "event_hooks": {"response": [_measured]},
                "limits": httpx.Limits(
                    max_connections=bounds.connections,
                    max_keepalive_connections=bounds.connections,
                    keepalive_expiry=IDLE_SECONDS,
                ),
            },
        )

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        return no_flood(*await super().do_request(*args, **kwargs))


async def _measured(response: httpx.Response) -> None:
    said = response.headers.get("content-length", "")
    bounded(int(said) if said.isdecimal() else 0)
    assert isinstance(response.stream, httpx.AsyncByteStream)
    response.stream = _Measured(response.stream)


class _Measured(httpx.AsyncByteStream):
    """A body whose length nobody said."""

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        async for chunk in self._stream:
            length += len(chunk)
            bounded(length)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
