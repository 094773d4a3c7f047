"""One message of ours on its way into a room: each event once, however often it is tried."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import mimetypes
import uuid
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from pathlib import Path

from nio import EncryptionError
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment

from bot.chat import FileRef, MessageRef, NotSent, Refused, RoomAddress, TooLarge, Why
from bot.matrix.api import Api, in_room
from bot.matrix.content import attached, related, replacing, spoken
from bot.matrix.cut import Part
from bot.matrix.pictures import Look, look
from bot.matrix.rooms import Rooms
from bot.matrix.sounds import Sound, listen
from bot.matrix.translate import file_of
from bot.matrix.upgrades import Upgrades
from bot.matrix.wire import Json, Nothing, Sent, Uploaded

LARGEST_FILE = 50 * 1024 * 1024
"""Bytes: what Synapse takes by its own settings, and what we take."""
UNKNOWN_MIME = "application/octet-stream"

logger = logging.getLogger(__name__)

Readers = Callable[[str], Awaitable[Collection[str]]]


class Sending:
    """*media* gives the path of a kept file; *readers* of a room may have our keys. Errors: `ChatError`."""

    def __init__(
        self, api: Api, rooms: Rooms, upgrades: Upgrades, media: Callable[[str], Path], readers: Readers
    ) -> None:
        self._api = api
        self._rooms = rooms
        self._upgrades = upgrades
        self._roots: set[tuple[str, str]] = set()
        self._media = media
        self._readers = readers
        self._turns: dict[str, asyncio.Lock] = {}

    async def send(self, room: RoomAddress, part: Part, once: str) -> MessageRef:
        """*once* names it: under the same name it is there once, however often it is sent."""
        await self._rooted(room)
        if not self._rooms.among_others(room.chat, part.to):
            part = replace(part, to="")
        filed = bool(part.media or part.content)
        said = await self._attached(room.chat, part) if filed else spoken(part)
        try:
            return await self._put(room.chat, related(said, part.reply_to, room.thread), once)
        except Refused as refusal:
            if refusal.why is not Why.TOO_LARGE or filed:
                raise
        return await self._put(
            room.chat, related(await self._as_file(room.chat, part), None, room.thread), once
        )

    async def edit(self, room: RoomAddress, message: MessageRef, part: Part) -> None:
        await self._put(room.chat, replacing(message, part), uuid.uuid4().hex)

    async def react(self, room: RoomAddress, message: MessageRef, key: str) -> None:
        """One that is there already is no error."""
        relation = {"rel_type": "m.annotation", "event_id": message, "key": key}
        path = in_room(room.chat, "send", "m.reaction", transaction(f"{key} {message}"))
        await self._api.call("PUT", path, Sent, {"m.relates_to": relation})

    async def redact(self, room: RoomAddress, message: MessageRef) -> None:
        path = in_room(room.chat, "redact", message, transaction(f"redact {message}"))
        await self._api.call("PUT", path, Sent, {})

    async def fetch(self, file: FileRef) -> bytes:
        """Errors: `TooLarge` before or after asking, for not every message tells its file's size."""
        if file.size > LARGEST_FILE:
            raise TooLarge(LARGEST_FILE)
        url, sealed = file_of(file.ref)
        data = await self._api.download(url, most=LARGEST_FILE)
        if sealed is None:
            return data
        try:
            opened: bytes = await asyncio.to_thread(
                decrypt_attachment, data, sealed.key.k, sealed.hashes.get("sha256", ""), sealed.iv
            )
        except (EncryptionError, ValueError):
            raise Refused("it is not what its sender sent", Why.MEDIA) from None
        return opened

    # -- one event -------------------------------------------------------------------------------------

    async def _put(self, room: str, said: Json, once: str) -> MessageRef:
        """One after the other in a room, or each would ask for the same keys."""
        async with self._turns.setdefault(room, asyncio.Lock()):
            if self._rooms.known(room) is None:
                await self._rooms.members(room)  # or we are not in it
                raise NotSent("whether the room is encrypted is not known yet")
            kind = "m.room.message"
            if self._rooms.encrypted(room):
                kind, said = await self._rooms.sealed(room, kind, said, await self._readers(room))
            path = in_room(room, "send", kind, transaction(once))
            try:
                return MessageRef((await self._api.call("PUT", path, Sent, said)).event_id)
            except Refused as refusal:
                if refusal.why is Why.FORBIDDEN and (closed := await self._upgrades.closed(room)):
                    raise closed from None
                raise

    async def _rooted(self, room: RoomAddress) -> None:
        """A thread stays behind where its room was upgraded. Errors: `Why.THREAD`."""
        if not room.thread or (room.chat, room.thread) in self._roots:
            return
        try:
            await self._api.call("GET", in_room(room.chat, "event", room.thread), Nothing)
        except Refused as refusal:
            raise Refused(str(refusal), Why.THREAD) from None
        self._roots.add((room.chat, room.thread))

    async def _as_file(self, room: str, part: Part) -> Json:
        """What no event holds; nothing of it is left out."""
        data = part.body.encode("utf-8", "replace")
        place = await self._upload(room, data, "text/plain", "message.txt")
        named = replace(part, body="", html="", name="message.txt")
        return attached(named, place, len(data), "text/plain", {})

    async def _attached(self, room: str, part: Part) -> Json:
        data = part.content.encode() or await asyncio.to_thread(self._media(part.media).read_bytes)
        if len(data) > LARGEST_FILE:
            raise Refused(f"more than {LARGEST_FILE} bytes", Why.TOO_LARGE)
        kind = await asyncio.to_thread(_kind, data, part)
        place = await self._upload(room, data, kind if isinstance(kind, str) else kind.mime, part.name)
        small: Json = {}
        if isinstance(kind, Look) and kind.small:
            small = await self._upload(room, kind.small, "image/jpeg", "")
        return attached(part, place, len(data), kind, small)

    async def _upload(self, room: str, data: bytes, mime: str, name: str) -> Json:
        """Where it lies: sealed where the room is encrypted, whatever the settings say."""
        if not self._rooms.encrypted(room):
            found = await self._api.upload(data, mime, name, Uploaded)
            return {"url": found.content_uri}
        sealed, keys = await asyncio.to_thread(encrypt_attachment, data)
        found = await self._api.upload(sealed, UNKNOWN_MIME, "", Uploaded)
        return {"file": {**keys, "url": found.content_uri}}


def _kind(data: bytes, part: Part) -> Look | Sound | str:
    """What it is to people: a picture, a sound, or a file of some type."""
    seen = look(data) if part.photo else None
    return seen or listen(data, part.name) or mimetypes.guess_type(part.name)[0] or UNKNOWN_MIME


def transaction(once: str) -> str:
    """A name that the homeserver remembers for this device."""
    return hashlib.sha256(once.encode()).hexdigest()[:32]
