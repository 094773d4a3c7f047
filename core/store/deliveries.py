"""Messages on their way to chats: kept until the chat has them, each step stored before the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NewType

from core.model.ids import PromptId, RoomId
from core.store import pieces, rows
from core.store.database import Db

DeliveryId = NewType("DeliveryId", int)
Kind = Literal["ended", "part", "progress", "reply"]
OPEN = "state IN ('pending', 'sending', 'unknown')"
"""Never of `progress`: a message that shows a turn is not sent again."""
BEYOND = 10**15
"""More than any event's number: what else is told of one has its own and this, once or twice."""
ASKED, REWORDED = 3 * BEYOND, 4 * BEYOND
"""In place of an event's number: what tells of a prompt in another room than its own; and, counted from
there, what lets that say something else."""
FILES = -BEYOND
"""Times 1, 2, 3 …: a file of a prompt in another room than its own. Below zero, for what counts upwards."""
SEAT = (
    "coalesce((SELECT room FROM seats WHERE prompt = ?1 AND room = ?2),"
    " (SELECT room FROM prompts WHERE id = ?1))"
)
"""Where prompt 1 is shown for room 2: there, if it was asked elsewhere; else in its own, which may be another
by now, its chat having moved."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """*repeat*: it may be there already, and a repeat says so. *moved*: its room has moved since it was made,
    and what it replies to was left behind. *at*: seconds since the epoch."""

    id: DeliveryId
    room: RoomId
    prompt: PromptId | None
    kind: Kind
    part: int
    body: str
    repeat: bool
    moved: bool
    at: float


def add(db: Db, room: RoomId, bodies: Sequence[str], *, now: float, moved: bool = False) -> None:
    """Replies that are no part of a prompt's end; *moved*: made before the room moved."""
    db.executemany(
        "INSERT INTO deliveries (room, kind, body, moved, created_at) VALUES (?, 'reply', ?, ?, ?)",
        [(room, body, moved, now) for body in bodies],
    )


def add_once(db: Db, room: RoomId, prompt: PromptId, number: int, body: str, *, now: float) -> None:
    """What is told of event *number* of a prompt, however often it is seen."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, part, body, created_at) VALUES (?, ?, 'reply', ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (room, prompt, number, body, now),
    )


def add_reworded(db: Db, room: RoomId, prompt: PromptId, body: str, *, now: float) -> None:
    """What tells of a prompt in another room than its own says something else."""
    before = "SELECT count(*) FROM deliveries WHERE prompt = ? AND room = ? AND kind = 'reply' AND part >= ?"
    count = db.execute(before, (prompt, room, REWORDED)).fetchone()[0]
    add_once(db, room, prompt, REWORDED + count, body, now=now)


def announce(db: Db, prompt: PromptId, *, now: float) -> None:
    """The prompt has ended: its room is to be told, if it is one that is told, and where else it is shown."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, created_at)"
        " SELECT room, id, 'ended', ?1 FROM prompts WHERE id = ?2 AND room IS NOT NULL"
        " UNION SELECT room, prompt, 'ended', ?1 FROM seats WHERE prompt = ?2 ON CONFLICT DO NOTHING",
        (now, prompt),
    )


def cut(db: Db, ended: Delivery, bodies: Sequence[str]) -> None:
    """Put the messages that an `ended` delivery comes to in its place, once; they are as old as it is, and
    have moved if it has."""
    row = db.execute("DELETE FROM deliveries WHERE id = ? RETURNING room, moved", (ended.id,)).fetchone()
    if row is None:
        return
    db.executemany(
        "INSERT INTO deliveries (room, prompt, kind, part, body, moved, created_at)"
        " VALUES (?, ?, 'part', ?, ?, ?, ?)",
        [(row["room"], ended.prompt, part, body, row["moved"], ended.at) for part, body in enumerate(bodies)],
    )


