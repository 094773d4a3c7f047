"""What chats gave us: stored before they are told that we have it, acted on in each room's order."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import RoomId
from core.model.prompt import Source
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Received:
    """One update as it waits; *body* is for whoever stored it to read again."""

    source: Source
    room: RoomId
    body: str
    at: float


def receive(db: Db, source: Source, room: RoomId, body: str, *, now: float) -> bool:
    """Keep an update; False if it has been here before, however long ago (behaviour §1.4)."""
    new = db.execute(
        "INSERT INTO inbox (platform, account, update_key, room, body, state, received_at)"
        " VALUES (?, ?, ?, ?, ?, 'new', ?) ON CONFLICT DO NOTHING",
        (source.platform, source.account, source.update, room, body, now),
    )
    return new.rowcount > 0


def waiting(db: Db, platform: str, account: str) -> list[Received]:
    """Every update of an account that nobody has acted on, oldest first."""
    found = db.execute(
        "SELECT * FROM inbox WHERE state <> 'done' AND state = 'new' AND platform = ? AND account = ?"
        " ORDER BY id",
        (platform, account),
    )
    return [
        Received(
            Source(row["platform"], row["account"], row["update_key"]),
            RoomId(row["room"]),
            row["body"],
            row["received_at"],
        )
        for row in found
    ]


def done(db: Db, source: Source) -> None:
    """It was acted on."""
    _set(db, source, "done")


def park(db: Db, source: Source) -> None:
    """It waits until its room has a project."""
    _set(db, source, "parked")


def unpark(db: Db, room: RoomId) -> int:
    """The room has a project: what was parked there can be acted on. How many there were."""
    return db.execute("UPDATE inbox SET state = 'new' WHERE state = 'parked' AND room = ?", (room,)).rowcount


def parked(db: Db, room: RoomId) -> int:
    """How many updates wait for the room's project."""
    return int(
        db.execute(
            "SELECT count(*) FROM inbox WHERE state <> 'done' AND state = 'parked' AND room = ?", (room,)
        ).fetchone()[0]
    )


def _set(db: Db, source: Source, state: str) -> None:
    db.execute(
        "UPDATE inbox SET state = ? WHERE (platform, account, update_key) = (?, ?, ?)",
        (state, source.platform, source.account, source.update),
    )
