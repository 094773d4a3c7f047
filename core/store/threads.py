"""Threads of a chat: what each takes over from the main part, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import ConversationId, ProjectId, RoomId
from core.store import conversations, inbox
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Hearing:
    """Which words of a room are prompts. *listen* is empty where nobody said; *own*: the room is a thread
    that shows a conversation."""

    listen: str = ""
    own: bool = False


def hearing(db: Db, platform: str, account: str, chat: str, thread: str) -> Hearing:
    """What a thread was not told, it takes from the main part of its chat."""
    main, own = (
        db.execute(
            "SELECT * FROM rooms WHERE (platform, account, chat, thread) = (?, ?, ?, ?)",
            (platform, account, chat, part),
        ).fetchone()
        for part in ("", thread)
    )
    listen = next((row["listen"] for row in (own, main) if row and row["listen"]), "")
    return Hearing(listen, bool(thread and own and own["conversation"]))


def begun(db: Db, platform: str, account: str, chat: str, thread: str) -> bool:
    """Whether what the thread is called by was a prompt, which began it."""
    return bool(
        db.execute(
            "SELECT 1 FROM rooms r JOIN pieces p ON p.room = r.id AND p.message = r.thread"
            " WHERE (r.platform, r.account, r.chat, r.thread) = (?, ?, ?, ?)",
            (platform, account, chat, thread),
        ).fetchone()
    )


def set_listen(db: Db, room: RoomId, listen: str) -> None:
    db.execute("UPDATE rooms SET listen = ? WHERE id = ?", (listen, room))


def choose(db: Db, room: RoomId, project: ProjectId) -> None:
    """*room* is in *project* from now on, and the main part of its chat with it, if that is in none; what was
    said there before is acted on from now on."""
    main = db.execute(
        "SELECT m.id FROM rooms r JOIN rooms m USING (platform, account, chat)"
        " WHERE r.id = ? AND m.thread = '' AND m.project IS NULL",
        (room,),
    ).fetchone()
    for one in {room, RoomId(main["id"])} if main else {room}:
        conversations.bind(db, one, project)
        inbox.unpark(db, one)


def entitle(db: Db, room: RoomId, title: str) -> None:
    """People see the chat as *title*."""
    db.execute("UPDATE rooms SET title = ? WHERE id = ?", (title, room))


def named(db: Db, room: RoomId, name: str) -> None:
    """The thread is called that from now on; empty where nobody knows."""
    db.execute("UPDATE rooms SET name = ? WHERE id = ?", (name, room))


def name_of(db: Db, room: RoomId) -> str:
    return str(db.execute("SELECT name FROM rooms WHERE id = ?", (room,)).fetchone()["name"])


def rule(db: Db, room: RoomId) -> bool:
    """Whether its people are now to be told the rules for several: once."""
    return db.execute("UPDATE rooms SET ruled = 1 WHERE id = ? AND ruled = 0", (room,)).rowcount > 0


def public(db: Db, room: RoomId) -> bool:
    """Whether owners are now to be told that anybody reads along there: once."""
    return db.execute("UPDATE rooms SET public = 1 WHERE id = ? AND public = 0", (room,)).rowcount > 0


def to_rename(db: Db, room: RoomId) -> str:
    """What a thread is to be called by now: as its conversation is. Empty where it is called so, and where
    we never knew its name, which somebody chose before we came."""
    row = db.execute(
        "SELECT c.title FROM rooms r JOIN conversations c ON c.id = r.conversation"
        " WHERE r.id = ? AND r.thread <> '' AND c.title NOT IN ('', r.name)"
        " AND (r.name <> '' OR c.title_by = 'person')",
        (room,),
    ).fetchone()
    return str(row["title"]) if row else ""


def show_in(
    db: Db, platform: str, account: str, chat: str, thread: str, conversation: ConversationId, name: str
) -> RoomId:
    """The thread, which was opened for *conversation* and is called *name*, shows it from now on; unless
    something else was begun there meanwhile."""
    found = conversations.room(db, platform, account, chat, thread)
    if found.conversation is None:
        conversations.bind(db, found.id, conversations.get(db, conversation).project, conversation)
    named(db, found.id, name)
    return found.id
