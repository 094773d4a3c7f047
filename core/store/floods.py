"""Chats that are closed to us for a while, so that a restart does not knock at them early."""

from __future__ import annotations

from core.store.database import Db


def close(db: Db, platform: str, account: str, chat: str, *, seconds: float, now: float) -> None:
    """Nothing may be sent into any room of *chat* for so long; what is over is forgotten."""
    db.execute("DELETE FROM floods WHERE until <= ?", (now,))
    db.execute(
        "INSERT INTO floods (platform, account, chat, until, seconds) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET until = excluded.until, seconds = excluded.seconds",
        (platform, account, chat, now + seconds, seconds),
    )


def closed(db: Db, platform: str, account: str, *, now: float) -> list[tuple[str, float]]:
    """The chats of an account that are closed still, and for how many seconds: at most as long as was said,
    however the clock was set meanwhile."""
    found = db.execute(
        "SELECT chat, min(until - ?, seconds) AS left FROM floods"
        " WHERE (platform, account) = (?, ?) AND until > ?",
        (now, platform, account, now),
    )
    return [(row["chat"], row["left"]) for row in found]
