"""Sessions that an agent program keeps by itself, wherever they were begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.model.ids import SessionId

Said = tuple[Literal["user", "assistant"], str]
"""One message of a session, and whose it was."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """*title* is the engine's own, else how its first prompt begins. *updated_at* in seconds since the
    epoch, *cwd* is where it was begun."""

    id: SessionId
    title: str
    updated_at: float
    cwd: str
