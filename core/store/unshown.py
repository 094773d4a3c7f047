"""What was asked in a chat that gets no deliveries, until its end was shown there."""

from __future__ import annotations

from core.model.ids import PromptId, RoomId
from core.model.prompt import Prompt
from core.store import rows
from core.store.database import Db


def add(db: Db, prompt: PromptId, room: RoomId) -> None:
    db.execute("INSERT INTO unshown (prompt, room) VALUES (?, ?) ON CONFLICT DO NOTHING", (prompt, room))


def shown(db: Db, prompt: PromptId) -> None:
    """Its end was read."""
    db.execute("DELETE FROM unshown WHERE prompt = ?", (prompt,))


def ended(db: Db, room: RoomId) -> list[Prompt]:
    """Those of a room that have ended and nobody read of, in the order of their ends."""
    found = db.execute(
        "SELECT p.* FROM unshown u JOIN prompts p ON p.id = u.prompt"
        " WHERE u.room = ? AND p.status NOT IN ('queued', 'running') ORDER BY p.ended_at, p.id",
        (room,),
    )
    return [rows.prompt(row) for row in found]
