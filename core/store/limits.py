"""When accounts that are used up are renewed, as the prompts know that wait for it."""

from __future__ import annotations

from core.model.conversation import Conversation
from core.model.events import TYPE_NAMES, Retrying
from core.model.ids import PromptId
from core.store import rows
from core.store.database import Db

WAITS_FOR_IT = "usage_limit"
"""How a turn came out whose prompt waits for its account."""


def used_up_until(db: Db, prompt: PromptId, conversation: Conversation, *, now: float) -> float:
    """The latest end (seconds since the epoch) of a limit that another prompt with the engine and the model
    of *conversation* waits for; 0 where none does."""
    found = db.execute(
        "SELECT e.* FROM prompts p JOIN conversations c ON c.id = p.conversation"
        " JOIN turns t ON t.id = (SELECT max(id) FROM turns WHERE prompt = p.id)"
        " JOIN events e ON e.id = (SELECT max(id) FROM events WHERE prompt = p.id AND type = ?)"
        " WHERE p.status IN ('queued', 'running') AND p.status = 'running' AND NOT p.cancelling"
        " AND t.outcome = ? AND p.engine = ? AND c.model = ? AND p.id <> ?",
        (TYPE_NAMES[Retrying], WAITS_FOR_IT, conversation.engine, conversation.model, prompt),
    )
    waited = [event.until for row in found if isinstance(event := rows.event(row), Retrying)]
    return max((until for until in waited if until > now), default=0.0)
