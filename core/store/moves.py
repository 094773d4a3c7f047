"""What chats were called before: messages that were left behind still speak from under the old name."""

from __future__ import annotations

from core.store import conversations
from core.store.database import Db

FORMER = "called before: "
"""What no platform calls an update, before the name that a chat had: its entry in the inbox is this news."""
MOST_MOVES = 10
"""Names of one chat that are gone through."""


def move(db: Db, platform: str, account: str, chat: str, to: str, *, now: float) -> None:
    """As `conversations.move`, and *chat* is known to be called *to* from now on, also after a restart."""
    conversations.move(db, platform, account, chat, to)
    if chat != to:
        db.execute(
            "INSERT INTO inbox (platform, account, update_key, body, state, received_at)"
            " VALUES (?, ?, ?, ?, 'done', ?) ON CONFLICT DO UPDATE SET body = excluded.body",
            (platform, account, f"{FORMER}{chat}", to, now),
        )


def called_now(db: Db, platform: str, account: str, chat: str) -> str:
    """The name by which the platform calls *chat* by now."""
    for _ in range(MOST_MOVES):
        row = db.execute(
            "SELECT body FROM inbox WHERE (platform, account, update_key) = (?, ?, ?)",
            (platform, account, f"{FORMER}{chat}"),
        ).fetchone()
        if row is None:
            break
        chat = row["body"]
    return chat
