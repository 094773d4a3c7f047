"""What chats gave us: stored before they are told that we have it, acted on in each room's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.model.ids import RoomId
from core.model.prompt import Source
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Received:
    """One update as it waits; *body* is for whoever stored it to read again. *said_at*: when somebody said
    it, as their platform tells; only for showing."""

    source: Source
    room: RoomId
    body: str
    said_at: float


def receive(db: Db, source: Source, room: RoomId, body: str, *, said_at: float, now: float) -> bool:
    """Keep an update; False if it has been here before, however long ago (behaviour §1.4)."""
    new = db.execute(
        "INSERT INTO inbox (platform, account, update_key, room, body, state, said_at, received_at)"
        " VALUES (?, ?, ?, ?, ?, 'new', ?, ?) ON CONFLICT DO NOTHING",
        (source.platform, source.account, source.update, room, body, said_at, now),
    )
    return new.rowcount > 0


def rooms(db: Db, platform: str, account: str) -> list[RoomId]:
    """The rooms of an account in which something waits to be acted on."""
    found = db.execute(
        "SELECT DISTINCT room FROM inbox WHERE state <> 'done' AND state = 'new'"
        " AND platform = ? AND account = ?",
        (platform, account),
    )
    return [RoomId(row["room"]) for row in found]


def waiting(db: Db, room: RoomId, *, most: int = -1) -> list[Received]:
    """What nobody has acted on in a room, in the order in which it came."""
    return _in_state(db, room, "new", most)


def parked_in(db: Db, room: RoomId) -> list[Received]:
    """What waits for the room's project, in the order in which it came."""
    return _in_state(db, room, "parked", -1)


def rewrite(db: Db, source: Source, body: str) -> None:
    """What waits reads otherwise from now on."""
    db.execute(
        "UPDATE inbox SET body = ? WHERE (platform, account, update_key) = (?, ?, ?) AND state <> 'done'",
        (body, source.platform, source.account, source.update),
    )


def join(db: Db, first: Source, others: Sequence[Source], body: str) -> None:
    """What came in several updates waits as one from now on, in the place of the *first*."""
    rewrite(db, first, body)
    for other in others:
        done(db, other)


def done(db: Db, source: Source) -> None:
    """It was acted on, unless that parked it; only its name is kept, where nothing is being looked at for
    it."""
    db.execute(
        "UPDATE inbox SET state = 'done', body = CASE WHEN looking THEN body ELSE '' END"
        " WHERE (platform, account, update_key) = (?, ?, ?) AND state = 'new'",
        _named(source),
    )


def looking(db: Db, source: Source) -> None:
    """What it asks for takes a while to be seen; it is kept until `seen`."""
    db.execute(
        "UPDATE inbox SET looking = 1 WHERE (platform, account, update_key) = (?, ?, ?)", _named(source)
    )


def seen(db: Db, source: Source) -> None:
    """It is dealt with, like anything else."""
    drop(db, source)


def anew(db: Db, source: Source) -> None:
    """What was being looked at waits to be acted on once more."""
    db.execute(
        "UPDATE inbox SET state = 'new', looking = 0 WHERE (platform, account, update_key) = (?, ?, ?)",
        _named(source),
    )


def look_again(db: Db, platform: str, account: str) -> None:
    """What was being looked at for an account when we died waits to be acted on anew."""
    db.execute(
        "UPDATE inbox SET state = 'new' WHERE looking AND (platform, account) = (?, ?)", (platform, account)
    )


def park(db: Db, source: Source) -> None:
    """It waits until its room has a project."""
    db.execute(
        "UPDATE inbox SET state = 'parked' WHERE (platform, account, update_key) = (?, ?, ?)",
        _named(source),
    )


def unpark(db: Db, room: RoomId) -> int:
    """The room has a project: what was parked there can be acted on, and in the threads that are in its
    project with it. How many there were."""
    threads = (
        "SELECT t.id FROM rooms r JOIN rooms t USING (platform, account, chat)"
        " WHERE r.id = ?1 AND r.thread = '' AND t.project IS NULL"
    )
    parked = f"UPDATE inbox SET state = 'new' WHERE state = 'parked' AND (room = ?1 OR room IN ({threads}))"
    return db.execute(parked, (room,)).rowcount


def carry(db: Db, parked: RoomId, to: RoomId) -> None:
    """What was *parked* in a room can be acted on in another, which has a project."""
    db.execute("UPDATE inbox SET state = 'new', room = ? WHERE state = 'parked' AND room = ?", (to, parked))


def drop_parked(db: Db, room: RoomId) -> int:
    """Forget what waits for the room's project. How many there were."""
    dropped = "UPDATE inbox SET state = 'done', body = '' WHERE state = 'parked' AND room = ?"
    return db.execute(dropped, (room,)).rowcount


def drop(db: Db, source: Source) -> None:
    """Forget what waits, whatever for."""
    db.execute(
        "UPDATE inbox SET state = 'done', body = '', looking = 0"
        " WHERE (platform, account, update_key) = (?, ?, ?)",
        _named(source),
    )


def parked(db: Db, room: RoomId) -> int:
    """How many updates wait for the room's project."""
    return int(
        db.execute(
            "SELECT count(*) FROM inbox WHERE state <> 'done' AND state = 'parked' AND room = ?", (room,)
        ).fetchone()[0]
    )


def _named(source: Source) -> tuple[str, str, str]:
    return source.platform, source.account, source.update


def _in_state(db: Db, room: RoomId, state: str, most: int) -> list[Received]:
    found = db.execute(
        "SELECT * FROM inbox WHERE state <> 'done' AND state = ? AND room = ? ORDER BY id LIMIT ?",
        (state, room, most),
    )
    return [
        Received(
            Source(row["platform"], row["account"], row["update_key"]),
            RoomId(row["room"]),
            row["body"],
            row["said_at"],
        )
        for row in found
    ]
