"""How each engine has fared lately: its last prompt, and what it said that nobody understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.model.events import TYPE_NAMES, Unrecognised
from core.model.prompt import Status
from core.store import rows
from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Record:
    """*status* and *reason* of the last prompt that ended by itself, *at* seconds since the epoch.
    *unrecognised*: how often it said each kind of line that this version does not know, since the time
    that was asked for."""

    status: Status
    reason: str
    at: float
    unrecognised: Mapping[str, int]


def records(db: Db, *, since: float) -> dict[str, Record]:
    """By the engine's name; *since* in seconds since the epoch."""
    found = db.execute(
        "SELECT engine, status, reason, max(ended_at) AS at FROM prompts"
        " WHERE status IN ('done', 'failed') AND started_at IS NOT NULL AND engine <> '' GROUP BY engine"
    )
    strange = _unrecognised(db, since)
    return {
        row["engine"]: Record(Status(row["status"]), row["reason"], row["at"], strange.get(row["engine"], {}))
        for row in found
    }


def _unrecognised(db: Db, since: float) -> dict[str, dict[str, int]]:
    found = db.execute(
        "SELECT e.*, p.engine AS engine FROM prompts p JOIN events e ON e.prompt = p.id"
        " WHERE p.started_at >= ? AND e.type = ? AND e.at >= ?",
        (since, TYPE_NAMES[Unrecognised], since),
    )
    counts: dict[str, dict[str, int]] = {}
    for row in found:
        event = rows.event(row)
        if isinstance(event, Unrecognised):
            of_engine = counts.setdefault(row["engine"], {})
            of_engine[event.kind] = of_engine.get(event.kind, 0) + 1
    return counts
