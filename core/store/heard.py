"""How far we have heard what a chat tells, and what of it can't be read yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.store.database import Db


@dataclass(frozen=True, slots=True)
class Sealed:
    """An update that waits for the key of *session*; *body* is for whoever keeps it to read again."""

    update: str
    chat: str
    session: str
    body: str
    received_at: float


def token(db: Db, platform: str, account: str) -> str:
    """From here on we have not heard anything; empty where we never did."""
    row = db.execute(
        "SELECT token FROM heard WHERE (platform, account) = (?, ?)", (platform, account)
    ).fetchone()
    return str(row["token"]) if row else ""


def hear(db: Db, platform: str, account: str, token: str, sealed: Sequence[Sealed]) -> None:
    """Everything up to *token* is in the inbox; what is *sealed* is kept with it."""
    db.execute(
        "INSERT INTO heard (platform, account, token) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET token = excluded.token",
        (platform, account, token),
    )
    db.executemany(
        "INSERT INTO sealed (platform, account, update_key, chat, session, body, received_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [(platform, account, s.update, s.chat, s.session, s.body, s.received_at) for s in sealed],
    )


def sealed(db: Db, platform: str, account: str) -> list[Sealed]:
    """All that waits for a key, in the order in which it came."""
    found = db.execute(
        "SELECT * FROM sealed WHERE (platform, account) = (?, ?) ORDER BY received_at, update_key",
        (platform, account),
    )
    return [
        Sealed(row["update_key"], row["chat"], row["session"], row["body"], row["received_at"])
        for row in found
    ]


def unseal(db: Db, platform: str, account: str, updates: Sequence[str]) -> None:
    """These are in the inbox now."""
    db.executemany(
        "DELETE FROM sealed WHERE (platform, account, update_key) = (?, ?, ?)",
        [(platform, account, update) for update in updates],
    )
