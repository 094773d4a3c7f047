"""The clients of people, in a process of their own: their library keeps its databases in what all of one
process share."""

from __future__ import annotations

import asyncio
import io
import multiprocessing
import threading
from functools import cache
from multiprocessing.managers import BaseManager
from pathlib import Path
from typing import Any

from nio import RoomMessagesResponse, SyncResponse
from nio.client.async_client import AsyncClient, AsyncClientConfig
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment

from tests.matrix.synapse import Json, Member
from tests.matrix.timeline import Timeline

SECONDS = 30.0
ENCRYPTION: Json = {
    "type": "m.room.encryption",
    "state_key": "",
    "content": {"algorithm": "m.megolm.v1.aes-sha2"},
}


KINDS = {"image": "m.image", "audio": "m.audio", "video": "m.video"}
"""What clients call a file of each type, and any other a file."""


class Device:
    """A member's client, which keeps all in *folder*."""

    def __init__(self, url: str, member: Member, folder: Path) -> None:
        self._member = member
        folder.mkdir(parents=True, exist_ok=True)
        config = AsyncClientConfig(max_limit_exceeded=0, max_timeouts=0, store_sync_tokens=False)
        self._client: Any = AsyncClient(url, member.id, store_path=str(folder), config=config)
        self._timelines: dict[str, Timeline] = {}
        self._kept_keys: list[Json] = []

    async def log_in(self) -> tuple[str, str]:
        """The token, and the name of the device."""
        answer = await self._client.login(self._member.password)
        assert answer.user_id == self._member.id, answer
        await self.sync(0)
        return str(self._client.access_token), str(self._client.device_id)

    async def close(self) -> None:
        await self._client.close()

    async def timeline(self, room: str) -> Timeline:
        await self.sync(0)
        return self._timelines.setdefault(room, Timeline())

    async def invited(self) -> list[str]:
        await self.sync(0)
        return list(self._client.invited_rooms)

    async def begin_anew(self, room: str) -> None:
        self._client.invalidate_outbound_session(room)

    async def kept_keys(self) -> list[Json]:
        """Those that were told to nobody yet, once."""
        kept, self._kept_keys = self._kept_keys, []
        return kept

    async def sync(self, milliseconds: int) -> None:
        """As often as there is something new."""
        news = True
        while news:
            before = self._client.next_batch
            answer = await self._client.sync(milliseconds, full_state=not before)
            assert isinstance(answer, SyncResponse), answer
            for name, joined in answer.rooms.join.items():
                await self._fill(name, joined.timeline, before)
            await self._keep_house()
            news = bool(before) and bool(answer.rooms.join) and not milliseconds

    async def _fill(self, room: str, timeline: Any, since: str) -> None:
        events = list(timeline.events)
        start = timeline.prev_batch if timeline.limited and since else ""
        while start:
            page = await self._client.room_messages(room, start, end=since, limit=100)
            assert isinstance(page, RoomMessagesResponse), page
            events = [*reversed(page.chunk), *events]
            start = page.end if page.chunk else ""
        for event in events:
            self._timelines.setdefault(room, Timeline()).take(event)

    async def _keep_house(self) -> None:
        client = self._client
        if client.outgoing_to_device_messages:
            await client.send_to_device_messages()
        if client.should_upload_keys:
            await client.keys_upload()
        if client.should_query_keys:
            await client.keys_query()
        if client.should_claim_keys:
            await client.keys_claim(client.get_users_for_key_claiming())

    async def room(self, invited: tuple[str, ...], *, encrypted: bool, version: str) -> str:
        answer = await self._client.room_create(
            invite=invited,
            initial_state=[ENCRYPTION] if encrypted else [],
            room_version=version or None,
        )
        await self.sync(0)
        return str(answer.room_id)

    async def send(self, room: str, content: Json, kind: str) -> str:
        """Clients have heard meanwhile of new devices."""
        if self._client.rooms[room].encrypted:
            await self.sync(0)
        answer = await self._client.room_send(room, kind, content, ignore_unverified_devices=True)
        assert hasattr(answer, "event_id"), answer
        return str(answer.event_id)

    async def nest(self, room: str, depth: int) -> str:
        """No process hands anything so deep to another."""
        nested: list[Any] = []
        for _ in range(depth):
            nested = [nested]
        return await self.send(room, {"msgtype": "m.text", "body": 5, "a": nested}, "m.room.message")

    async def keep_key(self, room: str) -> None:
        client, members = self._client, self._client.rooms[room].users
        client.invalidate_outbound_session(room)
        if missing := client.get_missing_sessions(room):
            await client.keys_claim(missing)
        shares = client.olm.share_group_session_parallel(room, list(members), ignore_unverified_devices=True)
        self._kept_keys += [messages for _, messages in shares]
        client.olm.outbound_group_sessions[room].shared = True

    async def attach(
        self, room: str, name: str, data: bytes, mime: str, caption: str, size: int, *, wrong: bool
    ) -> str:
        content: Json = {
            "msgtype": KINDS.get(mime.partition("/")[0], "m.file"),
            "body": caption or name,
            "filename": name,
            "info": {"mimetype": mime, "size": size or len(data)},
        }
        if self._client.rooms[room].encrypted:
            closed, keys = encrypt_attachment(data)
            place = await self._upload(closed[::-1] if wrong else closed)
            content["file"] = keys | {"url": place}
        else:
            content["url"] = await self._upload(data)
        return await self.send(room, content, "m.room.message")

    async def _upload(self, data: bytes) -> str:
        answer, _ = await self._client.upload(lambda *_: io.BytesIO(data), filesize=len(data))
        return str(answer.content_uri)

    async def open(self, content: Json) -> bytes:
        file = content.get("file")
        answer = await self._client.download(mxc=file["url"] if file else content["url"])
        data: bytes = answer.body
        return (
            decrypt_attachment(data, file["key"]["k"], file["hashes"]["sha256"], file["iv"]) if file else data
        )


class Clients:
    """Of everybody, on one loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        self._devices: list[Device] = []

    def begin(self, url: str, member: Member, folder: Path) -> int:
        """The number of a new one."""
        self._devices.append(Device(url, member, folder))
        return len(self._devices) - 1

    def ask(self, number: int, what: str, *words: Any, **terms: Any) -> Any:
        """What that client answers."""
        work = getattr(self._devices[number], what)(*words, **terms)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)


class Manager(BaseManager):
    """Of the process that they run in."""

    clients: Any


Manager.register("clients", Clients)


@cache
def clients() -> Any:
    """One process for all tests of this one; it ends with it."""
    manager = Manager(ctx=multiprocessing.get_context("spawn"))
    manager.start()
    clients.manager = manager  # type: ignore[attr-defined]
    return manager.clients()
