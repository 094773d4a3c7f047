"""Which rooms we are in and with whom, and who of them gets our keys."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from nio import KeysClaimResponse, KeysQueryResponse, KeysUploadResponse, MatrixRoom

from bot.chat import ChatError, NotSent, OurDevice, Refused, Why
from bot.matrix.api import PREFIX, Api, in_room, quoted
from bot.matrix.client import Client
from bot.matrix.errors import KeysLost, calling
from bot.matrix.signing import shown, signed_devices, vouches
from bot.matrix.wire import Joined, Json, Keys, Made, Nothing

if TYPE_CHECKING:
    from nio.crypto.sessions import OutboundGroupSession

KEY_SECONDS = 60.0
"""For what a room needs to be written to: it alone waits."""
HOUSE_SECONDS = 15.0
"""For what is owed meanwhile: all hearing waits."""
TAKEN = "already exists"
"""What Synapse says of a key under a name that another key has."""
NO_PREVIEWS: Json = {
    "type": "org.matrix.room.preview_urls",
    "state_key": "",
    "content": {"disable": True},
}
"""Apps ask the homeserver to look at each link, which tells it what an encrypted room speaks of."""
ENCRYPTION: Json = {
    "type": "m.room.encryption",
    "state_key": "",
    "content": {"algorithm": "m.megolm.v1.aes-sha2"},
}
SPACE = "m.space"
MOST_USERS = 50
"""Whose keys are asked for in one call."""


class Rooms:
    """Errors of every call: `ChatError`. Whoever hears is one, whoever writes is one in each room; none of
    them waits for the keys of another."""

    def __init__(self, client: Client, api: Api) -> None:
        self._client = client
        self._api = api
        self._trusted: dict[str, frozenset[str] | None] = {}
        self._shared: dict[str, frozenset[tuple[str, str]]] = {}

    @property
    def user(self) -> str:
        return str(self._client.user_id)

    @property
    def encrypts(self) -> bool:
        """Whether we can."""
        return self._client.olm is not None

    def known(self, room: str) -> MatrixRoom | None:
        return self._client.rooms.get(room)

    def encrypted(self, room: str) -> bool:
        """Once for ever: what was seen of it is kept."""
        known = self.known(room)
        return bool(known and known.encrypted) or room in self._client.encrypted_rooms

    def public(self, room: str) -> bool:
        """Whether anybody at all can read along there, or come in."""
        known = self.known(room)
        if known is None:
            return False
        return known.join_rule == "public" or known.history_visibility == "world_readable"

    def people(self, room: str) -> int:
        """How many there are besides us, those who were invited included."""
        return len(self._others(room))

    def among_others(self, room: str, person: str) -> bool:
        """Whether they are there, and somebody besides them and us."""
        others = self._others(room)
        return person in others and len(others) > 1

    def there(self, room: str) -> set[str]:
        """Who is in it besides us, without those who were only invited."""
        return self._others(room) - self.asked_into(room)

    def asked_into(self, room: str) -> set[str]:
        """Who was invited there and has not come yet."""
        known = self.known(room)
        return {*known.invited_users} if known else set()

    def has(self, room: str, people: Collection[str]) -> bool:
        """Whether they are all there, or were invited."""
        return self._others(room) >= {*people}

    def partner(self, room: str) -> str:
        """The one person there besides us; empty where there are others, or nobody."""
        others = self._others(room)
        return next(iter(others)) if len(others) == 1 else ""

    def private(self) -> list[tuple[str, str]]:
        """The rooms of just one person and us, each with that person."""
        every = [(room, self.partner(room)) for room in self._client.rooms]
        return [(room, person) for room, person in every if person]

    def _others(self, room: str) -> set[str]:
        known = self.known(room)
        return {*known.users} - {self.user} if known else set()

    def alone_with(self, person: str, *, besides: Collection[str] = ()) -> str:
        """A room of just us two, an encrypted one before any other; empty if there is none *besides* those
        that are there for something else. A space is none."""
        rooms = [one for one, known in self._client.rooms.items() if known.room_type != SPACE]
        found = [room for room in rooms if room not in besides and self.partner(room) == person]
        return next((room for room in found if self.encrypted(room)), found[0] if found else "")

    def name(self, room: str, person: str) -> str:
        """What they are called there; empty where they are not known."""
        known = self.known(room)
        return str((known.user_name(person) if known else "") or "")

    def title(self, room: str) -> str:
        """What people see it as."""
        known = self.known(room)
        return str(known.display_name or "") if known else ""

    async def open_with(self, person: str) -> str:
        """A new room for just the two of us."""
        asked = {
            "preset": "trusted_private_chat",
            "is_direct": True,
            "invite": [person],
            "initial_state": [NO_PREVIEWS, *([ENCRYPTION] if self.encrypts else [])],
        }
        return (await self._api.call("POST", f"{PREFIX}/createRoom", Made, asked)).room_id

    async def members(self, room: str) -> set[str]:
        return set((await self._api.call("GET", in_room(room, "joined_members"), Joined)).joined)

    async def join(self, room: str, *, via: str = "") -> None:
        """*via*: a server that knows it, for where nobody has asked us in."""
        await self._api.call("POST", f"{PREFIX}/join/{quoted(room)}{_servers(via)}", Nothing, {})

    async def knock(self, room: str, *, via: str) -> None:
        """Ask to be asked in."""
        await self._api.call("POST", f"{PREFIX}/knock/{quoted(room)}{_servers(via)}", Nothing, {})

    async def leave(self, room: str) -> None:
        await self._api.call("POST", in_room(room, "leave"), Nothing, {})

    # -- keys ------------------------------------------------------------------------------------------

    async def keep_house(self) -> None:
        """What encryption owes after a sync: keys that others ask for, and those that we lack."""
        client = self._client
        if client.olm is None:
            return
        async with calling(HOUSE_SECONDS):
            if client.outgoing_to_device_messages:
                await client.send_to_device_messages()
            await upload_keys(client, self._api)
            await self._query(client.users_for_key_query)
            if client.should_claim_keys:
                await client.keys_claim(client.get_users_for_key_claiming())

    async def know(self, people: Collection[str]) -> None:
        """Find out which devices are theirs, of those for whom we don't know it."""
        olm = self._client.olm
        if olm is None:
            return
        olm.users_for_key_query.update({*people} - self._trusted.keys())
        async with calling(HOUSE_SECONDS):
            await self._query(people)

    def vouched(self, person: str, key: str) -> bool:
        """Whether the device of that key is theirs, and signed where we know who they are. Whoever runs a
        homeserver can say that a message is somebody's, and give them devices."""
        olm = self._client.olm
        if olm is None:
            return False
        signed = self._trusted.get(person, frozenset())
        found = [one.id for one in olm.device_store.active_user_devices(person) if one.curve25519 == key]
        return any(signed is None or device in signed for device in found)

    async def ours(self, device: str) -> OurDevice | None:
        """Our own *device*, as far as is known; None where nothing is encrypted."""
        olm = self._client.olm
        if olm is None:
            return None
        with suppress(ChatError):
            await self.know([self.user])
        signed = device in (self._trusted.get(self.user) or ())
        return OurDevice(device, shown(olm.account.identity_keys["ed25519"]), signed)

    async def sealed(self, room: str, kind: str, content: Json, readers: Collection[str]) -> tuple[str, Json]:
        """The event as it may be seen by the homeserver; its keys have gone to the devices of *readers*."""
        if self._client.olm is None:
            raise Refused("we can't encrypt here", Why.FORBIDDEN)
        await self._share(room, readers)
        async with calling(KEY_SECONDS):
            kind, content = self._client.encrypt(room, kind, content)
            return kind, content

    async def _share(self, room: str, readers: Collection[str]) -> None:
        olm, known = self._client.olm, self.known(room)
        if known is None or olm is None:
            raise NotSent("the room is not known yet")
        known.members_synced = True  # the library asks for it; a sync tells us of everybody
        await self._query(known.users)
        wanted = self._wanted(known, readers)
        if self._shared.get(room) != wanted:
            self._client.invalidate_outbound_session(room)
        if olm.should_share_group_session(room):
            await self._give(room, known, wanted)
            self._shared[room] = wanted

    async def _give(self, room: str, known: MatrixRoom, wanted: Collection[tuple[str, str]]) -> None:
        """The library would go on where a device did not get its key; it would never be able to read us."""
        olm, users = self._client.olm, list(known.users)
        assert olm
        missing = {
            user: [device for device in devices if (user, device) in wanted]
            for user, devices in olm.get_missing_sessions(users).items()
        }
        missing = {user: devices for user, devices in missing.items() if devices}
        async with calling(KEY_SECONDS):
            if missing and not isinstance(await self._client.keys_claim(missing), KeysClaimResponse):
                raise NotSent("no keys to write to somebody came")
            shares = olm.share_group_session_parallel(room, users, ignore_unverified_devices=True)
            for shared_with, messages in shares:
                path = f"{PREFIX}/sendToDevice/m.room.encrypted/{uuid.uuid4().hex}"
                await self._api.call("PUT", path, Nothing, messages)
                self._session(room).users_shared_with.update(shared_with)
        self._session(room).shared = True

    def _session(self, room: str) -> OutboundGroupSession:
        """What we say there is encrypted by. Errors: `NotSent` where somebody came or went meanwhile, with
        which it is given up."""
        olm = self._client.olm
        session = olm.outbound_group_sessions.get(room) if olm else None
        if session is None:
            raise NotSent("who is in the room has changed meanwhile")
        return session

    def _wanted(self, known: MatrixRoom, readers: Collection[str]) -> frozenset[tuple[str, str]]:
        """The devices in a room that get our keys: of *readers*, and where we know who somebody is, those
        that they signed. All others are kept out."""
        olm = self._client.olm
        assert olm
        wanted = set()
        for user in known.users:
            signed = self._trusted.get(user)
            for device in olm.device_store.active_user_devices(user):
                if user in {*readers, self.user} and (signed is None or device.id in signed):
                    wanted.add((user, str(device.id)))
                    olm.unblacklist_device(device)
                else:
                    olm.blacklist_device(device)
        return frozenset(wanted)

    async def _query(self, people: Collection[str]) -> None:
        """Ask for keys of *people* that may have changed, and see whom their owners vouch for."""
        while users := sorted(self._client.users_for_key_query & {*people})[:MOST_USERS]:
            found = await self._api.call(
                "POST", f"{PREFIX}/keys/query", msgspec.Raw, {"device_keys": {user: [] for user in users}}
            )
            keys = msgspec.json.decode(found, type=Keys)
            self._trusted |= {user: _signed(keys, user) for user in users}
            answer = KeysQueryResponse.from_dict(msgspec.json.decode(found))
            if not isinstance(answer, KeysQueryResponse):
                raise NotSent("no keys came")
            for user in users:
                answer.device_keys.setdefault(user, {})  # nobody is asked for again who has none
            await self._client.receive_response(answer)


