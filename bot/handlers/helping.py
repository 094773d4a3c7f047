"""Who Roost is, how commands are written, and those that it hasn't got."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Text
from bot.handlers.desk import Desk, Place
from bot.handlers.room import meant_here, waiting_here
from bot.intents.values import (
    Cancel,
    CancelAll,
    CancelPrompt,
    CancelThose,
    Command,
    DidYouMean,
    DropWaiting,
    Help,
    NotYet,
    Unreadable,
    WrongUse,
)
from bot.replies import help as reply
from bot.replies import wishes as wishes_reply
from core.store import prompts
from core.store.database import Db


async def helping(
    intent: Help | NotYet | WrongUse | DidYouMean | Unreadable, place: Place, desk: Desk
) -> Text:
    texts = desk.texts(place)
    match intent:
        case Help():
            project = place.project.name if place.project else ""
            engine = desk.engine_for(place.project, place.conversation)
            return reply.help_text(
                desk.machine,
                texts,
                role=place.role,
                engine=desk.catalogue.label(engine),
                project=project,
                leaves=not desk.delivers,
            )
        case NotYet():
            return reply.not_yet(intent, texts)
        case WrongUse() if intent.name == "settings" and (lacked := _first(intent.words)) in desk.lacks:
            return wishes_reply.lacking(lacked, texts)
        case WrongUse():
            return reply.wrong_use(intent, texts, lacks=desk.lacks)
        case DidYouMean(_, command):
            offered = await desk.store.read(_bound, command, place)
            return reply.did_you_mean(intent, offered, texts)
        case Unreadable(seal):
            return reply.unreadable(seal, texts)
        case _:
            assert_never(intent)


def _first(words: str) -> str:
    return next(iter(words.casefold().split()), "")


def _bound(db: Db, command: Command, place: Place) -> Command | None:
    """*command* as an offer carries it, which may be taken up much later: what stops or drops something is
    about what it would have reached now. None where that is nothing."""
    match command:
        case Cancel():
            return _stop(db, place)
        case CancelAll():
            return _stop_all(db, place)
        case DropWaiting():
            return waiting_here(db, place)
        case _:
            return command


def _stop(db: Db, place: Place) -> CancelPrompt | None:
    meant = prompts.foremost(meant_here(db, place))
    return CancelPrompt(meant[0].id) if meant else None


def _stop_all(db: Db, place: Place) -> CancelThose | None:
    here = prompts.open_of(db, place.conversation.id) if place.conversation else []
    return CancelThose(here[0].conversation, max(one.id for one in here)) if here else None
