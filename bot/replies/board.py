"""A project on one pinned message: what is at work in it, what waits, and what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat import Text
from bot.replies.marks import literal, quiet
from bot.replies.queue import WaitsFor, reason
from bot.texts import Texts

ROWS_MOST = 12
"""A phone shows thirty lines; each conversation takes two at most."""


@dataclass(frozen=True, slots=True)
class Row:
    """A conversation: at work *since* (0: it isn't), *asks* a person meanwhile; so many others wait in it,
    the first for *reason* where nothing runs; or what it did last *failed*. Times are seconds since the
    epoch."""

    title: str
    engine: str
    since: float = 0.0
    asks: bool = False
    waiting: int = 0
    reason: WaitsFor | None = None
    failed: float = 0.0


def board(project: str, rows: Sequence[Row], texts: Texts) -> Text:
    """No clock ticks in it: it says something else only when something has happened."""
    more = texts.more(len(rows) - ROWS_MOST) if len(rows) > ROWS_MOST else ""
    said = [_row(row, texts) for row in rows[:ROWS_MOST]] or [texts.say("board.nothing")]
    return quiet(f"**{literal(project)}**", *said, more)


def gone(texts: Texts) -> Text:
    """In the place of a board that can't be taken away."""
    return quiet(texts.say("board.gone"))


def not_pinned(texts: Texts) -> Text:
    return quiet(texts.say("board.not_pinned"))


def _row(row: Row, texts: Texts) -> str:
    title, waiting = literal(row.title), texts.count("queue.waiting", row.waiting) if row.waiting else ""
    if row.since:
        key = "board.asks" if row.asks else "board.works"
        said = texts.say(key, engine=literal(row.engine), time=texts.moment(row.since, 0))
        return " · ".join(filter(None, (f"▸ *{title}*", said, waiting)))
    if row.waiting:
        why = reason(row.reason, texts) if row.reason else ""
        return "\n".join(filter(None, (f"⏳ *{title}* · {waiting}", why)))
    return f"✗ *{title}* · {texts.say('board.failed', time=texts.moment(row.failed, 0))}"
