"""What the turns of a conversation have used, as their engines told."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.model.events import TYPE_NAMES, Usage
from core.model.ids import ConversationId
from core.store import rows
from core.store.database import Db

NOTHING = Usage(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Spent:
    """The newest turn with the context as it left it, and the sum of all *turns* that told anything."""

    last: Usage
    whole: Usage
    turns: int


def spent(db: Db, conversation: ConversationId) -> Spent | None:
    """None where no turn has told anything. A turn's last word on itself counts."""
    found = db.execute(
        "SELECT * FROM events WHERE id IN (SELECT max(id) FROM events WHERE conversation = ? AND type = ?"
        " GROUP BY turn) ORDER BY id",
        (conversation, TYPE_NAMES[Usage]),
    )
    told = [event for row in found if isinstance(event := rows.event(row), Usage)]
    if not told:
        return None
    each = [_own(before, now) for before, now in zip([NOTHING, *told], told, strict=False)]
    return Spent(each[-1], _sum(each), len(each))


def _own(before: Usage, now: Usage) -> Usage:
    """What one turn used; a running total that is less than the one before began again."""
    if not now.cumulative or not before.cumulative or now.input < before.input:
        return now
    return replace(
        now,
        input=now.input - before.input,
        cached=max(0, now.cached - before.cached),
        output=max(0, now.output - before.output),
    )


def _sum(each: list[Usage]) -> Usage:
    return Usage(
        sum(one.input for one in each),
        sum(one.cached for one in each),
        sum(one.output for one in each),
        cost=sum(one.cost for one in each),
    )
