"""Why nothing comes of a pressed button: it is too old, was used, or is somebody else's to press."""

from __future__ import annotations

import time
from dataclasses import replace

from bot.chat import Incoming, Press, Text
from bot.handlers import deciding
from bot.handlers.desk import Place
from bot.intents.picks import PICKS
from bot.intents.values import (
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Decide,
    DecideHere,
    DropQueued,
    DropThose,
    DropWaiting,
    ForkFrom,
    Intent,
)
from bot.replies import pressing as reply
from bot.texts import Texts
from core.store import buttons
from core.store.database import Db

STOPPING = (
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    DropQueued,
    DropWaiting,
    DropThose,
)
"""What anybody may have made up: nothing begins by it, and nothing is allowed."""


def is_gone(incoming: Incoming) -> bool:
    """Whether nobody knows any more what was pressed."""
    return isinstance(incoming, Press) and bool(incoming.token) and not incoming.text


def chooses(incoming: Incoming, intent: Intent) -> bool:
    """Whether that is one of several that a message of ours offered, for one to be taken."""
    return isinstance(incoming, Press) and isinstance(intent, PICKS)


def may_be_vain(intent: Intent, place: Place) -> bool:
    """Whether `in_vain` has anything to look for."""
    return bool(place.token) or place.forgeable or isinstance(intent, Decide | DecideHere)


def in_vain(db: Db, intent: Intent, place: Place, texts: Texts) -> Text | None:
    """What is said in place of doing what somebody may ask for here; None where nothing stands against
    it."""
    if before := pressed_before(db, intent, place, texts):
        return before
    if place.forgeable and not _stops(db, intent, place):
        return reply.choose_by_word(texts) if isinstance(intent, PICKS) else reply.type_it(texts)
    if isinstance(intent, Decide | DecideHere) and (author := deciding.whose(db, intent, place)):
        return replace(reply.not_yours(author, texts), aside=True)
    return None


def pressed_before(db: Db, intent: Intent, place: Place, texts: Texts) -> Text | None:
    """By whom, where a button was used that is good once; None where it wasn't, or none was pressed."""
    kept = buttons.find(db, place.token) if place.token else None
    if kept is None or not kept.used_at:
        return None
    told = reply.forked if isinstance(intent, ForkFrom) else reply.used
    return told(kept.by, time.strftime("%H:%M", time.localtime(kept.used_at)), texts)


def _stops(db: Db, intent: Intent, place: Place) -> bool:
    if isinstance(intent, Decide | DecideHere):
        return deciding.denies(db, intent, place)
    return isinstance(intent, STOPPING)
