"""What our own accounts are called on their platforms."""

from __future__ import annotations

from core.store.database import Db


def called(db: Db, platform: str, account: str, name: str) -> None:
    """The platform calls it *name* now."""
    db.execute(
        "INSERT INTO accounts (platform, account, name) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET name = excluded.name WHERE name <> excluded.name",
        (platform, account, name),
    )


def name_on(db: Db, platform: str) -> str:
    """The name of the account that was there last; empty where none is known."""
    row = db.execute(
        "SELECT name FROM accounts WHERE platform = ? ORDER BY id DESC LIMIT 1", (platform,)
    ).fetchone()
    return str(row["name"]) if row else ""
