"""What people were last told of a project's own files: what those make agents run or obey."""

from __future__ import annotations

import json
from collections.abc import Mapping

from core.model.events import OrdersFound
from core.model.ids import ProjectId
from core.model.repository import Order
from core.store import turns
from core.store.database import Db
from core.store.turns import Step

TOLD_MOST = 12


def mark(db: Db, project: ProjectId) -> str:
    """Of the last survey; empty where there was none."""
    row = db.execute("SELECT mark FROM repositories WHERE project = ?", (project,)).fetchone()
    return row["mark"] if row else ""


def keep(
    db: Db, step: Step, project: ProjectId, mark: str, found: Mapping[str, Order], *, now: float
) -> None:
    """Keep a survey's mark, and the keys of what it *found*. What was not there the last time is told with
    the turn of *step*, once."""
    row = db.execute("SELECT keys FROM repositories WHERE project = ?", (project,)).fetchone()
    known = set(json.loads(row["keys"])) if row else set()
    fresh = [order for key, order in found.items() if key not in known]
    db.execute(
        "INSERT INTO repositories (project, mark, keys) VALUES (?, ?, ?)"
        " ON CONFLICT (project) DO UPDATE SET mark = excluded.mark, keys = excluded.keys",
        (project, mark, json.dumps(list(found))),
    )
    if fresh:
        told, more = tuple(fresh[:TOLD_MOST]), max(0, len(fresh) - TOLD_MOST)
        turns.note(db, step, OrdersFound(told, more, again=row is not None), now=now)
