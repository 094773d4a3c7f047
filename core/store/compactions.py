"""What a compaction leaves in the store (behaviour §5.2, §5.3), and when one comes by itself (§5.4)."""

from __future__ import annotations

from core.model.ids import ConversationId, PromptId
from core.model.prompt import COMPACT, ChatPlace, Kind, Source, Status
from core.store import conversations, prompts, rows
from core.store.database import Db

ACTION = "compact the context"
OURSELVES = "roost"
"""Who asks for what nobody said."""


def follow(db: Db, ended: PromptId, *, now: float) -> None:
    """The turn of *ended* left the context nearly full: a compaction comes before all that waits, if its
    conversation wants that and none waits already; never where somebody stopped it. It is told where *ended*
    is."""
    asked = prompts.get(db, ended)
    here = conversations.get(db, asked.conversation)
    if not here.auto_compact or here.session is None or asked.status is Status.CANCELLED:
        return
    if any(one.kind is Kind.COMPACT for one in prompts.open_of(db, here.id)):
        return
    place = prompts.place_of(db, ended)
    accepted = prompts.accept(
        db,
        Source(OURSELVES, Kind.COMPACT, str(ended)),
        asked.conversation,
        COMPACT,
        now=now,
        kind=Kind.COMPACT,
        person=asked.person,
        place=ChatPlace(place.room, "") if place else None,
    )
    prompts.move_up(db, accepted.prompt.id)


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
        conversations.lose_session(db, conversation)
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
