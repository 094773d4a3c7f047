"""What rooms and people wish: each wish changes alone, and the others stay."""

from __future__ import annotations

from core.model.ids import PromptId, RoomId
from core.model.preferences import Quiet, RoomWishes, Theme, View
from core.store.database import Db


def of_room(db: Db, room: RoomId) -> RoomWishes:
    """What *room* is like; that there is a board is a wish of the main part of its chat."""
    row = db.execute(
        "SELECT r.*, m.board AS pinned FROM rooms r LEFT JOIN rooms m ON m.thread = ''"
        " AND (m.platform, m.account, m.chat) = (r.platform, r.account, r.chat) WHERE r.id = ?",
        (room,),
    ).fetchone()
    return RoomWishes(
        View(row["view"]),
        Theme(row["theme"]),
        row["language"],
        bool(row["pinned"]),
        bool(row["drafts"]),
        bool(row["rich"]),
    )


def set_view(db: Db, room: RoomId, view: View) -> None:
    """From the next turn on."""
    db.execute("UPDATE rooms SET view = ? WHERE id = ?", (view, room))


def set_theme(db: Db, room: RoomId, theme: Theme) -> None:
    db.execute("UPDATE rooms SET theme = ? WHERE id = ?", (theme, room))


def set_language(db: Db, room: RoomId, language: str) -> None:
    """Empty: the configured one."""
    db.execute("UPDATE rooms SET language = ? WHERE id = ?", (language, room))


def set_drafts(db: Db, room: RoomId, *, wanted: bool) -> None:
    """From the next turn on."""
    db.execute("UPDATE rooms SET drafts = ? WHERE id = ?", (wanted, room))


def set_rich(db: Db, room: RoomId, *, wanted: bool) -> None:
    db.execute("UPDATE rooms SET rich = ? WHERE id = ?", (wanted, room))


def inherit(db: Db, room: RoomId) -> None:
    """A new thread begins with what the main part of its chat is like."""
    db.execute(
        "UPDATE rooms SET (language, view, theme, drafts, rich)"
        " = (m.language, m.view, m.theme, m.drafts, m.rich) FROM rooms m WHERE rooms.id = ? AND m.thread = ''"
        " AND (m.platform, m.account, m.chat) = (rooms.platform, rooms.account, rooms.chat)",
        (room,),
    )


def quiet_of(db: Db, platform: str, person: str) -> Quiet | None:
    """When *person* is not called; None where they may be at any time."""
    row = db.execute(
        "SELECT * FROM quiet_hours WHERE (platform, person) = (?, ?)", (platform, person)
    ).fetchone()
    return Quiet(row["begins"], row["ends"]) if row else None


def hushed(db: Db, platform: str, prompt: PromptId | None, private: str, *, minute: int) -> bool:
    """Whether nobody is called at this *minute* of the day for what is told: who asked *prompt*, else whose
    *private* chat it is told in, doesn't wish to be."""
    asker = "SELECT p.person FROM prompts p JOIN rooms r ON r.id = p.room WHERE p.id = ? AND r.platform = ?"
    row = db.execute(asker, (prompt, platform)).fetchone() if prompt else None
    quiet = quiet_of(db, platform, (row["person"] if row else "") or private)
    return quiet is not None and quiet.covers(minute)


def set_quiet(db: Db, platform: str, person: str, quiet: Quiet | None) -> None:
    db.execute("DELETE FROM quiet_hours WHERE (platform, person) = (?, ?)", (platform, person))
    if quiet is not None:
        db.execute(
            "INSERT INTO quiet_hours (platform, person, begins, ends) VALUES (?, ?, ?, ?)",
            (platform, person, quiet.begins, quiet.ends),
        )
