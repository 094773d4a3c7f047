"""People with Matrix clients of their own, which encrypt: what they write, and what they see in a room."""

from __future__ import annotations

import asyncio
import io
import secrets
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from nio import RoomMessagesResponse, SyncResponse
from nio.client.async_client import AsyncClient, AsyncClientConfig
from nio.crypto.attachments import decrypt_attachment, encrypt_attachment

from bot.matrix.signing import Seeds, cross_signing_key, signs
from tests.matrix.recovery import sealed, written
from tests.matrix.synapse import Json, Member, Synapse
from tests.matrix.timeline import Seen, Timeline

SECONDS = 30.0
PUSHED = ("m.text", "m.image", "m.file", "m.audio", "m.video", "m.emote")
"""What rings, by the rules that every account begins with; notices and edits do not."""
ENCRYPTION: Json = {
    "type": "m.room.encryption",
    "state_key": "",
    "content": {"algorithm": "m.megolm.v1.aes-sha2"},
}

T = TypeVar("T")


class Person:
    """*member* with one device. Every call returns when the homeserver has answered; none may be made on the
    loop of the clients."""

    def __init__(
        self, server: Synapse, member: Member, folder: Path, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.id = member.id
        self.server = server
        self.member = member
        self._loop = loop
        self._folder = folder
        self._client: Any = None
        self._timelines: dict[str, Timeline] = {}
        self._invited: list[str] = []
        self._transactions = count(1)
        self._kept_keys: list[Json] = []

    # -- rooms -----------------------------------------------------------------------------------------

    def room(self, *invited: str, encrypted: bool = False, version: str = "") -> str:
        """A new one of theirs, private."""
        return self._do(self._room(invited, encrypted=encrypted, version=version))

    def encrypts(self, room: str) -> None:
        self._call("PUT", f"/rooms/{room}/state/m.room.encryption/", ENCRYPTION["content"])
        self.looks()

    def invites(self, room: str, person: str) -> None:
        self._call("POST", f"/rooms/{room}/invite", {"user_id": person})
        self.looks()

    def joins(self, room: str) -> None:
        self._call("POST", f"/join/{room}", {})
        self.looks()

    def removes(self, room: str, person: str) -> None:
        self._call("POST", f"/rooms/{room}/kick", {"user_id": person})

    def leaves(self, room: str) -> None:
        self._call("POST", f"/rooms/{room}/leave", {})

    def upgrades(self, room: str, version: str) -> str:
        return str(self._call("POST", f"/rooms/{room}/upgrade", {"new_version": version})["replacement_room"])

    def members(self, room: str) -> dict[str, str]:
        """How everybody stands to it who ever did."""
        found = self._call("GET", f"/rooms/{room}/members")["chunk"]
        return {event["state_key"]: event["content"]["membership"] for event in found}

    def invited_to(self) -> list[str]:
        self.looks()
        return self._invited

    # -- what they do ----------------------------------------------------------------------------------

    def says(self, room: str, text: str, **content: Any) -> str:
        """The name of the event."""
        return self.sends(room, {"msgtype": "m.text", "body": text, **content})

    def says_openly(self, room: str, text: str) -> None:
        """As a client does that knows no encryption."""
        path = f"/rooms/{room}/send/m.room.message/{next(self._transactions)}-{id(self)}"
        self._call("PUT", path, {"msgtype": "m.text", "body": text})

    def keeps_the_key(self, room: str) -> None:
        """What they say from now on nobody can read, until they tell the key."""
        self._do(self._keep_key(room))

    def begins_anew(self, room: str) -> None:
        """What they say from now on has another key."""
        self._client.invalidate_outbound_session(room)

    def tells_the_key(self) -> None:
        for messages in self._kept_keys:
            path = f"/sendToDevice/m.room.encrypted/{next(self._transactions)}-{id(self)}"
            self._call("PUT", path, messages)
        self._kept_keys.clear()

    def takes_a_key_of(self, person: str) -> None:
        """As whoever writes to each of their devices for the first time."""
        devices = self.keys_of(person)["device_keys"][person]
        asked = {person: dict.fromkeys(devices, "signed_curve25519")}
        self._call("POST", "/keys/claim", {"one_time_keys": asked})

    def signs_herself(self) -> None:
        """They get an identity, which vouches for this device."""
        seeds, device = Seeds.new(), self.keys_of(self.id)["device_keys"][self.id][self.device]
        keys = {
            f"{usage}_key": cross_signing_key(self.id, usage, seed)
            for usage, seed in (("self_signing", seeds.self_signing), ("user_signing", seeds.user_signing))
        }
        body = {name: signs(self.id, seeds.master, key) for name, key in keys.items()}
        body["master_key"] = cross_signing_key(self.id, "master", seeds.master)
        self._call("POST", "/keys/device_signing/upload", body)
        del device["unsigned"]
        signed = signs(self.id, seeds.self_signing, device)
        self._call("POST", "/keys/signatures/upload", {self.id: {self.device: signed}})

    def keeps_secrets(self, seeds: dict[str, str]) -> str:
        """Who the account is lies in it from now on, as clients put it there; the recovery key."""
        key = secrets.token_bytes(32)
        data = f"/user/{self.id}/account_data"
        algorithm = "m.secret_storage.v1.aes-hmac-sha2"
        self._call("PUT", f"{data}/m.secret_storage.key.one", {"algorithm": algorithm})
        self._call("PUT", f"{data}/m.secret_storage.default_key", {"key": "one"})
        for part, seed in seeds.items():
            name = f"m.cross_signing.{part}"
            self._call("PUT", f"{data}/{name}", {"encrypted": {"one": sealed(key, name, seed)}})
        return written(key)

    def replies(self, room: str, to: str, text: str) -> str:
        return self.says(room, text, **{"m.relates_to": {"m.in_reply_to": {"event_id": to}}})

    def edits(self, room: str, message: str, text: str) -> str:
        new = {"msgtype": "m.text", "body": text}
        relation = {"rel_type": "m.replace", "event_id": message}
        return self.sends(room, {**new, "body": f"* {text}", "m.new_content": new, "m.relates_to": relation})

    def in_thread(self, room: str, root: str, text: str) -> str:
        relation = {
            "rel_type": "m.thread",
            "event_id": root,
            "is_falling_back": True,
            "m.in_reply_to": {"event_id": root},
        }
        return self.says(room, text, **{"m.relates_to": relation})

    def reacts(self, room: str, message: str, key: str) -> str:
        relation = {"rel_type": "m.annotation", "event_id": message, "key": key}
        return self.sends(room, {"m.relates_to": relation}, kind="m.reaction")

    def redacts(self, room: str, message: str) -> None:
        self._call("PUT", f"/rooms/{room}/redact/{message}/{next(self._transactions)}-{id(self)}", {})

    def attaches(
        self,
        room: str,
        name: str,
        data: bytes,
        *,
        mime: str = "application/octet-stream",
        caption: str = "",
        size: int = 0,
        wrong: bool = False,
    ) -> str:
        """A picture, or another file, encrypted where the room is. *size*: what is said of it; *wrong*: it is
        not what its hash says."""
        return self._do(self._attach(room, name, data, mime, caption, size, wrong=wrong))

    def sends(self, room: str, content: Json, *, kind: str = "m.room.message") -> str:
        return self._do(self._send(room, content, kind))

    # -- what they see ---------------------------------------------------------------------------------

    def looks(self) -> None:
        """Take in whatever there is by now."""
        self._do(self._sync(0))

    def timeline(self, room: str) -> Timeline:
        """As it is now."""
        self.looks()
        return self._timelines.setdefault(room, Timeline())

    def seen(self, room: str) -> list[Seen]:
        """What others said, as it stands now."""
        return [one for one in self.timeline(room).messages.values() if one.sender != self.id]

    def reads(self, room: str) -> list[str]:
        return [one.body for one in self.seen(room)]

    def rings(self, room: str) -> int:
        """How often others called them there."""
        return sum(one.kind in PUSHED for one in self.seen(room))

    def opens(self, seen: Seen) -> bytes:
        """The file that a message shows."""
        return self._do(self._open(seen.content))

    def fetches(self, mxc: str) -> bytes:
        """A file as it lies on the homeserver."""
        return self._do(self._open({"url": mxc}))

    async def until(self, true: Callable[[], T], seconds: float = SECONDS) -> T:
        """What *true* says once it says something, looked at whenever the homeserver has news; the loop that
        asks goes on meanwhile."""
        async with asyncio.timeout(seconds):
            while not (found := await asyncio.to_thread(true)):
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._sync(300), self._loop))
        return found

    # -- their account ---------------------------------------------------------------------------------

    def logs_in(self) -> None:
        self._do(self._log_in())

    def logs_out(self) -> None:
        if self._client:
            self._do(self._client.close())

    @property
    def token(self) -> str:
        return str(self._client.access_token)

    @property
    def device(self) -> str:
        return str(self._client.device_id)

    def keys_of(self, person: str) -> Json:
        """What the homeserver tells of somebody's devices and of who they are."""
        return self._call("POST", "/keys/query", {"device_keys": {person: []}})

    # -- inside ----------------------------------------------------------------------------------------

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def _call(self, method: str, path: str, body: Json | None = None) -> Json:
        return self.server.call(method, f"/_matrix/client/v3{path}", body, token=self.token)

    async def _log_in(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        config = AsyncClientConfig(max_limit_exceeded=0, max_timeouts=0, store_sync_tokens=False)
        self._client = AsyncClient(self.server.url, self.id, store_path=str(self._folder), config=config)
        answer = await self._client.login(self.member.password)
        assert answer.user_id == self.id, answer
        await self._sync(0)

    async def _sync(self, milliseconds: int) -> None:
        """As often as there is something new."""
        news = True
        while news:
            before = self._client.next_batch
            answer = await self._client.sync(milliseconds, full_state=not before)
            assert isinstance(answer, SyncResponse), answer
            self._invited = list(self._client.invited_rooms)
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

    async def _room(self, invited: tuple[str, ...], *, encrypted: bool, version: str) -> str:
        answer = await self._client.room_create(
            invite=invited,
            initial_state=[ENCRYPTION] if encrypted else [],
            room_version=version or None,
        )
        await self._sync(0)
        return str(answer.room_id)

    async def _send(self, room: str, content: Json, kind: str) -> str:
        """Clients have heard meanwhile of new devices."""
        if self._client.rooms[room].encrypted:
            await self._sync(0)
        answer = await self._client.room_send(room, kind, content, ignore_unverified_devices=True)
        assert hasattr(answer, "event_id"), answer
        return str(answer.event_id)

    async def _keep_key(self, room: str) -> None:
        client, members = self._client, self._client.rooms[room].users
        client.invalidate_outbound_session(room)
        if missing := client.get_missing_sessions(room):
            await client.keys_claim(missing)
        shares = client.olm.share_group_session_parallel(room, list(members), ignore_unverified_devices=True)
        self._kept_keys += [messages for _, messages in shares]
        client.olm.outbound_group_sessions[room].shared = True

    async def _attach(
        self, room: str, name: str, data: bytes, mime: str, caption: str, size: int, *, wrong: bool
    ) -> str:
        content: Json = {
            "msgtype": "m.image" if mime.startswith("image/") else "m.file",
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
        return await self._send(room, content, "m.room.message")

    async def _upload(self, data: bytes) -> str:
        answer, _ = await self._client.upload(lambda *_: io.BytesIO(data), filesize=len(data))
        return str(answer.content_uri)

    async def _open(self, content: Json) -> bytes:
        file = content.get("file")
        answer = await self._client.download(mxc=file["url"] if file else content["url"])
        data: bytes = answer.body
        return (
            decrypt_attachment(data, file["key"]["k"], file["hashes"]["sha256"], file["iv"]) if file else data
        )


class People:
    """Everybody whose client runs on one loop, in a thread of its own."""

    def __init__(self, server: Synapse, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._all: list[Person] = []

    def person(self, name: str = "ann", member: Member | None = None) -> Person:
        """Somebody new, or *member* on one more device."""
        folder = self._folder / str(len(self._all))
        person = Person(self.server, member or self.server.member(name), folder, self._loop)
        self._all.append(person)
        person.logs_in()
        return person


@contextmanager
def people(server: Synapse, folder: Path) -> Iterator[People]:
    """Their clients run meanwhile."""
    everybody = People(server, folder)
    everybody._thread.start()
    try:
        yield everybody
    finally:
        for person in everybody._all:
            person.logs_out()
        everybody._loop.call_soon_threadsafe(everybody._loop.stop)
        everybody._thread.join()
        everybody._loop.close()
