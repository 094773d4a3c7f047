"""The event log: what happened, numbered, readable from any offset."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.model.events import EVENT_TYPES, TYPE_NAMES, Event, Leftovers
from core.model.ids import ConversationId, EventId, PromptId, TurnId
from core.store import rows
from core.store.database import Db

PAGE = 500
E = TypeVar("E", bound=Event)


@dataclass(frozen=True, slots=True)
class Logged:
    """One event as it stands in the log. *at* is seconds since the epoch."""

    id: EventId
    conversation: ConversationId
    prompt: PromptId
    at: float
    event: Event


def append(
    db: Db,
    events: Iterable[Event],
    *,
    conversation: ConversationId,
    prompt: PromptId,
    now: float,
    turn: TurnId | None = None,
) -> None:
    """Add *events* in their order; part of the caller's transaction."""
    db.executemany(
        "INSERT INTO events (conversation, prompt, turn, type, at, data) VALUES (?, ?, ?, ?, ?, ?)",
        [(conversation, prompt, turn, kind, now, data) for kind, data in map(rows.event_columns, events)],
    )


def read(
    db: Db, conversation: ConversationId, offset: int = 0, *, most: int = PAGE
) -> tuple[list[Logged], int]:
    """The events after *offset*, and the offset to read on from; reading there again gives nothing
    until something happens (behaviour §6.6)."""
    found = db.execute(
        "SELECT * FROM events WHERE conversation = ? AND id > ? ORDER BY id LIMIT ?",
        (conversation, offset, most),
    )
    return _page(found.fetchall(), offset)


def of_prompt(db: Db, prompt: PromptId, offset: int = 0, *, most: int = PAGE) -> tuple[list[Logged], int]:
    """`read`, of one prompt only."""
    found = db.execute(
        "SELECT * FROM events WHERE prompt = ? AND id > ? ORDER BY id LIMIT ?", (prompt, offset, most)
    )
    return _page(found.fetchall(), offset)


def of_turn(db: Db, prompt: PromptId, turn: TurnId) -> list[Event]:
    """Everything stored of one turn: its fold is the turn as it was when we last looked."""
    found = db.execute("SELECT * FROM events WHERE prompt = ? AND turn = ? ORDER BY id", (prompt, turn))
    return [rows.event(row) for row in found]


def newest(db: Db, conversation: ConversationId, kind: type[E]) -> E | None:
    """The last event of its kind in a conversation."""
    name = next(name for name, each in EVENT_TYPES.items() if each is kind)
    row = db.execute(
        "SELECT * FROM events WHERE conversation = ? AND type = ? ORDER BY id DESC LIMIT 1",
        (conversation, name),
    ).fetchone()
    found = rows.event(row) if row else None
    return found if isinstance(found, kind) else None


def one(db: Db, number: EventId) -> Logged:
    """Errors: LookupError."""
    row = db.execute("SELECT * FROM events WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise LookupError(number)
    return _page([row], 0)[0][0]


def turn_of(db: Db, number: EventId) -> TurnId:
    """The turn that an event of an agent's belongs to."""
    return TurnId(db.execute("SELECT turn FROM events WHERE id = ?", (number,)).fetchone()[0])


def leftovers(db: Db, prompt: PromptId) -> list[Leftovers]:
    """What the agents of a prompt had left running."""
    found = db.execute(
        "SELECT * FROM events WHERE prompt = ? AND type = ? ORDER BY id", (prompt, TYPE_NAMES[Leftovers])
    )
    return [event for row in found if isinstance(event := rows.event(row), Leftovers)]


def end(db: Db, conversation: ConversationId) -> int:
    """The offset after the newest event."""
    newest = db.execute("SELECT max(id) FROM events WHERE conversation = ?", (conversation,)).fetchone()[0]
    return int(newest or 0)


def _page(found: Sequence[rows.Row], offset: int) -> tuple[list[Logged], int]:
    page = [
        Logged(
            EventId(row["id"]),
            ConversationId(row["conversation"]),
            PromptId(row["prompt"]),
            row["at"],
            rows.event(row),
        )
        for row in found
    ]
    return page, page[-1].id if page else offset
