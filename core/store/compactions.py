"""What a compaction leaves in the store (behaviour §5.2, §5.3)."""

from __future__ import annotations

from core.model.ids import ConversationId, PromptId
from core.store import rows
from core.store.database import Db

ACTION = "compact the context"


def record(db: Db, conversation: ConversationId, prompt: PromptId, *, reset: bool, now: float) -> None:
    """How the conversation was found, and a message of its history that says so. *reset*: its session was
    gone, and the next prompt begins a new one. An exchange is a message that has an answer."""
    found = db.execute(
        "SELECT count(*) FILTER (WHERE role = 'assistant' AND metadata = '{}') AS turns,"
        " coalesce(sum(length(text)), 0) AS characters FROM messages WHERE conversation = ?",
        (conversation,),
    ).fetchone()
    db.execute(
        "UPDATE conversations SET compacted_turns = ?, compacted_chars = ?, compacted_at = ? WHERE id = ?",
        (found["turns"], found["characters"], now, conversation),
    )
    if reset:
        db.execute("UPDATE conversations SET session = NULL WHERE id = ?", (conversation,))
    output = "new session" if reset else f"{found['turns']} turns, {found['characters']} characters"
    metadata = {
        "context_compaction": True,
        **({"context_reset": True} if reset else {}),
        "actions": [{"title": ACTION, "status": "done", "output": output}],
    }
    db.execute(
        "INSERT INTO messages (conversation, prompt, role, text, metadata, created_at)"
        " VALUES (?, ?, 'assistant', '', ?, ?)",
        (conversation, prompt, rows.json(metadata), now),
    )
