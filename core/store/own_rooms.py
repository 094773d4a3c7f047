"""Rooms that a chat makes for projects: wanted first, then made once, and told how it stands with theirs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.model.ids import ProjectId, RoomId
from core.model.project import Project
from core.store import conversations, threads
from core.store.database import Db


class State(StrEnum):
    """How it stands with the project of a room."""

    HERE = "here"
    ARCHIVED = "archived"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A room that is to be called *title*; *name* is what its platform finds it by."""

    id: int
    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Told:
    """What *room* is to be told of the one that was made for *title* on *platform*, or why there is none."""

    id: int
    room: RoomId
    language: str
    platform: str
    title: str
    refused: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A room that does not know yet how it stands with its project, which was called *title*."""

    id: int
    room: RoomId
    language: str
    title: str
    state: State


def want(db: Db, project: Project, platform: str, *, asked: RoomId | None = None) -> bool:
    """The project is to have a room there; *asked*: where that is told once it is so. False where it has one,
    or will have one without that."""
    wanted = db.execute(
        "INSERT INTO own_rooms (platform, project, title, asked) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (platform, project.id, project.name, asked),
    )
    return wanted.rowcount > 0


def is_made(db: Db, project: ProjectId, platform: str) -> bool:
    """Whether the project's room on *platform* is there already."""
    found = "SELECT 1 FROM own_rooms WHERE (project, platform) = (?, ?) AND room IS NOT NULL"
    return db.execute(found, (project, platform)).fetchone() is not None


def wanted(db: Db, platform: str) -> list[Wanted]:
    """Those that are not there yet, of projects that are neither put away nor removed."""
    found = db.execute(
        "SELECT o.* FROM own_rooms o JOIN projects p ON p.id = o.project"
        " WHERE o.platform = ? AND o.room IS NULL AND o.refused = '' AND NOT p.archived ORDER BY o.id",
        (platform,),
    )
    return [Wanted(row["id"], row["name"], row["title"]) for row in found]


def made(db: Db, number: int, platform: str, account: str, chat: str) -> None:
    """It is there, and works in its project, unless that was removed while it was made."""
    room = conversations.room(db, platform, account, chat)
    row = db.execute("UPDATE own_rooms SET room = ? WHERE id = ? RETURNING project", (room.id, number))
    if project := row.fetchone()["project"]:
        threads.choose(db, room.id, project)


def refuse(db: Db, number: int, why: str) -> bool:
    """There will be none. Whether somebody is told of it where they asked; else it is forgotten."""
    db.execute("UPDATE own_rooms SET refused = ? WHERE id = ?", (why, number))
    return db.execute("DELETE FROM own_rooms WHERE id = ? AND asked IS NULL", (number,)).rowcount == 0


def rename(db: Db, number: int) -> None:
    """What its platform found by the old name is none of ours."""
    db.execute("UPDATE own_rooms SET name = lower(hex(randomblob(8))) WHERE id = ?", (number,))


def to_tell(db: Db, platform: str, account: str) -> list[Told]:
    """What rooms of that account are to be told of what was asked for there."""
    found = db.execute(
        "SELECT o.*, r.language FROM own_rooms o JOIN rooms r ON r.id = o.asked"
        " WHERE (r.platform, r.account) = (?, ?) AND (o.room IS NOT NULL OR o.refused <> '') ORDER BY o.id",
        (platform, account),
    )
    return [
        Told(row["id"], row["asked"], row["language"], row["platform"], row["title"], row["refused"])
        for row in found
    ]


def told(db: Db, number: int) -> None:
    """One that will not be there is forgotten with that: it may be asked for again."""
    db.execute("UPDATE own_rooms SET asked = NULL WHERE id = ?", (number,))
    db.execute("DELETE FROM own_rooms WHERE id = ? AND refused <> ''", (number,))


def changed(db: Db, platform: str, account: str) -> list[Changed]:
    """Rooms of that account which were told something else last than what is so."""
    state = "CASE WHEN p.id IS NULL THEN 'removed' WHEN p.archived THEN 'archived' ELSE 'here' END"
    found = db.execute(
        f"SELECT o.id, o.room, o.title, r.language, {state} AS state FROM own_rooms o"
        " JOIN rooms r ON r.id = o.room LEFT JOIN projects p ON p.id = o.project"
        f" WHERE (r.platform, r.account) = (?, ?) AND o.said <> {state} ORDER BY o.id",
        (platform, account),
    )
    return [
        Changed(row["id"], row["room"], row["language"], row["title"], State(row["state"])) for row in found
    ]


def said(db: Db, number: int, state: State) -> None:
    db.execute("UPDATE own_rooms SET said = ? WHERE id = ?", (state, number))


def left(db: Db, platform: str, account: str, chat: str) -> None:
    """We are in that room no more: its project may be given another."""
    db.execute(
        "DELETE FROM own_rooms WHERE room IN"
        " (SELECT id FROM rooms WHERE (platform, account, chat) = (?, ?, ?))",
        (platform, account, chat),
    )


def at_work(db: Db, platform: str, account: str) -> list[str]:
    """Those of projects that are neither put away nor removed, as the platform calls them."""
    found = db.execute(
        "SELECT r.chat FROM own_rooms o JOIN rooms r ON r.id = o.room JOIN projects p ON p.id = o.project"
        " WHERE NOT p.archived AND (r.platform, r.account) = (?, ?) ORDER BY o.id",
        (platform, account),
    )
    return [row["chat"] for row in found]


def chats(db: Db, platform: str, account: str) -> frozenset[str]:
    """The rooms of that account that were made for projects, as the platform calls them."""
    found = db.execute(
        "SELECT r.chat FROM own_rooms o JOIN rooms r ON r.id = o.room WHERE (r.platform, r.account) = (?, ?)",
        (platform, account),
    )
    return frozenset(row["chat"] for row in found)
