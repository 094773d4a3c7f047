"""What stands before a homeserver: it passes everything on, until it fails as real ones do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from tests.matrix.synapse import Json

PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>"
KEPT = ("Authorization", "Content-Type")


@dataclass
class Gateway:
    """*failing*: a piece of the paths that are answered with a page instead. *cut*: of those whose answer
    breaks off after the homeserver gave it. *hanging*: of those that are not answered as long as it stands
    there. *refusing*: of those that get another answer, with a status. *calls*: all paths, in order."""

    server: str
    url: str = ""
    failing: str | None = None
    cut: str | None = None
    hanging: str | None = None
    refusing: dict[str, tuple[int, Json]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    runner: web.AppRunner | None = None

    async def stop(self) -> None:
        """Nobody listens there any more."""
        if self.runner:
            await self.runner.cleanup()
        self.runner = None

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.calls.append(request.path)
        if self.failing is not None and self.failing in request.path:
            return web.Response(status=502, text=PAGE, content_type="text/html")
        while self.hanging is not None and self.hanging in request.path:
            await asyncio.sleep(0.02)
        for piece, (status, said) in self.refusing.items():
            if piece in request.path:
                return web.json_response(said, status=status)
        headers = {name: request.headers[name] for name in KEPT if name in request.headers}
        body = await request.read()
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                request.method, self.server + request.raw_path, headers=headers, data=body
            ) as answer,
        ):
            data = await answer.read()
            if self.cut is not None and self.cut in request.path:
                assert request.transport
                request.transport.abort()
            return web.Response(status=answer.status, body=data, content_type=answer.content_type)


@asynccontextmanager
async def gateway(server: str) -> AsyncIterator[Gateway]:
    """One that listens meanwhile, before the homeserver at that URL."""
    made = Gateway(server)
    app = web.Application(client_max_size=100 * 1024 * 1024)
    app.router.add_route("*", "/{path:.*}", made.handle)
    runner = made.runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield made
    finally:
        await made.stop()
