"""The line of what waits in a conversation: looked at from the front, and shown by one message."""

from __future__ import annotations

from core.model.ids import ConversationId, PromptId, RoomId
from core.model.prompt import Prompt
from core.store import prompts
from core.store.database import Db

WAITS = "status IN ('queued', 'running') AND status = 'queued'"
"""In words that the index of what is open is made for."""
SEATED = "EXISTS (SELECT 1 FROM seats s WHERE s.prompt = prompts.id AND s.room = ?2 AND NOT s.closed)"


def said_in(db: Db, conversation: ConversationId, room: RoomId) -> list[PromptId]:
    """Those that wait and were said in *room*, or are shown there as well."""
    found = db.execute(
        f"SELECT id FROM prompts WHERE conversation = ?1 AND {WAITS} AND (room = ?2 OR {SEATED})"
        " ORDER BY position, id",
        (conversation, room),
    )
    return [PromptId(row["id"]) for row in found]


def first(db: Db, conversation: ConversationId, most: int) -> list[tuple[PromptId, str]]:
    """The first *most* that wait, each with its words."""
    found = db.execute(
        f"SELECT id, text FROM prompts WHERE conversation = ? AND {WAITS} ORDER BY position, id LIMIT ?",
        (conversation, most),
    )
    return [(PromptId(row["id"]), row["text"]) for row in found]


def count(db: Db, conversation: ConversationId) -> int:
    """How many wait."""
    found = db.execute(f"SELECT count(*) FROM prompts WHERE conversation = ? AND {WAITS}", (conversation,))
    return int(found.fetchone()[0])


def newest(db: Db, conversation: ConversationId) -> PromptId | None:
    """The one that was asked last of those that wait, wherever it stands; None if none does."""
    found = db.execute(f"SELECT max(id) FROM prompts WHERE conversation = ? AND {WAITS}", (conversation,))
    return found.fetchone()[0]  # type: ignore[no-any-return]


def before(db: Db, prompt: Prompt) -> tuple[int, str]:
    """How many of its conversation run or wait before *prompt*, which waits, and the words of the last."""
    where = (
        "FROM prompts WHERE conversation = ? AND status IN ('queued', 'running')"
        " AND (status = 'running' OR (position, id) < (?, ?))"
    )
    here = (prompt.conversation, prompt.position, prompt.id)
    ahead = int(db.execute(f"SELECT count(*) {where}", here).fetchone()[0])
    last = f"SELECT text {where} ORDER BY status = 'queued' DESC, position DESC, id DESC LIMIT 1"
    row = db.execute(last, here).fetchone() if ahead else None
    return ahead, row["text"] if row else ""


def shown_by(db: Db, conversation: ConversationId, room: RoomId) -> PromptId | None:
    """The first that waits and has a message in *room*, also one that may not be there."""
    row = db.execute(
        f"SELECT id FROM prompts WHERE conversation = ? AND {WAITS} AND id IN"
        " (SELECT prompt FROM deliveries"
        " WHERE prompt = prompts.id AND room = ? AND kind = 'progress' AND part = 0)"
        " ORDER BY position, id LIMIT 1",
        (conversation, room),
    ).fetchone()
    return PromptId(row["id"]) if row else None


def hand_on(db: Db, dropped: PromptId, room: RoomId) -> None:
    """The message in *room* of a prompt that will never begin becomes that of the first that still waits with
    it, if none of those has one: it shows their line. One that may not be there is left alone."""
    conversation = prompts.get(db, dropped).conversation
    if shown_by(db, conversation, room):
        return
    for heir in said_in(db, conversation, room)[:1]:
        db.execute(
            "UPDATE deliveries SET prompt = ? WHERE prompt = ? AND room = ? AND kind = 'progress'"
            " AND chat_message <> ''",
            (heir, dropped, room),
        )
