"""Boards: the one message of a chat that says how its project stands, and whether it is wanted there."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import ConversationId, ProjectId, RoomId
from core.store import rows
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Board:
    """*message* is what the chat calls it: None while there is none, empty while nobody knows. *pinned*:
    pinning it was tried."""

    room: RoomId
    address: rows.Address
    project: ProjectId | None
    language: str
    wanted: bool
    message: str | None
    pinned: bool


def want(db: Db, room: RoomId, *, wanted: bool) -> None:
    """A board in *room* or none; one that is wanted again is pinned again."""
    db.execute(
        "UPDATE rooms SET board = ?1, board_pinned = board_pinned AND NOT ?1 WHERE id = ?2", (wanted, room)
    )


def every(db: Db, platform: str, account: str) -> list[Board]:
    """The boards of an account that are wanted, or there and not wanted any more."""
    found = db.execute(
        "SELECT * FROM rooms WHERE (platform, account) = (?, ?)"
        " AND (board OR board_message IS NOT NULL) ORDER BY id",
        (platform, account),
    )
    return [_board(row) for row in found]


def shown(db: Db, room: RoomId) -> tuple[str | None, str]:
    """What the chat calls the board of *room*, None if there is none, empty if nobody knows; and what it
    says, empty where that isn't sure."""
    row = db.execute("SELECT board_message, board_says FROM rooms WHERE id = ?", (room,)).fetchone()
    return row["board_message"], row["board_says"]


def shows(db: Db, room: RoomId, message: str) -> None:
    """*message* is the board of *room* from now on, and not pinned yet; empty while it is on its way."""
    changed = "board_message = ?, board_says = '', board_pinned = 0"
    db.execute(f"UPDATE rooms SET {changed} WHERE id = ?", (message, room))


def says(db: Db, room: RoomId, text: str) -> None:
    """The board of *room* says *text*."""
    db.execute("UPDATE rooms SET board_says = ? WHERE id = ?", (text, room))


def shows_none(db: Db, room: RoomId) -> None:
    changed = "board_message = NULL, board_says = '', board_pinned = 0"
    db.execute(f"UPDATE rooms SET {changed} WHERE id = ?", (room,))


def pinned(db: Db, room: RoomId) -> None:
    """Pinning it was tried, and is not tried again."""
    db.execute("UPDATE rooms SET board_pinned = 1 WHERE id = ?", (room,))


def conversations_in(db: Db, project: ProjectId, *, failed_after: float) -> list[ConversationId]:
    """Those in which something runs or waits, or the last thing failed since then."""
    last = "(SELECT max(id) FROM prompts WHERE conversation = c.id)"
    found = db.execute(
        "SELECT c.id FROM conversations c WHERE c.project = ? AND NOT c.archived AND ("
        " EXISTS (SELECT 1 FROM prompts WHERE conversation = c.id AND status IN ('queued', 'running'))"
        f" OR EXISTS (SELECT 1 FROM prompts WHERE id = {last} AND status = 'failed' AND ended_at > ?))",
        (project, failed_after),
    )
    return [ConversationId(row["id"]) for row in found]


def failed_at(db: Db, conversation: ConversationId) -> float:
    """When the last prompt of *conversation* that failed did so (seconds since the epoch)."""
    failed = "SELECT max(ended_at) FROM prompts WHERE conversation = ? AND status = 'failed'"
    return float(db.execute(failed, (conversation,)).fetchone()[0] or 0.0)


def _board(row: rows.Row) -> Board:
    return Board(
        RoomId(row["id"]),
        rows.address(row),
        ProjectId(row["project"]) if row["project"] else None,
        row["language"],
        bool(row["board"]),
        row["board_message"],
        bool(row["board_pinned"]),
    )
