"""Who may say what: people with their roles, strangers that knocked, and codes that let somebody in."""

from __future__ import annotations

import hashlib
import hmac

from core.model.people import Known
from core.store.database import Db
from core.store.rows import Row

TRIES_MOST = 10_000
"""Wrong codes of all people together; it takes two thousand of them to try so often, for each has five tries.
A code is one of 31⁸: who tries ten thousand finds it once in 85 million codes."""
TOLD_EVERY = 86_400.0


def everybody(db: Db, platform: str) -> list[Known]:
    """All who were let in."""
    found = db.execute(
        "SELECT * FROM people WHERE platform = ? AND role <> 'stranger' ORDER BY id", (platform,)
    )
    return [Known(row["person"], row["name"], row["role"]) for row in found]


def let_in(db: Db, platform: str, person: str, role: str, *, name: str = "") -> None:
    db.execute(
        "INSERT INTO people (platform, person, name, role) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET role = excluded.role, name = coalesce(nullif(excluded.name, ''), name)",
        (platform, person, name, role),
    )


def knocked(db: Db, platform: str, person: str, name: str, *, now: float) -> bool:
    """A stranger wrote; whether an owner is to be told: of each of them once, and once a day at most."""
    newest = (
        db.execute("SELECT max(told_at) FROM people WHERE platform = ?", (platform,)).fetchone()[0] or 0.0
    )
    if 0 <= now - newest < TOLD_EVERY:
        return False
    told = db.execute(
        "INSERT INTO people (platform, person, name, role, told_at) VALUES (?, ?, ?, 'stranger', ?)"
        " ON CONFLICT DO NOTHING",
        (platform, person, name, now),
    )
    return told.rowcount > 0


def offer(db: Db, code: str, role: str, *, salt: str, expires_at: float) -> None:
    """A code that gives *role* to whoever says it in time; only its digest is kept."""
    db.execute("DELETE FROM pairings")
    db.execute(
        "INSERT INTO pairings (role, salt, digest, expires_at) VALUES (?, ?, ?, ?)",
        (role, salt, _digest(code, salt), expires_at),
    )


def offered(db: Db, *, now: float) -> int | None:
    """The number, never used again, of the code that lets somebody in now."""
    row = _offer(db, now)
    return int(row["id"]) if row else None


def redeem(db: Db, code: str, *, now: float) -> str | None:
    """The role that *code* gives, once; None for a wrong, used, or late one. Too many wrong
    tries end it."""
    row = _offer(db, now)
    if row is None:
        return None
    if not hmac.compare_digest(_digest(code, row["salt"]), row["digest"]):
        db.execute("UPDATE pairings SET tries = tries + 1 WHERE id = ?", (row["id"],))
        return None
    db.execute("DELETE FROM pairings WHERE id = ?", (row["id"],))
    return str(row["role"])


def _offer(db: Db, now: float) -> Row | None:
    found = db.execute("SELECT * FROM pairings WHERE expires_at > ? AND tries < ?", (now, TRIES_MOST))
    row: Row | None = found.fetchone()
    return row


def _digest(code: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}:{code}".encode()).hexdigest()
