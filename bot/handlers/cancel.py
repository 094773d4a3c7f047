"""What runs is stopped, what waits is dropped; how a stopped turn ended is told when it has."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import prompt_here
from bot.intents.values import Cancel, CancelAll, CancelPrompt
from bot.replies import cancelled, queue
from bot.texts import Texts
from core.store import inbox, prompts
from core.store.database import Db
from core.store.prompts import Cancelled


async def cancel(intent: Cancel | CancelAll | CancelPrompt, place: Place, desk: Desk) -> list[Outgoing]:
    now, texts = desk.clock.now(), desk.texts(place)
    said = await desk.once(
        place, lambda db: _done(db, intent, place, now=now), lambda done: _said(*done, intent, texts)
    )
    desk.ring()
    return said


def _said(
    done: Cancelled, parked: int, intent: Cancel | CancelAll | CancelPrompt, texts: Texts
) -> list[Outgoing]:
    if parked:
        return [queue.cleared(parked, texts)]
    if not done:
        return [cancelled.too_late(texts) if isinstance(intent, CancelPrompt) else cancelled.nothing(texts)]
    match done.dropped:
        case ():
            return []
        case (one,):
            return [cancelled.dropped(one.text, texts)]
        case several:
            return [queue.cleared(len(several), texts)]


def _done(
    db: Db, intent: Cancel | CancelAll | CancelPrompt, place: Place, *, now: float
) -> tuple[Cancelled, int]:
    """What was cancelled, and how many messages had waited for a project."""
    done = _cancel(db, intent, place, now=now)
    return done, 0 if place.project else inbox.drop_parked(db, place.room.id)


def _cancel(db: Db, intent: Cancel | CancelAll | CancelPrompt, place: Place, *, now: float) -> Cancelled:
    match intent:
        case CancelPrompt(number):
            return prompts.cancel(db, prompt_here(db, number, place).id, now=now)
        case Cancel() | CancelAll() if place.conversation is None:
            return Cancelled()
        case Cancel() | CancelAll():
            everything = isinstance(intent, CancelAll)
            return prompts.cancel_here(db, place.conversation.id, everything=everything, now=now)
        case _:
            assert_never(intent)
