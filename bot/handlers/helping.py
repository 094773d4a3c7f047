"""Who Roost is, how commands are written, and those that it hasn't got."""

from __future__ import annotations

from typing import assert_never

from bot.chat import Text
from bot.handlers.desk import Desk, Place
from bot.intents.values import DidYouMean, Help, NotYet, Unreadable, WrongUse
from bot.replies import help as reply


def helping(intent: Help | NotYet | WrongUse | DidYouMean | Unreadable, place: Place, desk: Desk) -> Text:
    texts = desk.texts(place)
    match intent:
        case Help():
            project = place.project.name if place.project else ""
            engine = desk.engine_for(place.project, place.conversation)
            return reply.help_text(
                desk.machine, texts, engine=desk.catalogue.label(engine), project=project, mark=desk.mark
            )
        case NotYet():
            return reply.not_yet(intent, texts)
        case WrongUse():
            return reply.wrong_use(intent, texts)
        case DidYouMean():
            return reply.did_you_mean(intent, texts)
        case Unreadable():
            return reply.unreadable(texts)
        case _:
            assert_never(intent)
