"""A port that can be closed, opened again, and put out of reach."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tests.telegram.server.wire import Answer, Request, read_request

Work = Coroutine[Any, Any, Answer | None]


@dataclass(slots=True)
class Listener:
    """*answer* makes an answer; None where the connection shall be dropped without one."""

    answer: Callable[[Request], Work]
    host: str
    port: int
    _server: asyncio.Server | None = None
    _connections: set[asyncio.Task[None]] = field(default_factory=set)
    _in_reach: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._in_reach.set()

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connected, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Connections are refused from now on, and those that were there are reset."""
        if self._server is not None:
            self._server.close()
            self._server = None
        running = list(self._connections)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def go_dark(self) -> None:
        self._in_reach.clear()

    def come_back(self) -> None:
        self._in_reach.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await read_request(reader)) is not None:
                answer = await _while_connected(reader, self._reached(request))
                if answer is None:
                    break
                answer.write(writer)
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(task)
            writer.transport.abort()

    async def _reached(self, request: Request) -> Answer | None:
        """What comes while we are out of reach is lost, and so is an answer that would go out then."""
        answer = await self.answer(request) if self._in_reach.is_set() else None
        if not self._in_reach.is_set():
            await self._in_reach.wait()
            return None
        return answer


async def _while_connected(reader: asyncio.StreamReader, work: Work) -> Answer | None:
    """None, and the work is stopped, where the caller goes away meanwhile."""
    answer, gone = asyncio.ensure_future(work), asyncio.ensure_future(reader.read(1))
    try:
        await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
        return answer.result() if answer.done() else None
    finally:
        for task in (answer, gone):
            task.cancel()
        await asyncio.gather(answer, gone, return_exceptions=True)
