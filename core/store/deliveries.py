"""Messages on their way to chats: kept until the chat has them, each step stored before the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NewType

from core.model.ids import PromptId, RoomId
from core.store.database import Db

DeliveryId = NewType("DeliveryId", int)
Kind = Literal["ended", "part", "progress", "reply"]
OPEN = "state IN ('pending', 'sending', 'unknown')"
"""Never of `progress`: a message that shows a turn is not sent again."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """*repeat*: it may be there already, and a repeat says so. *at*: seconds since the epoch."""

    id: DeliveryId
    room: RoomId
    prompt: PromptId | None
    kind: Kind
    part: int
    body: str
    repeat: bool
    at: float


def add(db: Db, room: RoomId, bodies: Sequence[str], *, now: float) -> None:
    """Replies that are no part of a prompt's end."""
    db.executemany(
        "INSERT INTO deliveries (room, kind, body, created_at) VALUES (?, 'reply', ?, ?)",
        [(room, body, now) for body in bodies],
    )


def add_once(db: Db, room: RoomId, prompt: PromptId, number: int, body: str, *, now: float) -> None:
    """What is told of event *number* of a prompt, however often it is seen."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, part, body, created_at) VALUES (?, ?, 'reply', ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (room, prompt, number, body, now),
    )


def announce(db: Db, prompt: PromptId, *, now: float) -> None:
    """The prompt has ended: its room is to be told, if it is one that is told."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, created_at)"
        " SELECT room, id, 'ended', ? FROM prompts WHERE id = ? AND room IS NOT NULL ON CONFLICT DO NOTHING",
        (now, prompt),
    )


def cut(db: Db, ended: Delivery, bodies: Sequence[str]) -> None:
    """Put the messages that an `ended` delivery comes to in its place, once; they are as old as it is."""
    if db.execute("DELETE FROM deliveries WHERE id = ?", (ended.id,)).rowcount == 0:
        return
    db.executemany(
        "INSERT INTO deliveries (room, prompt, kind, part, body, created_at) VALUES (?, ?, 'part', ?, ?, ?)",
        [(ended.room, ended.prompt, part, body, ended.at) for part, body in enumerate(bodies)],
    )


def rooms_due(db: Db, platform: str, account: str) -> list[tuple[RoomId, tuple[str, str, str, str]]]:
    """The rooms of an account that are to get something, each with its address."""
    found = db.execute(
        f"SELECT DISTINCT r.* FROM deliveries d JOIN rooms r ON r.id = d.room WHERE d.{OPEN}"
        " AND r.platform = ? AND r.account = ?",
        (platform, account),
    )
    return [
        (RoomId(row["id"]), (row["platform"], row["account"], row["chat"], row["thread"])) for row in found
    ]


def next_due(db: Db, room: RoomId) -> Delivery | None:
    """What a room is to get next."""
    row = db.execute(
        f"SELECT * FROM deliveries WHERE room = ? AND {OPEN} ORDER BY id LIMIT 1", (room,)
    ).fetchone()
    if row is None:
        return None
    return Delivery(
        DeliveryId(row["id"]),
        RoomId(row["room"]),
        PromptId(row["prompt"]) if row["prompt"] else None,
        row["kind"],
        row["part"],
        row["body"],
        row["state"] != "pending",
        row["created_at"],
    )


def sending(db: Db, delivery: DeliveryId) -> None:
    """It is about to leave: from here on nobody knows, until the chat says."""
    _set(db, delivery, "sending")


def sent(db: Db, delivery: DeliveryId, message: str) -> None:
    """The chat has it under this name."""
    db.execute("UPDATE deliveries SET state = 'sent', chat_message = ? WHERE id = ?", (message, delivery))


def set_back(db: Db, delivery: DeliveryId, *, unknown: bool) -> None:
    """It is to be tried again: surely not there, or *unknown*."""
    _set(db, delivery, "unknown" if unknown else "pending")


def refused(db: Db, delivery: DeliveryId) -> None:
    """The chat doesn't take it; what it says (no edit of what is there) waits until `owe`."""
    _set(db, delivery, "refused")


def forget(db: Db, delivery: DeliveryId) -> None:
    """Nobody is to get it any more."""
    db.execute("DELETE FROM deliveries WHERE id = ?", (delivery,))


def owe(db: Db, room: RoomId) -> int:
    """The room was heard from, so it may take again what it refused. How many messages that are."""
    refused = "room = ? AND state = 'refused' AND body LIKE '{\"send\"%'"
    return db.execute(f"UPDATE deliveries SET state = 'pending' WHERE {refused}", (room,)).rowcount


def instead(db: Db, delivery: DeliveryId, body: str) -> None:
    """The chat will never take it: *body* takes its place."""
    db.execute("UPDATE deliveries SET state = 'pending', body = ? WHERE id = ?", (body, delivery))


def progress_of(db: Db, prompt: PromptId, room: RoomId) -> str | None:
    """The chat's name for the message that shows this turn; None if there is none, empty if nobody knows
    whether it is there."""
    row = db.execute(
        "SELECT chat_message FROM deliveries WHERE prompt = ? AND room = ? AND kind = 'progress'",
        (prompt, room),
    ).fetchone()
    return str(row["chat_message"]) if row else None


def shows_progress(db: Db, prompt: PromptId, room: RoomId, message: str, *, now: float) -> None:
    """*message* shows this turn from now on, also after a restart; empty while it is on its way."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, state, chat_message, created_at)"
        " VALUES (?, ?, 'progress', 'sent', ?, ?)"
        " ON CONFLICT DO UPDATE SET chat_message = excluded.chat_message",
        (room, prompt, message, now),
    )


def shows_no_progress(db: Db, prompt: PromptId, room: RoomId) -> None:
    """The message that was to show this turn surely isn't there."""
    db.execute("DELETE FROM deliveries WHERE prompt = ? AND room = ? AND kind = 'progress'", (prompt, room))


def _set(db: Db, delivery: DeliveryId, state: str) -> None:
    db.execute("UPDATE deliveries SET state = ? WHERE id = ?", (state, delivery))
