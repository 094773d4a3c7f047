"""People with Matrix clients of their own, which encrypt: what they write, and what they see in a room."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from bot.matrix.signing import Seeds, cross_signing_key, signs
from tests.matrix.clients import ENCRYPTION, SECONDS, clients
from tests.matrix.recovery import sealed, written
from tests.matrix.synapse import Json, Member, Synapse
from tests.matrix.timeline import Seen, Timeline

PUSHED = ("m.text", "m.image", "m.file", "m.audio", "m.video", "m.emote")
"""What rings, by the rules that every account begins with; notices and edits do not."""
T = TypeVar("T")


class Person:
    """*member* with one device. Every call returns when the homeserver has answered."""

    def __init__(self, server: Synapse, member: Member, folder: Path) -> None:
        self.id = member.id
        self.server = server
        self.member = member
        self._number = clients().begin(server.url, member, folder)
        self.token, self.device = self._do("log_in")
        self._transactions = count(1)

    # -- rooms -----------------------------------------------------------------------------------------

    def room(self, *invited: str, encrypted: bool = False, version: str = "") -> str:
        """A new one of theirs, private."""
        return str(self._do("room", invited, encrypted=encrypted, version=version))

    def writes_to(self, person: str, *others: str) -> str:
        """A direct room with just them, and *others* where there are some."""
        body = {"preset": "private_chat", "is_direct": True, "invite": [person, *others]}
        room = str(self._call("POST", "/createRoom", body)["room_id"])
        self.looks()
        return room

    def names(self, room: str, name: str) -> None:
        """People see it as *name* from now on."""
        self._call("PUT", f"/rooms/{room}/state/m.room.name/", {"name": name})

    def calls(self, room: str, name: str) -> None:
        """It has that alias."""
        alias = quote(f"#{name}:{self.id.partition(':')[2]}", safe="")
        self._call("PUT", f"/directory/room/{alias}", {"room_id": room})

    def encrypts(self, room: str) -> None:
        self._call("PUT", f"/rooms/{room}/state/m.room.encryption/", ENCRYPTION["content"])
        self.looks()

    def opens_to_all(self, room: str) -> None:
        """Whoever likes reads along from now on."""
        self._call("PUT", f"/rooms/{room}/state/m.room.join_rules/", {"join_rule": "public"})

    def lets_in(self, room: str, rule: str, members_of: str = "") -> None:
        """Who comes in from now on: by that *rule*, without a word where they are members of another room."""
        allow = {"allow": [{"type": "m.room_membership", "room_id": members_of}]} if members_of else {}
        self._call("PUT", f"/rooms/{room}/state/m.room.join_rules/", {"join_rule": rule, **allow})

    def shows_to_all(self, room: str) -> None:
        """Whoever likes looks into it from now on, without coming in."""
        self._call(
            "PUT", f"/rooms/{room}/state/m.room.history_visibility/", {"history_visibility": "world_readable"}
        )

    def invites(self, room: str, person: str) -> None:
        self._call("POST", f"/rooms/{room}/invite", {"user_id": person})
        self.looks()

    def joins(self, room: str) -> None:
        self._call("POST", f"/join/{room}", {})
        self.looks()

    def removes(self, room: str, person: str) -> None:
        self._call("POST", f"/rooms/{room}/kick", {"user_id": person})

    def bans(self, room: str, person: str) -> None:
        self._call("POST", f"/rooms/{room}/ban", {"user_id": person})

    def leaves(self, room: str) -> None:
        self._call("POST", f"/rooms/{room}/leave", {})

    def upgrades(self, room: str, version: str) -> str:
        return str(self._call("POST", f"/rooms/{room}/upgrade", {"new_version": version})["replacement_room"])

    def state(self, room: str, kind: str, key: str = "") -> Json:
        return self._call("GET", f"/rooms/{room}/state/{kind}/{key}")

    def takes_the_place_of(self, room: str, *invited: str) -> str:
        """A new room says so of itself; *room* knows nothing of it."""
        before = {"predecessor": {"room_id": room, "event_id": "$none"}}
        asked = {"creation_content": before, "invite": invited, "room_version": "11"}
        new = str(self._call("POST", "/createRoom", asked)["room_id"])
        self.looks()
        return new

    def members(self, room: str) -> dict[str, str]:
        """How everybody stands to it who ever did."""
        found = self._call("GET", f"/rooms/{room}/members")["chunk"]
        return {event["state_key"]: event["content"]["membership"] for event in found}

    def invited_to(self) -> list[str]:
        found: list[str] = self._do("invited")
        return found

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
        self._do("keep_key", room)

    def begins_anew(self, room: str) -> None:
        """What they say from now on has another key."""
        self._do("begin_anew", room)

    def tells_the_key(self) -> None:
        for messages in self._do("kept_keys"):
            path = f"/sendToDevice/m.room.encrypted/{next(self._transactions)}-{id(self)}"
            self._call("PUT", path, messages)

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
        return str(self._do("attach", room, name, data, mime, caption, size, wrong=wrong))

    def sends(self, room: str, content: Json, *, kind: str = "m.room.message") -> str:
        return str(self._do("send", room, content, kind))

    def nests(self, room: str, depth: int) -> None:
        """Something that is no message, nested so deep; no client of ours can read on there after that."""
        self._do("nest", room, depth)

    # -- what they see ---------------------------------------------------------------------------------

    def looks(self) -> None:
        """Take in whatever there is by now."""
        self._do("sync", 0)

    def timeline(self, room: str) -> Timeline:
        """As it is now."""
        found: Timeline = self._do("timeline", room)
        return found

    def seen(self, room: str) -> list[Seen]:
        """What others said, as it stands now."""
        return [one for one in self.timeline(room).messages.values() if one.sender != self.id]

    def reads(self, room: str) -> list[str]:
        return [one.body for one in self.seen(room)]

    def events(self, room: str) -> list[Json]:
        """All that happened there, as the homeserver has it."""
        found: list[Json] = self._call("GET", f"/rooms/{room}/messages?dir=f&limit=1000")["chunk"]
        return found

    def rings(self, room: str) -> int:
        """How often others called them there."""
        return sum(one.kind in PUSHED for one in self.seen(room))

    def opens(self, seen: Seen) -> bytes:
        """The file that a message shows."""
        data: bytes = self._do("open", seen.content)
        return data

    def fetches(self, mxc: str) -> bytes:
        """A file as it lies on the homeserver."""
        data: bytes = self._do("open", {"url": mxc})
        return data

    async def until(self, true: Callable[[], T], seconds: float = SECONDS) -> T:
        """What *true* says once it says something, looked at whenever the homeserver has news; the loop that
        asks goes on meanwhile."""
        async with asyncio.timeout(seconds):
            while not (found := await asyncio.to_thread(true)):
                await asyncio.to_thread(self._do, "sync", 300)
        return found

    # -- their account ---------------------------------------------------------------------------------

    def closes(self) -> None:
        self._do("close")

    def keys_of(self, person: str) -> Json:
        """What the homeserver tells of somebody's devices and of who they are."""
        return self._call("POST", "/keys/query", {"device_keys": {person: []}})

    # -- inside ----------------------------------------------------------------------------------------

    def _do(self, what: str, *words: Any, **terms: Any) -> Any:
        return clients().ask(self._number, what, *words, **terms)

    def _call(self, method: str, path: str, body: Json | None = None) -> Json:
        return self.server.call(method, f"/_matrix/client/v3{path}", body, token=self.token)


class People:
    """Everybody on one homeserver."""

    def __init__(self, server: Synapse, folder: Path) -> None:
        self.server = server
        self.all: list[Person] = []
        self._folder = folder

    def person(self, name: str = "ann", member: Member | None = None) -> Person:
        """Somebody new, or *member* on one more device."""
        person = Person(self.server, member or self.server.member(name), self._folder / str(len(self.all)))
        self.all.append(person)
        return person


@contextmanager
def people(server: Synapse, folder: Path) -> Iterator[People]:
    """Their clients run meanwhile."""
    everybody = People(server, folder)
    try:
        yield everybody
    finally:
        for person in everybody.all:
            person.closes()
