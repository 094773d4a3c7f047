"""What a homeserver says, in shapes of our own: whatever else stands there is left out."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

Json = dict[str, object]
DEEPEST = 100
"""Of what people nest in each other; clients need ten."""


class Nothing(Struct):
    """An answer that says no more than that it was done."""


class Trouble(Struct):
    """Why a call was refused."""

    errcode: str = ""
    error: str = ""
    retry_after_ms: float | None = None


class Sent(Struct):
    event_id: str


class Uploaded(Struct):
    content_uri: str


class Made(Struct):
    room_id: str


class Myself(Struct):
    user_id: str
    device_id: str = ""


class LoggedIn(Struct):
    user_id: str
    device_id: str
    access_token: str


class Profile(Struct):
    displayname: str | None = None


class Joined(Struct):
    """Who is in a room."""

    joined: dict[str, Profile]


class Member(Struct):
    state_key: str


class Members(Struct):
    """Everybody who ever was in a room, or was asked in."""

    chunk: list[Member]


class Predecessor(Struct):
    """The room that another one takes the place of."""

    room_id: str


class Created(Struct):
    """Of an `m.room.create`."""

    predecessor: Predecessor | None = None


class Creation(Struct):
    """The event of an `m.room.create`: *sender* made the room; empty where that is not told."""

    sender: str = ""


class Tombstone(Struct):
    """Of an `m.room.tombstone`."""

    replacement_room: str = ""


class Limits(Struct):
    largest: int | None = field(name="m.upload.size", default=None)


# -- keys ------------------------------------------------------------------------------------------------


class SignedKey(Struct):
    """A part of somebody's cross-signing identity; the keys are base64 without padding."""

    user_id: str
    usage: list[str]
    keys: dict[str, str]
    signatures: dict[str, dict[str, str]] = {}

    @property
    def public(self) -> str:
        return next(iter(self.keys.values()), "")


class Keys(Struct):
    """The devices and identities of those who were asked for; a device as it came, for its signatures."""

    device_keys: dict[str, dict[str, Json]] = {}
    master_keys: dict[str, SignedKey] = {}
    self_signing_keys: dict[str, SignedKey] = {}


class SecretKeyName(Struct):
    key: str


class Ciphertext(Struct):
    iv: str
    ciphertext: str
    mac: str


class Secret(Struct):
    """A secret in the account, encrypted by each key of its owner's."""

    encrypted: dict[str, Ciphertext]


class Unsigned(Struct):
    """What could not be signed; and, where the password is asked for, the name of that conversation."""

    failures: dict[str, object] = {}
    session: str = ""


# -- messages --------------------------------------------------------------------------------------------


class ReplyTo(Struct):
    event_id: str = ""


class Relation(Struct):
    rel_type: str = ""
    event_id: str = ""
    is_falling_back: bool = False
    key: str = ""
    reply: ReplyTo | None = field(name="m.in_reply_to", default=None)


class Mentions(Struct):
    user_ids: list[str] = []


class FileInfo(Struct):
    mimetype: str = ""
    size: float = 0


class FileKey(Struct):
    k: str


class SealedFile(Struct):
    """Where an encrypted file lies, and what opens it."""

    url: str
    key: FileKey
    iv: str
    hashes: dict[str, str]


class Content(Struct):
    """Of an `m.room.message`, or of what changes one."""

    msgtype: str = ""
    body: str = ""
    filename: str = ""
    formatted_body: str | None = None
    url: str = ""
    file: SealedFile | None = None
    info: FileInfo | None = None
    relation: Relation | None = field(name="m.relates_to", default=None)
    mentions: Mentions | UnsetType = field(name="m.mentions", default=UNSET)
    new: Content | None = field(name="m.new_content", default=None)
    redacts: str = ""


class Membership(Struct):
    """Of an `m.room.member`."""

    membership: str = ""


class Before(Struct):
    """What an event took the place of."""

    prev_content: Membership | None = None


class RoomEvent(Struct):
    """Something in a room's timeline. *content* is left as it came until its type is known."""

    type: str
    sender: str
    event_id: str = ""
    origin_server_ts: float = 0
    state_key: str | None = None
    redacts: str = ""
    unsigned: Before | None = None
    content: msgspec.Raw = msgspec.Raw(b"{}")
    sealed_by: str = ""
    """The key of the device that encrypted it; empty for what came in the open."""

    @property
    def membership(self) -> str:
        """How somebody stands to the room from here on; empty where it is about something else."""
        if self.type != "m.room.member":
            return ""
        try:
            return msgspec.json.decode(self.content, type=Membership).membership
        except msgspec.DecodeError:
            return ""

    @property
    def asked(self) -> bool:
        """Whether they were invited before."""
        before = self.unsigned.prev_content if self.unsigned else None
        return before is not None and before.membership == "invite"

    @property
    def joins(self) -> bool:
        """Whether somebody is in the room from here on, who wasn't."""
        before = self.unsigned.prev_content if self.unsigned else None
        return self.membership == "join" and (before is None or before.membership != "join")


def shallow(value: object, depth: int = DEEPEST) -> object:
    """The same, without what is nested deeper: the library gives up whatever came along with that."""
    match value:
        case dict():
            return {key: shallow(one, depth - 1) for key, one in value.items()} if depth else {}
        case list():
            return [shallow(one, depth - 1) for one in value] if depth else []
        case _:
            return value


def room_event(source: Mapping[str, object], sealed_by: str) -> RoomEvent | None:
    """None for what has not the shape of an event; *source* itself can't say how it came."""
    try:
        event = msgspec.json.decode(msgspec.json.encode(dict(source)), type=RoomEvent)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        return None
    event.sealed_by = sealed_by
    return event
