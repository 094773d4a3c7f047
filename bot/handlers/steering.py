"""Words for the turn that is at work: told to it where its engine can, else they wait as any prompt does."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Outgoing
from bot.ears import hears
from bot.handlers import ask
from bot.handlers.desk import Desk, Place
from bot.handlers.queue import too_late
from bot.handlers.room import project_of, prompt_here
from bot.intents.values import Ask, Steer, TellNow
from bot.replies import queue as reply
from core.engines.port import Engine
from core.model.ids import PromptId
from core.model.prompt import Prompt, Status
from core.store import prompts, said
from core.store.database import Db


async def steering(intent: Steer | TellNow, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `UnknownPrompt`, `Refused` for an engine that this version can't drive."""
    if isinstance(intent, Steer) and place.project is None:
        return await ask.ask(Ask(intent.text), place, desk)
    engine = desk.catalogue.engine(desk.engine_for(project_of(place), place.conversation))
    can, texts = await desk.store.read(_can, place, desk, engine), desk.texts(place)
    match intent:
        case Steer(text):
            return await _steer(text, place, desk, engine, can=can)
        case TellNow(number) if not can:
            found = await desk.store.read(prompt_here, number, place)
            waits = found.status is Status.QUEUED
            return [reply.no_steering(engine.label, texts) if waits else too_late(found, texts)]
        case TellNow(number):
            told = await desk.once(
                place,
                lambda db: _tell(db, number, place),
                lambda found: [] if found.status is Status.QUEUED else [too_late(found, texts)],
            )
            desk.ring()
            return told
        case _:
            assert_never(intent)


async def _steer(text: str, place: Place, desk: Desk, engine: Engine, *, can: bool) -> list[Outgoing]:
    texts = desk.texts(place)
    runs = await desk.store.read(_runs, place)
    notes = await ask.ask(Ask(text), place, desk, steers=can)
    if not runs:
        return [*notes, reply.nothing_to_steer(texts)]
    deaf = reply.no_steering(engine.label, texts)
    return notes if can or deaf in notes else [*notes, deaf]


def _tell(db: Db, number: PromptId, place: Place) -> Prompt:
    """*number* as it was before."""
    prompt = prompt_here(db, number, place)
    said.steer(db, prompt.id)
    return prompt


def _can(db: Db, place: Place, desk: Desk, engine: Engine) -> bool:
    here = place.conversation
    return hears(db, here.id, desk.catalogue) if here else engine.capabilities.steer


def _runs(db: Db, place: Place) -> bool:
    here = prompts.open_of(db, place.conversation.id) if place.conversation else []
    return any(one.status is Status.RUNNING for one in here)