def rooms_due(db: Db, platform: str, account: str) -> list[tuple[RoomId, rows.Address]]:
    """The rooms of an account that are to get something, each with its address."""
    found = db.execute(
        f"SELECT DISTINCT r.* FROM deliveries d JOIN rooms r ON r.id = d.room WHERE d.{OPEN}"
        " AND r.platform = ? AND r.account = ?",
        (platform, account),
    )
    return [(RoomId(row["id"]), rows.address(row)) for row in found]


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
        bool(row["repeat"]) or row["state"] != "pending",
        bool(row["moved"]),
        row["created_at"],
    )


def sending(db: Db, delivery: DeliveryId) -> None:
    """It is about to leave: from here on nobody knows, until the chat says. Where nobody knew before, it
    will never be known again whether something of it is there."""
    db.execute(
        "UPDATE deliveries SET repeat = repeat OR state <> 'pending', state = 'sending' WHERE id = ?",
        (delivery,),
    )


def sent(db: Db, delivery: DeliveryId, message: str) -> None:
    """The chat has it under this name."""
    db.execute("UPDATE deliveries SET state = 'sent', chat_message = ? WHERE id = ?", (message, delivery))


def set_back(db: Db, delivery: DeliveryId, *, unknown: bool) -> None:
    """It is to be tried again: surely not there, or *unknown*."""
    _set(db, delivery, "unknown" if unknown else "pending")


def refused(db: Db, delivery: DeliveryId) -> None:
    """The chat doesn't take it; unless it stands in for another, it waits until `owe`."""
    _set(db, delivery, "refused")


def forget(db: Db, delivery: DeliveryId) -> None:
    """Nobody is to get it any more."""
    db.execute("DELETE FROM deliveries WHERE id = ?", (delivery,))


def forget_of(db: Db, prompts: Sequence[PromptId]) -> None:
    """Nobody is to get any more of these prompts than what folds the message that shows one."""
    db.executemany(
        f"DELETE FROM deliveries WHERE prompt = ? AND {OPEN} AND kind IN ('part', 'reply')"
        " AND body NOT LIKE '{\"fold\"%'",
        [(prompt,) for prompt in prompts],
    )


def owe(db: Db, room: RoomId) -> int:
    """The room was heard from, so its chat may take again what any of its rooms refused: nobody may ever
    speak in some of them again. How many messages that are."""
    rooms = "SELECT t.id FROM rooms r JOIN rooms t USING (platform, account, chat) WHERE r.id = ?"
    refused = f"room IN ({rooms}) AND state = 'refused' AND body NOT LIKE '{{\"instead\"%'"
    return db.execute(f"UPDATE deliveries SET state = 'pending' WHERE {refused}", (room,)).rowcount


def instead(db: Db, delivery: DeliveryId, body: str) -> None:
    """The chat will never take it: *body* takes its place."""
    db.execute("UPDATE deliveries SET state = 'pending', body = ? WHERE id = ?", (body, delivery))


def told_by(db: Db, room: RoomId, message: str) -> tuple[PromptId, int] | None:
    """The prompt that a message of ours in *room* is about, and the number of the event that it tells of: 0
    where it shows the turn."""
    row = db.execute(
        "SELECT prompt, part FROM deliveries WHERE room = ? AND chat_message = ? AND prompt IS NOT NULL"
        " AND kind IN ('progress', 'reply')",
        (room, message),
    ).fetchone()
    return (PromptId(row["prompt"]), int(row["part"])) if row else None


def is_known(db: Db, room: RoomId, message: str) -> bool:
    """Whether a message of *room* is known to be one of ours."""
    known = "SELECT EXISTS (SELECT 1 FROM deliveries WHERE room = ? AND chat_message = ?)"
    return bool(db.execute(known, (room, message)).fetchone()[0])


