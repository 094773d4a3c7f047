"""The messages that prompts were made of: found again, reworded, corrected."""

from __future__ import annotations

from collections.abc import Sequence

from core.model.ids import PromptId, RoomId
from core.model.prompt import Piece, Prompt, joined
from core.store.database import Db

BLANK = "\n\n"


def add(db: Db, prompt: PromptId, room: RoomId, made_of: Sequence[Piece]) -> None:
    """*prompt* was made of these messages of *room*, in this order. One that made another prompt before is
    this one's from now on."""
    db.executemany(
        "INSERT OR REPLACE INTO pieces (room, message, prompt, at, text, joint) VALUES (?, ?, ?, ?, ?, ?)",
        [(room, one.message, prompt, at, one.text, one.joint) for at, one in enumerate(made_of)],
    )


def found(db: Db, room: RoomId, message: str) -> PromptId | None:
    """What was made of a message of *room*."""
    row = db.execute("SELECT prompt FROM pieces WHERE room = ? AND message = ?", (room, message)).fetchone()
    return PromptId(row["prompt"]) if row else None


def says(db: Db, room: RoomId, message: str) -> str:
    """What a message was last known to say; empty where that is all that its prompt says."""
    said = "SELECT coalesce(correction, text) FROM pieces WHERE room = ? AND message = ?"
    return str(db.execute(said, (room, message)).fetchone()[0])


def reword(db: Db, room: RoomId, message: str, text: str) -> str:
    """A message says *text* by now; the words of the prompt that it was made of, as they are then."""
    row = db.execute(
        "UPDATE pieces SET text = ? WHERE room = ? AND message = ? RETURNING prompt", (text, room, message)
    ).fetchone()
    made_of = db.execute("SELECT * FROM pieces WHERE prompt = ? ORDER BY at", (row["prompt"],)).fetchall()
    return joined([Piece(one["message"], one["text"], one["joint"]) for one in made_of])


def append(db: Db, prompt: Prompt, text: str) -> str:
    """*text*, which is no message of its own, stands behind what the messages of *prompt* say from now on;
    all of its words then."""
    made_of = db.execute("SELECT * FROM pieces WHERE prompt = ? ORDER BY at", (prompt.id,)).fetchall()
    if len(made_of) == 1:
        db.execute("UPDATE pieces SET text = ? WHERE prompt = ?", (prompt.text, prompt.id))
    db.execute("UPDATE pieces SET joint = ? WHERE prompt = ? AND joint = ''", (BLANK, prompt.id))
    if made_of:
        beside = (made_of[0]["room"], f"beside prompt {prompt.id}", prompt.id, len(made_of), text)
        db.execute("INSERT INTO pieces (room, message, prompt, at, text) VALUES (?, ?, ?, ?, ?)", beside)
    return f"{prompt.text}{BLANK}{text}" if prompt.text.strip() else text


def correct(db: Db, room: RoomId, message: str, text: str) -> None:
    """What a message says by now, while its prompt runs: kept until somebody sends it."""
    db.execute("UPDATE pieces SET correction = ? WHERE room = ? AND message = ?", (text, room, message))


def take_correction(db: Db, prompt: PromptId) -> Piece | None:
    """What the messages of *prompt* were changed to since it began, as one that is called as the first of
    them; once, then None."""
    kept = "prompt = ? AND correction IS NOT NULL"
    changed = db.execute(f"SELECT message, correction FROM pieces WHERE {kept} ORDER BY at", (prompt,))
    corrections = [(row["message"], row["correction"]) for row in changed]
    db.execute(f"UPDATE pieces SET correction = NULL WHERE {kept}", (prompt,))
    if not corrections:
        return None
    return Piece(corrections[0][0], "\n\n".join(text for _, text in corrections))


def leave(db: Db, room: RoomId) -> None:
    """The room moves: its messages have other names where it goes."""
    db.execute("DELETE FROM pieces WHERE room = ?", (room,))
