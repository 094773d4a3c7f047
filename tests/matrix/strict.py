"""A person whose client is another library's, and strict: unsigned devices are nobody to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.matrix.clients import SECONDS
from tests.matrix.synapse import Member, Synapse

SCRIPT = Path(__file__).with_name("strict_client.mjs")
NO_SHIELD = 0
UNSIGNED = "UNSIGNED_SENDER_DEVICE"


@dataclass(frozen=True)
class Shown:
    """A message as that client shows it. *unreadable*: why it can't be read; *data*: its file, in base64."""

    body: str
    kind: str
    edited: bool
    encrypted: bool
    shield: int | None
    unreadable: str | None
    data: str | None


class StrictClient:
    """Its calls are those of `strict_client.mjs`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def room(self, *invited: str) -> str:
        """A new one, encrypted."""
        return str(await self._call("room", *invited))

    async def joined(self, room: str) -> list[str]:
        return [*await self._call("joined", room)]

    async def says(self, room: str, text: str) -> None:
        await self._call("says", room, text)

    async def seen(self, room: str) -> list[Shown]:
        return [Shown(**one) for one in await self._call("seen", room)]

    async def sees(self, room: str, true: Callable[[Shown], bool]) -> Shown:
        """The first message of which that is true, once there is one."""
        async with asyncio.timeout(SECONDS):
            while not (found := [one for one in await self.seen(room) if true(one)]):
                await asyncio.sleep(0.1)
        return found[0]

    async def meets(self, room: str, person: str) -> None:
        """Until they are there."""
        async with asyncio.timeout(SECONDS):
            while person not in await self.joined(room):
                await asyncio.sleep(0.1)

    async def _call(self, *words: str) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(words).encode() + b"\n")
        line = await asyncio.wait_for(self._process.stdout.readline(), SECONDS)
        assert line, "the strict client has ended"
        return json.loads(line)


@asynccontextmanager
async def strict_client(installed: Path, server: Synapse, member: Member) -> AsyncIterator[StrictClient]:
    """*member*'s, logged in and signed; *installed* is where its library lies."""
    words = ("node", SCRIPT, installed, server.url, member.id, member.password)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, limit=8 * 1024 * 1024)
    try:
        yield StrictClient(process)
    finally:
        process.kill()
        await process.wait()
