"""What an agent asked is answered, by somebody who may, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.access import Role
from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import prompt_here
from bot.intents.values import Decide, DecideHere
from bot.replies import approval as reply
from bot.texts import Texts
from core.errors import UnknownPrompt
from core.model.events import Asked, Choice
from core.model.prompt import Prompt, Status
from core.store import log, said
from core.store.database import Db
from core.store.said import Reply


@dataclass(frozen=True, slots=True)
class _Decided:
    """*by* is who had answered, be it just now."""

    choice: Choice
    by: str


@dataclass(frozen=True, slots=True)
class _NotYours:
    """Only who had asked, or an owner, may answer."""

    author: str


_Outcome: TypeAlias = _Decided | _NotYours | None
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
        case _NotYours(author):
            return [reply.not_yours(author, texts)]
        case _Decided():
            return []  # the question itself says so


def _decide(db: Db, intent: Decide | DecideHere, place: Place, *, now: float) -> _Outcome:
    if isinstance(intent, Decide):
        try:
            asked = log.one(db, intent.question)
        except LookupError:
            raise UnknownPrompt(id=intent.question) from None
        prompt = prompt_here(db, asked.prompt, place)
        found = _choice(asked.event, intent.choice)
    else:
        waiting = said.open_questions(db, place.conversation.id) if place.conversation else []
        if not waiting:
            return None
        asked = waiting[0]
        prompt = prompt_here(db, asked.prompt, place)
        found = _granting(asked.event, intent)
    if found is None or not isinstance(asked.event, Asked) or prompt.status is not Status.RUNNING:
        return None
    return _answered(db, asked, asked.event, found, prompt, place, now=now)


def _answered(
    db: Db, logged: log.Logged, asked: Asked, choice: Choice, prompt: Prompt, place: Place, *, now: float
) -> _Outcome:
    if not may_answer(prompt, place):
        return _NotYours(prompt.author)
    turn = log.turn_of(db, logged.id)
    said.reply(db, Reply(turn, asked.key, choice.id, person=place.person.name), now=now)
    first = said.replied(db, turn, asked.key)
    assert first
    return _Decided(choice, first.person)


def may_answer(prompt: Prompt, place: Place) -> bool:
    """Who asked, or an owner."""
    return place.role is Role.OWNER or prompt.person == place.person.id


def takes_words(db: Db, asked: log.Logged, place: Place) -> bool:
    """Whether the question is open, and takes words of their own from who is *here*."""
    free = isinstance(asked.event, Asked) and asked.event.free
    prompt = prompt_here(db, asked.prompt, place)
    return free and prompt.status is Status.RUNNING and may_answer(prompt, place) and said.is_open(db, asked)


def answer_in_words(db: Db, asked: log.Logged, text: str, place: Place, *, now: float) -> bool:
    """Whether *text* is the answer to the question: the first counts."""
    assert isinstance(asked.event, Asked)
    turn = log.turn_of(db, asked.id)
    return said.reply(db, Reply(turn, asked.event.key, "", text, place.person.name), now=now)


def _choice(event: object, at: int) -> Choice | None:
    choices: Sequence[Choice] = event.choices if isinstance(event, Asked) else ()
    return choices[at] if at < len(choices) else None


def _granting(event: object, intent: DecideHere) -> Choice | None:
    choices: Sequence[Choice] = event.choices if isinstance(event, Asked) else ()
    return next((one for one in choices if one.grant is intent.grant), None)
