"""What an agent asked is answered, by somebody who may, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.access import Role
from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import is_here, prompt_here
from bot.intents.values import Decide, DecideHere
from bot.replies import approval as reply
from bot.texts import Texts
from core.errors import UnknownPrompt
from core.model.events import Asked, Choice, Grant
from core.model.prompt import Prompt, Status
from core.store import log, prompts, said
from core.store.database import Db
from core.store.said import Reply


@dataclass(frozen=True, slots=True)
class _Decided:
    """*by* is who had answered, be it just now."""

    choice: Choice
    by: str


_Outcome: TypeAlias = _Decided | None
"""None: nothing waits for an answer."""


async def deciding(intent: Decide | DecideHere, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `UnknownPrompt` for a question of another project."""
    texts, now = desk.texts(place), desk.clock.now()
    done = await desk.once(
        place, lambda db: _decide(db, intent, place, now=now), lambda found: _told(found, texts)
    )
    desk.ring()
    return done


def _told(outcome: _Outcome, texts: Texts) -> list[Outgoing]:
    match outcome:
        case None:
            return [reply.nothing_open(texts)]
        case _Decided():
            return []  # the question itself says so


def _decide(db: Db, intent: Decide | DecideHere, place: Place, *, now: float) -> _Outcome:
    asked = _asked(db, intent, place)
    if asked is None or not isinstance(asked.event, Asked):
        return None
    prompt = prompt_here(db, asked.prompt, place)
    found = _meant(asked.event, intent)
    if found is None or prompt.status is not Status.RUNNING:
        return None
    turn = log.turn_of(db, asked.id)
    said.reply(db, Reply(turn, asked.event.key, found.id, person=place.person.name), now=now)
    first = said.replied(db, turn, asked.event.key)
    assert first
    return _Decided(found, first.person)


def _asked(db: Db, intent: Decide | DecideHere, place: Place) -> log.Logged | None:
    """What is to be answered. Errors: `UnknownPrompt`."""
    if isinstance(intent, Decide):
        try:
            return log.one(db, intent.question)
        except LookupError:
            raise UnknownPrompt(id=intent.question) from None
    waiting = said.open_questions(db, place.conversation.id) if place.conversation else []
    return waiting[0] if waiting else None


def whose(db: Db, intent: Decide | DecideHere, place: Place) -> str:
    """Who alone may answer that, besides owners; empty where it is who is there."""
    try:
        asked = _asked(db, intent, place)
        prompt = prompt_here(db, asked.prompt, place) if asked else None
    except UnknownPrompt:
        return ""
    return "" if prompt is None or may_answer(prompt, place) else prompt.author


def denies(db: Db, intent: Decide | DecideHere, place: Place) -> bool:
    """Whether it allows nothing."""
    try:
        asked = _asked(db, intent, place)
    except UnknownPrompt:
        return True
    found = _meant(asked.event, intent) if asked and isinstance(asked.event, Asked) else None
    return found is None or found.grant is Grant.DENY


def may_answer(prompt: Prompt, place: Place) -> bool:
    """Who asked, or an owner."""
    return place.role is Role.OWNER or prompt.person == place.person.id


def takes_words(db: Db, asked: log.Logged, place: Place) -> bool:
    """Whether the question is open, and takes words of their own from who is *here*."""
    free = isinstance(asked.event, Asked) and asked.event.free
    prompt = prompts.get(db, asked.prompt)
    waits = prompt.status is Status.RUNNING and said.is_open(db, asked)
    return free and waits and is_here(db, prompt, place) and may_answer(prompt, place)


def answer_in_words(db: Db, asked: log.Logged, text: str, place: Place, *, now: float) -> bool:
    """Whether *text* is the answer to the question: the first counts."""
    assert isinstance(asked.event, Asked)
    turn = log.turn_of(db, asked.id)
    return said.reply(db, Reply(turn, asked.event.key, "", text, place.person.name), now=now)


def _meant(asked: Asked, intent: Decide | DecideHere) -> Choice | None:
    if isinstance(intent, Decide):
        return asked.choices[intent.choice] if intent.choice < len(asked.choices) else None
    return next((one for one in asked.choices if one.grant is intent.grant), None)
