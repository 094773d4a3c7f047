"""What was heard, in the form in which the inbox keeps it."""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec

from bot.chat import (
    Edited,
    Happened,
    Incoming,
    Joined,
    Message,
    MessageRef,
    Missed,
    Named,
    Press,
    Redacted,
    RoomAddress,
    Standing,
    Stranded,
)
from core.model.ids import RoomId
from core.store import conversations, inbox, moves
from core.store.database import Db

KINDS: dict[str, type[Incoming | Happened]] = {
    kind.__name__.lower(): kind
    for kind in (Message, Press, Edited, Redacted, Standing, Named, Joined, Missed, Stranded)
}


def encoded(heard: Incoming | Happened) -> str:
    """As it is kept; half a surrogate pair is no reason to lose it."""
    return json.dumps({type(heard).__name__.lower(): msgspec.to_builtins(heard)})


def decoded(body: str) -> Incoming | Happened:
    """What `encoded` made of it."""
    ((kind, kept),) = json.loads(body).items()
    return msgspec.convert(kept, KINDS[kind])


def keep(db: Db, heard: Incoming | Happened, *, now: float) -> bool:
    """Into the inbox, in the room that its chat has by now; False if it has been there before."""
    room = heard.room
    chat = moves.called_now(db, room.platform, room.account, room.chat)
    number = conversations.room(db, room.platform, room.account, chat, room.thread).id
    said_at = heard.at if isinstance(heard, Message) and heard.at else now
    return inbox.receive(db, heard.source, number, encoded(heard), said_at=said_at, now=now)


def parked_words(db: Db, room: RoomId) -> list[str]:
    """What somebody said there that waits for the room's project; of files alone their names."""
    heard = (decoded(one.body) for one in inbox.parked_in(db, room))
    said = (one for one in heard if isinstance(one, Message))
    return [one.text or ", ".join(file.name for file in one.files) for one in said]


def as_of(address: RoomAddress, incoming: Incoming) -> Incoming:
    """*incoming* as said where its room is now. Where that has moved since, the numbers of messages that it
    names were left behind."""
    if incoming.room == address:
        return incoming
    if isinstance(incoming, Message):
        return replace(incoming, room=address, id=MessageRef(""), reply_to=None, pieces=())
    return replace(incoming, room=address, message=MessageRef(""))
