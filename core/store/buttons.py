"""Buttons under our messages: what each stands for, and who has used it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.store.database import Db
from core.store.rows import Row

GOOD_SECONDS = 90 * 86_400.0
"""For so long a button is known; people type what an older one stood for."""
ASKING_SECONDS = 3_600.0
"""For so long a bare word answers a question that isn't the last thing that was said."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """A button that is about to stand under a message. *typed*: the words that press it as well."""

    token: str
    intent: str
    typed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """*intent* is the text of a command. *by* is who has used it, at a time (since the epoch); nobody yet
    where that is 0. It stands in *thread*."""

    token: str
    intent: str
    by: str
    used_at: float
    thread: str


def keep(
    db: Db,
    platform: str,
    chat: str,
    fresh: Iterable[Fresh],
    *,
    thread: str = "",
    message: str = "",
    now: float,
) -> None:
    """Those that are too old are forgotten."""
    db.execute("DELETE FROM buttons WHERE created_at < ?", (now - GOOD_SECONDS,))
    db.executemany(
        "INSERT INTO buttons (token, platform, chat, thread, message, intent, typed, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (one.token, platform, chat, thread, message, one.intent, "\n".join(one.typed), now)
            for one in fresh
        ],
    )


def stand(db: Db, tokens: Sequence[str], message: str) -> None:
    """They are under this *message* of their chat, all made for it; or others are there already, as under one
    that was sent twice and is there once."""
    first = db.execute("SELECT platform, chat FROM buttons WHERE token = ?", (tokens[0],)).fetchone()
    where = (*first, message) if first else ()
    there = "SELECT 1 FROM buttons WHERE (platform, chat, message) = (?, ?, ?)"
    if first and db.execute(there, where).fetchone():
        db.executemany("DELETE FROM buttons WHERE token = ?", [(token,) for token in tokens])
    else:
        set_message = "UPDATE buttons SET message = ? WHERE token = ?"
        db.executemany(set_message, [(message, token) for token in tokens])


def clear(db: Db, platform: str, chat: str, message: str) -> None:
    """Nothing stands under that message any more."""
    db.execute("DELETE FROM buttons WHERE (platform, chat, message) = (?, ?, ?)", (platform, chat, message))


def under(db: Db, platform: str, chat: str, message: str) -> dict[str, str]:
    """Each intent that stands under a message, and the token of the button that nobody has used yet."""
    found = db.execute(
        "SELECT intent, token FROM buttons WHERE (platform, chat, message) = (?, ?, ?) AND used_at = 0",
        (platform, chat, message),
    )
    return {row["intent"]: row["token"] for row in found}


def find(db: Db, token: str) -> Kept | None:
    row = db.execute("SELECT * FROM buttons WHERE token = ?", (token,)).fetchone()
    return _kept(row) if row else None


def pressed_by(db: Db, platform: str, chat: str, message: str, word: str) -> Kept | None:
    """The button under a message that *word* presses; before others one that nobody has used yet."""
    found = db.execute(
        "SELECT * FROM buttons WHERE (platform, chat, message) = (?, ?, ?) ORDER BY used_at",
        (platform, chat, message),
    )
    return next((_kept(row) for row in found if word in row["typed"].split("\n")), None)


def asking(db: Db, platform: str, account: str, chat: str, thread: str, word: str, *, until: float) -> str:
    """Our newest message there with a button that *word* presses and nobody has pressed, if it was there at
    *until*; else empty. It asks until somebody gives an agent a prompt there, or says what nobody has dealt
    with yet. Once anything else was said (a command, a press in vain), it asks for `ASKING_SECONDS` at
    most."""
    row = db.execute(
        "SELECT message, created_at FROM buttons b"
        " WHERE (platform, chat, thread) = (?, ?, ?) AND message <> '' AND created_at <= ?"
        " AND instr(char(10) || typed || char(10), char(10) || ? || char(10))"
        " AND NOT EXISTS (SELECT 1 FROM buttons u WHERE used_at <> 0"
        " AND (u.platform, u.chat, u.message) = (b.platform, b.chat, b.message))"
        " ORDER BY created_at DESC LIMIT 1",
        (platform, chat, thread, until, word),
    ).fetchone()
    if row is None:
        return ""
    said = db.execute(
        "SELECT count(*) AS any, total(i.state = 'new' OR p.id IS NOT NULL) AS prompts"
        " FROM rooms r JOIN inbox i ON i.room = r.id LEFT JOIN prompts p ON p.inbox = i.id"
        " WHERE (r.platform, r.account, r.chat, r.thread) = (?, ?, ?, ?) AND i.received_at > ?",
        (platform, account, chat, thread, row["created_at"]),
    ).fetchone()
    late = said["any"] and until - row["created_at"] > ASKING_SECONDS
    return "" if said["prompts"] or late else str(row["message"])


def use(db: Db, token: str, by: str, *, now: float) -> None:
    """The first counts."""
    db.execute("UPDATE buttons SET by = ?, used_at = ? WHERE token = ? AND used_at = 0", (by, now, token))


def use_alike(db: Db, token: str, by: str, *, now: float) -> None:
    """And with it all that stand for the same, wherever they are."""
    db.execute(
        "UPDATE buttons SET by = ?, used_at = ? WHERE used_at = 0"
        " AND intent = (SELECT intent FROM buttons WHERE token = ?)",
        (by, now, token),
    )


def use_all(db: Db, token: str, by: str, *, now: float) -> None:
    """And with it all that stand under the same message."""
    use(db, token, by, now=now)
    db.execute(
        "UPDATE buttons SET by = ?, used_at = ? WHERE used_at = 0 AND message <> ''"
        " AND (platform, chat, message) = (SELECT platform, chat, message FROM buttons WHERE token = ?)",
        (by, now, token),
    )


def _kept(row: Row) -> Kept:
    return Kept(row["token"], row["intent"], row["by"], row["used_at"], row["thread"])
