"""A session that an agent program has of its own, so that a chat can carry it on."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.ids import SessionId


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """*title* as the program words it; *updated_at* in seconds since the epoch, 0 where it is not told;
    *cwd* is the directory that the session works in."""

    id: SessionId
    title: str
    updated_at: float
    cwd: str
