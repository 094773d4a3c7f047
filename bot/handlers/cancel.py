"""What runs is stopped, what waits is dropped; how a stopped turn ended is told when it has.

A cancel without a number is about the conversation that the room shows. Where that has nothing at all, it is
about what was asked in the room: its project may have been switched, or put away, since.
"""

from __future__ import annotations

from typing import TypeAlias

from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import meant_here, prompt_here, those_here
from bot.intents.values import Cancel, CancelAll, CancelPrompt, CancelThose
from bot.replies import cancelled, queue
from bot.texts import Texts
from core.store import inbox, prompts
from core.store.database import Db
from core.store.prompts import Cancelled

Stop: TypeAlias = Cancel | CancelAll | CancelPrompt | CancelThose


async def cancel(intent: Stop, place: Place, desk: Desk) -> list[Outgoing]:
    now, texts = desk.clock.now(), desk.texts(place)
    said = await desk.once(
        place, lambda db: _done(db, intent, place, now=now), lambda done: _said(*done, intent, texts)
    )
    desk.ring()
    return said


def _said(done: Cancelled, parked: int, intent: Stop, texts: Texts) -> list[Outgoing]:
    if parked:
        return [queue.cleared(len(done.dropped) + parked, texts)]
    if not done:
        return [
            cancelled.too_late(texts)
            if isinstance(intent, CancelPrompt | CancelThose)
            else cancelled.nothing(texts)
        ]
    match done.dropped:
        case ():
            return []
        case (one,):
            return [cancelled.dropped(one.text, texts)]
        case several:
            return [queue.cleared(len(several), texts)]


def _done(db: Db, intent: Stop, place: Place, *, now: float) -> tuple[Cancelled, int]:
    """What was cancelled, and how many messages had waited for a project, which come last."""
    by = place.room.id
    if isinstance(intent, CancelPrompt):
        return prompts.cancel(db, prompt_here(db, intent.prompt, place).id, by=by, now=now), 0
    if isinstance(intent, CancelThose):
        return prompts.cancel_each(db, those_here(db, intent, place), by=by, now=now), 0
    here, everything = meant_here(db, place), isinstance(intent, CancelAll)
    done = prompts.cancel_each(db, here if everything else prompts.foremost(here), by=by, now=now)
    if place.project or (done and not everything):
        return done, 0
    return done, inbox.drop_parked(db, by)
