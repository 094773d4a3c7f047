"""A transcription endpoint on a real port: it takes what OpenAI's takes, and answers as a test says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes

PATH, MODELS = "/v1/audio/transcriptions", "/v1/models"


@dataclass(frozen=True)
class Heard:
    """One call: its fields, its file, and what it was authorised by."""

    fields: dict[str, str]
    name: str
    data: bytes
    authorization: str


@dataclass
class Transcription:
    """Says *text* of whatever it hears; or answers with *status* and *body*, after *delay* seconds."""

    text: str = "Fix the tests."
    status: int = 200
    models: int = 200
    body: bytes = b""
    delay: float = 0.0
    location: str = ""
    port: int = 0
    heard: list[Heard] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        request, _, lines = head.partition("\r\n")
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines.split("\r\n"))
        }
        if request.split()[:2] == ["GET", MODELS]:
            writer.write(f"HTTP/1.1 {self.models} X\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
            return
        data = await reader.readexactly(int(headers["content-length"]))
        assert request.split()[:2] == ["POST", PATH], request
        self.heard.append(read_form(headers, data))
        await asyncio.sleep(self.delay)
        body = self.body or json.dumps({"text": self.text, "usage": {"seconds": 3}}).encode()
        more = f"Location: {self.location}\r\n" if self.location else ""
        writer.write(f"HTTP/1.1 {self.status} X\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode() + body)
        await writer.drain()


def read_form(headers: dict[str, str], data: bytes) -> Heard:
    whole = message_from_bytes(f"Content-Type: {headers['content-type']}\r\n\r\n".encode() + data)
    fields: dict[str, str] = {}
    name, file = "", b""
    for part in whole.walk():
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            continue
        if part.get_filename():
            name, file = str(part.get_filename()), content
        else:
            fields[str(part.get_param("name", header="content-disposition"))] = content.decode()
    return Heard(fields, name, file, headers.get("authorization", ""))


@asynccontextmanager
async def transcription() -> AsyncIterator[Transcription]:
    endpoint = Transcription()
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    endpoint.port = server.sockets[0].getsockname()[1]
    try:
        yield endpoint
    finally:
        server.close()