async def upload_keys(client: Client, api: Api) -> None:
    """What the homeserver is to hand out of ours is on the disk before it has it. An older copy of our keys
    has some under names that are taken already. Errors: `ChatError`, `KeysLost` among them."""
    olm = client.olm
    if olm is None or not client.should_upload_keys:
        return
    asked = olm.share_keys()
    olm.save_account()
    try:
        found = await api.call("POST", f"{PREFIX}/keys/upload", dict, asked)
    except Refused as refusal:
        if TAKEN not in str(refusal):
            raise
        raise KeysLost(str(refusal)) from None
    answer = KeysUploadResponse.from_dict(
        {"one_time_key_counts": {"curve25519": 0} | found["one_time_key_counts"]}
    )
    await client.receive_response(answer)


def _servers(via: str) -> str:
    """Homeservers call it the one or the other."""
    return f"?{urlencode({'via': via, 'server_name': via})}" if via else ""


def _signed(keys: Keys, user: str) -> frozenset[str] | None:
    """The devices that somebody's identity vouches for; None where they have no identity."""
    master, signer = keys.master_keys.get(user), keys.self_signing_keys.get(user)
    if master is None:
        return None
    if signer is None or not vouches(master, signer):
        return frozenset()
    return signed_devices(user, keys.device_keys.get(user, {}), signer)
