"""The homeserver as we call it: every call ends in time, and fails as a `ChatError`."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import quote, urlencode

import aiohttp
import msgspec

from bot.chat import Refused, TooLarge
from bot.matrix.client import CALL_SECONDS, Client
from bot.matrix.errors import AskedForPassword, calling, refusal
from bot.matrix.wire import Unsigned

PREFIX = "/_matrix/client/v3"
MEDIA = "/_matrix/client/v1/media"
UPLOADS = "/_matrix/media/v3/upload"
LARGEST_ANSWER = 64 * 1024 * 1024
"""Bytes of JSON; a first sync of an account in thousands of rooms is smaller."""
PIECE = 64 * 1024
SLOWEST = 50_000.0
"""Bytes a second at which a file may still come or go."""

T = TypeVar("T")


class Api:
    """Errors of every call: `ChatError`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(
        self, method: str, path: str, kind: type[T], body: object = None, *, seconds: float = CALL_SECONDS
    ) -> T:
        """What is answered, as that *kind*."""
        data = msgspec.json.encode(body) if body is not None or method != "GET" else None
        async with calling(seconds):
            answer = await self._client.send(
                method, path, data, self._headers("application/json"), timeout=seconds
            )
            async with answer:
                return msgspec.json.decode(await _whole(answer), type=kind)

    async def upload(self, data: bytes, mime: str, name: str, kind: type[T]) -> T:
        """*name* is told to everybody; empty for a file that is encrypted."""
        seconds = CALL_SECONDS + len(data) / SLOWEST
        path = f"{UPLOADS}?{urlencode({'filename': name})}" if name else UPLOADS
        async with calling(seconds):
            answer = await self._client.send("POST", path, data, self._headers(mime), timeout=seconds)
            async with answer:
                return msgspec.json.decode(await _whole(answer), type=kind)

    async def download(self, mxc: str, *, most: int) -> bytes:
        """Errors also: `TooLarge`, as soon as that is known."""
        server, slash, name = mxc.removeprefix("mxc://").partition("/")
        if not (mxc.startswith("mxc://") and slash and name):
            raise Refused("no file of a homeserver")
        seconds = CALL_SECONDS + most / SLOWEST
        async with calling(seconds):
            path = f"{MEDIA}/download/{quoted(server)}/{quoted(name)}"
            answer = await self._client.send("GET", path, None, self._headers(), timeout=seconds)
            async with answer:
                if answer.status >= 400:
                    return await _whole(answer)
                data = await _bounded(answer, most)
        if data is None:
            raise TooLarge(most)
        return data

    def _headers(self, mime: str = "") -> dict[str, str]:
        kind = {"Content-Type": mime} if mime else {}
        token = self._client.access_token
        return kind | ({"Authorization": f"Bearer {token}"} if token else {})


def quoted(part: str) -> str:
    """As one step of a path."""
    return quote(part, safe="")


def in_room(room: str, *parts: str) -> str:
    return "/".join((f"{PREFIX}/rooms", *map(quoted, (room, *parts))))


async def _whole(answer: aiohttp.ClientResponse) -> bytes:
    """Errors: what the status says, and `Unknown` for more than fits."""
    data = await _bounded(answer, LARGEST_ANSWER)
    if answer.status >= 400 and answer.status == 401 and (session := _session(data or b"")):
        raise AskedForPassword(session)
    if answer.status >= 400:
        raise refusal(answer.status, data or b"")
    if data is None:
        raise aiohttp.ClientPayloadError("the answer is too large")
    return data


def _session(data: bytes) -> str:
    try:
        return msgspec.json.decode(data, type=Unsigned).session
    except msgspec.MsgspecError:
        return ""


async def _bounded(answer: aiohttp.ClientResponse, most: int) -> bytes | None:
    """None where it is more than that."""
    if (answer.content_length or 0) > most:
        return None
    data = bytearray()
    async for piece in answer.content.iter_chunked(PIECE):
        data += piece
        if len(data) > most:
            return None
    return bytes(data)
