"""Who may say what: people with their roles, strangers that knocked, and codes that let somebody in."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection

from core.model.ids import ProjectId
from core.model.people import Admission, Known
from core.store.database import Db
from core.store.rows import Row

TRIES_MOST = 10_000
"""Wrong codes of all people together; it takes two thousand of them to try so often, for each has five tries.
A code is one of 31⁸: who tries ten thousand finds it once in 85 million codes."""
TOLD_EVERY = 86_400.0


def everybody(db: Db, platform: str) -> list[Known]:
    """All who were let in, into whatever."""
    found = db.execute("SELECT * FROM people WHERE platform = ? ORDER BY id", (platform,))
    rights = _rights(db, platform)
    known = [Known(row["person"], row["name"], row["role"], rights.get(row["id"], {})) for row in found]
    return [one for one in known if {one.role, *one.projects.values()} != {"stranger"}]


def _rights(db: Db, platform: str) -> dict[int, dict[ProjectId, str]]:
    """What each of them is in single projects."""
    found = db.execute(
        "SELECT r.* FROM rights r JOIN people p ON p.id = r.person WHERE p.platform = ? ORDER BY r.project",
        (platform,),
    )
    rights: dict[int, dict[ProjectId, str]] = {}
    for row in found:
        rights.setdefault(row["person"], {})[ProjectId(row["project"])] = row["role"]
    return rights


def let_in(
    db: Db, platform: str, person: str, role: str, *, name: str = "", project: ProjectId | None = None
) -> None:
    """Make somebody that in one *project*, or else in every one, whatever they were in some."""
    everywhere = role if project is None else "stranger"
    newest = "name = coalesce(nullif(excluded.name, ''), name)"
    row = db.execute(
        "INSERT INTO people (platform, person, name, role) VALUES (?, ?, ?, ?)"
        f" ON CONFLICT DO UPDATE SET role = iif(?, role, excluded.role), {newest} RETURNING id",
        (platform, person, name, everywhere, project is not None),
    ).fetchone()
    if project is None:
        db.execute("DELETE FROM rights WHERE person = ?", (row["id"],))
    else:
        db.execute(
            "INSERT INTO rights (person, project, role) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET role = excluded.role",
            (row["id"], project, role),
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


def named_owners(db: Db, platform: str) -> frozenset[str]:
    """Whom the settings named when we were at work last."""
    found = db.execute("SELECT person FROM named_owners WHERE platform = ?", (platform,))
    return frozenset(row["person"] for row in found)


def name_owners(db: Db, platform: str, owners: Collection[str]) -> None:
    """These, and nobody else."""
    db.execute("DELETE FROM named_owners WHERE platform = ?", (platform,))
    db.executemany("INSERT INTO named_owners VALUES (?, ?)", [(platform, owner) for owner in owners])


def offer(
    db: Db, code: str, role: str, *, salt: str, expires_at: float, project: ProjectId | None = None
) -> None:
    """A code that gives *role*, in one *project* or in every one, to whoever says it in time, and ends the
    code before that gave the same; only its digest is kept."""
    db.execute("DELETE FROM pairings WHERE role = ? AND project IS ?", (role, project))
    db.execute(
        "INSERT INTO pairings (role, project, salt, digest, expires_at) VALUES (?, ?, ?, ?, ?)",
        (role, project, salt, _digest(code, salt), expires_at),
    )


def offered(db: Db, *, now: float) -> int | None:
    """The number, never used again, of the newest code that lets somebody in now."""
    return max((int(row["id"]) for row in _offers(db, now)), default=None)


def redeem(db: Db, code: str, *, now: float) -> Admission | None:
    """What *code* gives, once; None for a wrong, used, or late one. Too many wrong tries end every code."""
    found = [
        row for row in _offers(db, now) if hmac.compare_digest(_digest(code, row["salt"]), row["digest"])
    ]
    if not found:
        db.execute("UPDATE pairings SET tries = tries + 1")
        return None
    (row,) = found
    db.execute("DELETE FROM pairings WHERE id = ?", (row["id"],))
    return Admission(row["role"], ProjectId(row["project"]) if row["project"] else None)


def _offers(db: Db, now: float) -> list[Row]:
    good = "expires_at > ? AND tries < ?"
    return db.execute(f"SELECT * FROM pairings WHERE {good}", (now, TRIES_MOST)).fetchall()


def _digest(code: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}:{code}".encode()).hexdigest()
