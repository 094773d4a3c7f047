"""Buttons under our messages: what each stands for, and who has used it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.store.database import Db

GOOD_SECONDS = 90 * 86_400.0
"""For so long a button is known; people type what an older one stood for."""


@dataclass(frozen=True, slots=True)
class Kept:
    """*intent* is the text of a command. *by* is who has used it, at a time (since the epoch); nobody yet
    where that is 0."""

    intent: str
    by: str
    used_at: float


def keep(
    db: Db, platform: str, chat: str, intents: Mapping[str, str], *, message: str = "", now: float
) -> None:
    """Each token and the intent it stands for; those that are too old are forgotten."""
    db.execute("DELETE FROM buttons WHERE created_at < ?", (now - GOOD_SECONDS,))
    db.executemany(
        "INSERT INTO buttons (token, platform, chat, message, intent, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        [(token, platform, chat, message, intent, now) for token, intent in intents.items()],
    )


def stand(db: Db, tokens: Iterable[str], message: str) -> None:
    """They are under this *message* of their chat."""
    db.executemany("UPDATE buttons SET message = ? WHERE token = ?", [(message, token) for token in tokens])


def under(db: Db, platform: str, chat: str, message: str) -> dict[str, str]:
    """Each intent that stands under a message, and the token of the button that nobody has used yet."""
    found = db.execute(
        "SELECT intent, token FROM buttons WHERE (platform, chat, message) = (?, ?, ?) AND used_at = 0",
        (platform, chat, message),
    )
    return {row["intent"]: row["token"] for row in found}


def find(db: Db, token: str) -> Kept | None:
    row = db.execute("SELECT * FROM buttons WHERE token = ?", (token,)).fetchone()
    return Kept(row["intent"], row["by"], row["used_at"]) if row else None


def use(db: Db, token: str, by: str, *, now: float) -> None:
    """The first counts."""
    db.execute("UPDATE buttons SET by = ?, used_at = ? WHERE token = ? AND used_at = 0", (by, now, token))
