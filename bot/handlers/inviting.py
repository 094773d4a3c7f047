"""One-time codes that let somebody in: made, kept, and linked to."""

from __future__ import annotations

import secrets

from bot.access import Role
from core.model.ids import ProjectId
from core.store import people
from core.store.database import Db

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody takes for another; a link to a bot carries them as they are."""
LENGTH = 8
GOOD_MINUTES = 10


def invite(db: Db, role: Role, project: ProjectId | None, *, now: float) -> str:
    """A new code for *role* in one *project* or in every one; it ends the one before for the same."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    until = now + GOOD_MINUTES * 60
    people.offer(db, code, role, salt=secrets.token_hex(16), expires_at=until, project=project)
    return code
