"""What was sent is changed or taken back: while it waits it changes, later its sender is told what can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from bot.chat import Message, MessageRef, Outgoing, Text
from bot.handlers.beside import reworded
from bot.handlers.desk import Desk, Place
from bot.handlers.room import in_reach, prompt_here
from bot.intents.values import Amend, Misheard
from bot.kept import decoded, encoded
from bot.replies import amended as reply
from bot.replies import cancelled, voice
from bot.texts import Texts
from core.model.ids import PromptId
from core.model.prompt import Prompt, Source, Status, joined
from core.model.reasons import TOLD
from core.store import inbox, pieces, prompts
from core.store.database import Db


async def amending(intent: Amend | Misheard, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `UnknownPrompt`."""
    texts, now = desk.texts(place), desk.clock.now()
    match intent:
        case Amend(None):
            said = await desk.once(
                place,
                lambda db: _take_back(db, place, desk, now=now),
                lambda found: _taken_back(found, texts),
            )
        case Amend(_, command=True):
            said = [reply.no_command(texts)]
        case Amend(text, media=media):
            said = await desk.once(
                place,
                lambda db: (
                    _amend(db, text or "", place, desk, now=now),
                    media and _own(db, place) is not None,
                ),
                lambda found: (
                    _amended(*found[0], text or "", texts) or ([reply.other_file(texts)] if found[1] else [])
                ),
            )
        case Misheard(number):
            said = await desk.once(
                place, lambda db: _stop(db, number, place, now=now), lambda found: [_stopped(found, texts)]
            )
        case _:
            assert_never(intent)
    desk.ring()
    return said


# -- changed -----------------------------------------------------------------------------------------------


def _amend(db: Db, text: str, place: Place, desk: Desk, *, now: float) -> tuple[Prompt | None, bool]:
    """What the message had made, as it was before, and whether an agent is at work with its words; None where
    the change changes nothing."""
    prompt = _own(db, place)
    if prompt is None:
        for source, message in _parked(db, place):
            inbox.rewrite(db, source, encoded(_with(message, place.message, text)))
        return None, False
    here = (place.room.id, place.message or "")
    if not text.strip() or prompts.storable(text) == (pieces.says(db, *here) or prompt.text):
        return None, False
    if _waits(prompt):
        prompts.reword(db, prompt.id, pieces.reword(db, *here, text))
        reworded(db, prompt.id, place.room.id, desk, now=now)
    else:
        pieces.correct(db, *here, text)
    return prompt, prompts.at_work_with(db, prompt)


def _amended(found: Prompt | None, at_work: bool, text: str, texts: Texts) -> list[Outgoing]:
    if found is None:
        return []
    if _waits(found):
        return [reply.changed(text, texts)]
    if at_work:
        return [reply.at_work(found.id, texts)]
    return [reply.has_run(texts) if _began(found) else reply.never_ran(texts)]


def _began(prompt: Prompt) -> bool:
    """Whether an agent got its words, be it by the turn of another one."""
    return prompt.started_at is not None or prompt.reason == TOLD


def _waits(prompt: Prompt) -> bool:
    """Whether no agent may have its words yet."""
    return prompt.status is Status.QUEUED and not prompt.steers


def _own(db: Db, place: Place) -> Prompt | None:
    """What the same person sent with the message, if they may still send anything there."""
    number = pieces.found(db, place.room.id, place.message or "")
    if number is None or not in_reach(db, number, place):
        return None
    found = prompts.get(db, number)
    return found if found.person == place.person.id else None


def _parked(db: Db, place: Place) -> Iterator[tuple[Source, Message]]:
    """What waits for the room's project and was sent with the message."""
    for received in inbox.parked_in(db, place.room.id):
        waits = decoded(received.body)
        if not isinstance(waits, Message) or waits.person.id != place.person.id:
            continue
        if place.message in (waits.id, *(one.message for one in waits.pieces)):
            yield received.source, waits


def _with(waits: Message, message: MessageRef | None, text: str) -> Message:
    """*waits* as it is with *message* saying *text*."""
    if not waits.pieces:
        return replace(waits, text=text)
    made_of = tuple(replace(one, text=text) if one.message == message else one for one in waits.pieces)
    return replace(waits, text=joined(made_of), pieces=made_of)


# -- taken back --------------------------------------------------------------------------------------------


def _take_back(db: Db, place: Place, desk: Desk, *, now: float) -> Prompt | None:
    """What the message had made, as it was before: what waits is dropped, and its words with it."""
    prompt = _own(db, place)
    if prompt is None:
        for source, _ in _parked(db, place):
            inbox.drop(db, source)
    elif prompt.status is Status.QUEUED:
        prompts.reword(db, prompt.id, "")
        reworded(db, prompt.id, place.room.id, desk, now=now)
        prompts.cancel(db, prompt.id, by=place.room.id, now=now)
    return prompt


def _taken_back(found: Prompt | None, texts: Texts) -> list[Outgoing]:
    if found is None or found.status.ended:
        return []
    return [reply.removed(texts) if found.status is Status.QUEUED else reply.goes_on(found.id, texts)]


def _stop(db: Db, number: PromptId, place: Place, *, now: float) -> Prompt:
    """*number* as it was before; it is stopped or dropped, unless it has ended."""
    prompt = prompt_here(db, number, place)
    prompts.cancel(db, prompt.id, by=place.room.id, now=now)
    return prompt


def _stopped(found: Prompt, texts: Texts) -> Text:
    return cancelled.too_late(texts) if found.status.ended else voice.taken_back(found.text, texts)