def doubtful(db: Db, room: RoomId) -> list[int]:
    """The events of running prompts of which a message in *room* tells that may be there under a name that
    nobody knows: it was on its way when that was lost. Newest first."""
    found = db.execute(
        "SELECT d.part FROM prompts p JOIN deliveries d ON d.prompt = p.id WHERE p.status = 'running'"
        " AND d.room = ? AND d.kind = 'reply' AND d.part BETWEEN 1 AND ?"
        " AND (d.repeat OR d.state IN ('sending', 'unknown')) ORDER BY d.id DESC",
        (room, BEYOND - 1),
    )
    return [int(row["part"]) for row in found]


def about(db: Db, room: RoomId, message: str) -> PromptId | None:
    """The prompt that a message of ours in *room* is about, an answer to it included."""
    row = db.execute(
        "SELECT prompt FROM deliveries WHERE room = ? AND chat_message = ? AND prompt IS NOT NULL",
        (room, message),
    ).fetchone()
    return PromptId(row["prompt"]) if row else None


def message_of(db: Db, prompt: PromptId, room: RoomId, number: int) -> str:
    """The chat's name for what was told of event *number* of a prompt in *room*; empty if it has none."""
    row = db.execute(
        f"SELECT chat_message FROM deliveries WHERE prompt = ?1 AND room = {SEAT}"
        " AND kind = 'reply' AND part = ?3",
        (prompt, room, number),
    ).fetchone()
    return str(row["chat_message"] or "") if row else ""


def progress_of(db: Db, prompt: PromptId, room: RoomId) -> str | None:
    """The chat's name for the message that shows this turn in *room*; None if there is none, empty if nobody
    knows whether it is there."""
    row = db.execute(
        f"SELECT chat_message FROM deliveries WHERE prompt = ?1 AND room = {SEAT}"
        " AND kind = 'progress' AND part = 0",
        (prompt, room),
    ).fetchone()
    return str(row["chat_message"]) if row else None


def shows_progress(db: Db, prompt: PromptId, room: RoomId, message: str, *, now: float) -> None:
    """*message* shows this turn in *room* from now on, also after a restart; empty while it is on its way."""
    db.execute(
        "INSERT INTO deliveries (room, prompt, kind, state, chat_message, created_at)"
        f" VALUES ({SEAT}, ?1, 'progress', 'sent', ?3, ?4)"
        " ON CONFLICT DO UPDATE SET chat_message = excluded.chat_message",
        (prompt, room, message, now),
    )


def shows_no_progress(db: Db, prompt: PromptId, room: RoomId) -> None:
    """The message that was to show this turn in *room* surely isn't there."""
    shown = f"prompt = ?1 AND room = {SEAT} AND kind = 'progress' AND part = 0"
    db.execute(f"DELETE FROM deliveries WHERE {shown}", (prompt, room))


def strays(db: Db, prompt: PromptId, room: RoomId) -> bool:
    """Whether a message may show this turn in *room* that can't be edited any more: nobody knows its name, or
    its chat went on under another one without it."""
    return bool(
        db.execute(
            "SELECT EXISTS (SELECT 1 FROM deliveries"
            f" WHERE prompt = ?1 AND room = {SEAT} AND kind = 'progress' AND chat_message = '')",
            (prompt, room),
        ).fetchone()[0]
    )


def left_behind(db: Db, room: RoomId) -> None:
    """The room moves, and numbers of messages count anew where it goes: an old one would be somebody else's
    message there. What replies to one replies to none, and what shows a turn is out of reach."""
    db.execute("UPDATE prompts SET message = '' WHERE room = ?", (room,))
    db.execute("UPDATE deliveries SET chat_message = '' WHERE room = ? AND part = ?", (room, ASKED))
    pieces.leave(db, room)
    db.execute("UPDATE deliveries SET moved = 1 WHERE room = ? AND state <> 'sent'", (room,))
    shown = "room = ? AND kind = 'progress'"
    db.execute(f"UPDATE OR REPLACE deliveries SET part = 1, chat_message = '' WHERE {shown}", (room,))


def _set(db: Db, delivery: DeliveryId, state: str) -> None:
    db.execute("UPDATE deliveries SET state = ? WHERE id = ?", (state, delivery))
