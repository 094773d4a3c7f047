"""Just enough HTTP/1.1 for a Bot API: requests read whole off a connection, answers written onto it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

LONGEST_BODY = 51 * 1024 * 1024
"""Bytes: an upload of 50 MB with what is around it."""
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Request:
    """*fields* are strings, or any JSON where the body is JSON; *too_big*: its body was thrown away."""

    path: str
    fields: dict[str, Any]
    files: dict[str, Upload]
    too_big: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes = field(repr=False)
    kind: str = "application/json"

    def write(self, writer: asyncio.StreamWriter) -> None:
        head = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
        head += f"Content-Type: {self.kind}\r\nContent-Length: {len(self.body)}\r\n\r\n"
        writer.write(head.encode() + self.body)


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None where it has ended."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        target = urlsplit(head[0].split(" ")[1])
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (h.partition(":") for h in head[1:])
        }
        body = await _read_body(reader, headers)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    fields: dict[str, Any] = dict(parse_qsl(target.query, keep_blank_values=True))
    files: dict[str, Upload] = {}
    if body is not None:
        _read_fields(headers.get("content-type", ""), body, fields, files)
    return Request(unquote(target.path), fields, files, too_big=body is None)


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes | None:
    """None where it is longer than we take; it is off the connection then, too."""
    pieces: list[bytes] = []
    size = 0
    async for piece in _pieces(reader, headers):
        size += len(piece)
        pieces.append(piece)
        if size > LONGEST_BODY:
            pieces.clear()
    return b"".join(pieces) if size <= LONGEST_BODY else None


async def _pieces(reader: asyncio.StreamReader, headers: dict[str, str]) -> AsyncIterator[bytes]:
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            yield await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    left = int(headers.get("content-length", 0))
    while left:
        piece = await reader.readexactly(min(left, 1 << 20))
        left -= len(piece)
        yield piece


def _read_fields(kind: str, body: bytes, fields: dict[str, Any], files: dict[str, Upload]) -> None:
    if kind.startswith(FORM):
        fields.update(parse_qsl(body.decode(), keep_blank_values=True))
    elif kind.startswith("application/json"):
        fields.update(json.loads(body or b"{}"))
    elif found := re.match(r'multipart/form-data;.*boundary="?([^";]+)', kind):
        for name, file_name, data in _parts(body, found.group(1)):
            if file_name is None:
                fields[name] = data.decode()
            else:
                files[name] = Upload(file_name, data)


def _parts(body: bytes, boundary: str) -> Iterator[tuple[str, str | None, bytes]]:
    """Name, file name and bytes of each part."""
    for part in (b"\r\n" + body).split(b"\r\n--" + boundary.encode())[1:-1]:
        head, _, data = part.partition(b"\r\n\r\n")
        named = dict(re.findall(r'; (name|filename)="([^"]*)"', head.decode()))
        yield named["name"], named.get("filename"), data
