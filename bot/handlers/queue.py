"""What waits in the room's conversation: shown, dropped, moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from bot.chat import Outgoing, Text
from bot.ears import hears
from bot.handlers.desk import Desk, Place
from bot.handlers.elsewhere import elsewhere
from bot.handlers.projects import unplaced
from bot.handlers.room import failed_here, prompt_here, those_here, waiting_here
from bot.intents.values import DropQueued, DropThose, DropWaiting, MoveUp, Queue
from bot.live import running_for
from bot.replies import cancelled
from bot.replies import queue as reply
from bot.replies.queue import Entry
from bot.texts import Texts
from core.engines.catalogue import Catalogue
from core.model.ids import PromptId
from core.model.prompt import Prompt, Status
from core.model.reasons import SET_ASIDE
from core.store import inbox, prompts
from core.store.database import Db


async def queue(
    intent: Queue | DropQueued | DropWaiting | DropThose | MoveUp, place: Place, desk: Desk
) -> list[Outgoing]:
    texts, now = desk.texts(place), desk.clock.now()
    match intent:
        case Queue() if place.project is None and (waiting := await unplaced(place, desk)):
            return [waiting]
        case Queue():
            entries, rest, failed = await desk.store.read(_entries, place, now)
            steers = await desk.store.read(_steers, entries, place, desk.catalogue)
            beyond = await desk.store.read(elsewhere, place, now)
            return [reply.queue(entries, rest, texts, steers=steers, failed=failed, beyond=beyond)]
        case DropQueued(number):
            return await desk.once(
                place, lambda db: _drop(db, number, place, now=now), lambda found: [_dropped(found, texts)]
            )
        case DropWaiting() | DropThose():
            return await desk.once(
                place,
                lambda db: _clear(db, intent, place, now=now),
                lambda count: [reply.cleared(count, texts)],
            )
        case MoveUp(number):
            return await desk.once(
                place, lambda db: _move_up(db, number, place), lambda found: [_moved(found, texts)]
            )
        case _:
            assert_never(intent)


def _dropped(prompt: Prompt, texts: Texts) -> Text:
    """*prompt* as it was before; one that was set aside waits for nothing but this word."""
    if prompt.status is Status.QUEUED or prompt.reason == SET_ASIDE:
        return reply.removed(prompt.text, texts)
    return too_late(prompt, texts)


def _moved(prompt: Prompt, texts: Texts) -> Text:
    if prompt.status is Status.QUEUED:
        return reply.moved(prompt.text, texts)
    return too_late(prompt, texts)


def too_late(prompt: Prompt, texts: Texts) -> Text:
    """It waits no more."""
    return cancelled.too_late(texts) if prompt.status.ended else reply.begun(texts)


def _steers(db: Db, entries: Sequence[Entry], place: Place, catalogue: Catalogue) -> bool:
    """Whether what runs can be told what waits behind it."""
    runs = any(one.running_for is not None for one in entries)
    return runs and place.conversation is not None and hears(db, place.conversation.id, catalogue)


def _entries(db: Db, place: Place, now: float) -> tuple[list[Entry], DropThose | None, Prompt | None]:
    """What there is, all that wait as a button names them, and what failed last."""
    entries = [
        Entry(one.id, one.text, running_for(db, one.id, now) if one.status is Status.RUNNING else None)
        for one in _open(db, place)
    ]
    return entries, waiting_here(db, place), failed_here(db, place)


def _open(db: Db, place: Place) -> list[Prompt]:
    return prompts.open_of(db, place.conversation.id) if place.conversation else []


def _drop(db: Db, number: PromptId, place: Place, *, now: float) -> Prompt:
    """The prompt as it was; only one that waits is dropped."""
    found = prompt_here(db, number, place)
    if found.status is Status.QUEUED:
        prompts.cancel(db, number, by=place.room.id, now=now)
    return found


def _clear(db: Db, intent: DropWaiting | DropThose, place: Place, *, now: float) -> int:
    meant = _open(db, place) if isinstance(intent, DropWaiting) else those_here(db, intent, place)
    waiting = [one.id for one in meant if one.status is Status.QUEUED]
    for number in waiting:
        prompts.cancel(db, number, by=place.room.id, now=now)
    parked = isinstance(intent, DropWaiting) and place.project is None
    return len(waiting) + (inbox.drop_parked(db, place.room.id) if parked else 0)


def _move_up(db: Db, number: PromptId, place: Place) -> Prompt:
    prompts.move_up(db, prompt_here(db, number, place).id)
    return prompts.get(db, number)
