"""What our own accounts are called on their platforms, and what is wrong with them."""

from __future__ import annotations

from core.store.database import Db

NOTE_SECONDS = 86_400.0


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
        "SELECT name FROM accounts WHERE platform = ? AND name <> '' ORDER BY id DESC LIMIT 1", (platform,)
    ).fetchone()
    return str(row["name"]) if row else ""


def name_of(db: Db, platform: str, account: str) -> str:
    """What that account was called last; empty where it is not known."""
    row = db.execute(
        "SELECT name FROM accounts WHERE (platform, account) = (?, ?)", (platform, account)
    ).fetchone()
    return str(row["name"]) if row else ""


def troubled(db: Db, platform: str, account: str, trouble: str) -> None:
    """That is wrong with it now; nothing where *trouble* is empty."""
    db.execute(
        "INSERT INTO accounts (platform, account, name, trouble) VALUES (?, ?, '', ?)"
        " ON CONFLICT DO UPDATE SET trouble = excluded.trouble WHERE trouble <> excluded.trouble",
        (platform, account, trouble),
    )


def trouble_of(db: Db, platform: str, account: str) -> str:
    row = db.execute(
        "SELECT trouble FROM accounts WHERE (platform, account) = (?, ?)", (platform, account)
    ).fetchone()
    return str(row["trouble"]) if row else ""


def keep_space(db: Db, platform: str, account: str, space: str) -> None:
    """The rooms that it makes are in that one."""
    db.execute(
        "INSERT INTO accounts (platform, account, name, space) VALUES (?, ?, '', ?)"
        " ON CONFLICT DO UPDATE SET space = excluded.space",
        (platform, account, space),
    )


def space_of(db: Db, platform: str, account: str) -> str:
    """Empty where there is none."""
    row = db.execute(
        "SELECT space FROM accounts WHERE (platform, account) = (?, ?)", (platform, account)
    ).fetchone()
    return str(row["space"]) if row else ""


def last_told(db: Db, platform: str, account: str) -> dict[str, str]:
    """The digest of what the platform was last told of the account, by the name of what it is."""
    found = db.execute(
        "SELECT name, digest FROM account_words WHERE (platform, account) = (?, ?)", (platform, account)
    )
    return {row["name"]: row["digest"] for row in found}


def told(db: Db, platform: str, account: str, name: str, digest: str) -> None:
    """The platform has that now."""
    db.execute(
        "INSERT INTO account_words (platform, account, name, digest) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET digest = excluded.digest",
        (platform, account, name, digest),
    )


def note(db: Db, platform: str, account: str, name: str, *, now: float) -> bool:
    """Whether owners are to be told that of it now: once a day at most."""
    if noted(db, platform, account, name, now=now):
        return False
    db.execute(
        "INSERT INTO notes (platform, account, name, told_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET told_at = excluded.told_at",
        (platform, account, name, now),
    )
    return True


def noted(db: Db, platform: str, account: str, name: str, *, now: float) -> bool:
    """Whether they were within a day."""
    return noted_at(db, platform, account, name, now=now) is not None


def noted_at(db: Db, platform: str, account: str, name: str, *, now: float) -> float | None:
    """When they were, within a day."""
    row = db.execute(
        "SELECT told_at FROM notes WHERE (platform, account, name) = (?, ?, ?)", (platform, account, name)
    ).fetchone()
    return row["told_at"] if row is not None and 0 <= now - row["told_at"] < NOTE_SECONDS else None
