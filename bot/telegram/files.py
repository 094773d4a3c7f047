"""The bytes of files, both ways: those that people send, and ours, as a document if need be."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path, PurePath

from telegram import File
from telegram.error import InvalidToken

from bot.chat import FileRef, Refused, TooLarge, Why
from bot.telegram.api import Api, Patience
from bot.telegram.errors import calling, words
from core.answers.pictures import MOST_PIXELS, Kind, named, sniff
from core.files import read_regular

LARGEST_PHOTO = 10 * 1024 * 1024
LARGEST_DOWNLOAD = 20 * 1024 * 1024
LARGEST_LOCAL = 256 * 1024 * 1024
"""Of a server on this machine, which hands out files of any size: ours go through memory."""
DOWNLOADS = 3
"""Files on their way at once: far fewer than there are connections, so that nothing else waits for them."""
SLOWEST = 50_000
"""Bytes per second; a line that is slower gives up."""


def seconds_for(size: int) -> float:
    """How long *size* bytes may be on their way."""
    return size / SLOWEST


def read(path: Path) -> bytes:
    """Errors: `Refused` where nothing is there to send."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused(error.strerror or "unreadable", Why.MEDIA) from error
    if not data:
        raise Refused("empty", Why.MEDIA)
    return data


def as_document(data: bytes, name: str) -> tuple[bytes, str]:
    """Telegram would show a WebP document as a sticker, so it goes as PNG."""
    if sniff(data) is not Kind.WEBP:
        return data, named(name, data)
    from PIL import Image

    held = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        if image.width * image.height > MOST_PIXELS:
            return data, name
        image.save(held, "PNG")
    return held.getvalue(), str(PurePath(name).with_suffix(".png"))


class Files:
    """What people send, as bytes. *local*: the server keeps its files on this machine, and says where."""

    def __init__(self, api: Api, patience: Patience, *, local: bool) -> None:
        self._api = api
        self._patience = patience
        self._local = local
        self._places = asyncio.Semaphore(DOWNLOADS)

    @property
    def largest(self) -> int:
        return LARGEST_LOCAL if self._local else LARGEST_DOWNLOAD

    async def fetch(self, file: FileRef) -> bytes:
        """Errors: `ChatError`; `TooLarge` before or after asking, for not every message tells its file's
        size."""
        if file.size > self.largest:
            raise TooLarge(self.largest)
        seconds = self._patience.call + seconds_for(file.size or LARGEST_DOWNLOAD)
        try:
            async with self._places, calling(seconds):
                found = await self._api.get_file(file.ref)
                if (found.file_size or 0) > self.largest:
                    raise TooLarge(self.largest)
                return await self._bytes(found)
        except Refused as refusal:
            if refusal.why is Why.TOO_LARGE:
                raise TooLarge(self.largest) from None
            raise

    async def _bytes(self, found: File) -> bytes:
        """To the library every «not found» says that the token is none; but that has just named the file.
        Errors: `Refused` where the file is not there any more, or is none that we may read."""
        path = found.file_path or ""
        if path.startswith("/"):
            return await self._here(Path(path))
        try:
            return bytes(await found.download_as_bytearray(read_timeout=self._patience.read))
        except InvalidToken as error:
            if "unauthorized" in str(error).lower():
                raise
            raise Refused(words(error), Why.GONE) from None

    async def _here(self, path: Path) -> bytes:
        """A file of this machine: only a server that is told to be here may name one."""
        if not self._local:
            raise Refused("the server names a file of this machine", Why.GONE)
        try:
            return await asyncio.to_thread(read_regular, path, most=self.largest)
        except OSError as error:
            raise Refused(error.strerror or "unreadable", Why.GONE) from None
