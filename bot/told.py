"""What is told beside a turn's progress: trouble overcome, what a project holds, what its agent asks."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import assert_never

from bot.chat import MessageRef, Text
from bot.live import Settled, Told
from bot.replies import approval, orders, progress
from bot.texts import Texts
from core.model.events import Asked, Denied, OrdersFound, Recovering
from core.model.ids import EventId
from core.model.prompt import ChatPlace


def said(view: Told, place: ChatPlace | None, texts: Texts, *, replies: bool = True) -> Text:
    """A question is put in reply to the prompt that it is about. *replies*: people can point at it."""
    match view.event:
        case Recovering() as event:
            return progress.recovering(event, view.engine, texts)
        case OrdersFound() as event:
            return orders.found(event, view.project, texts)
        case Denied() as event:
            return approval.denied(event, view.engine, texts)
        case Asked() as question:
            number = EventId(view.number)
            text = approval.asked(number, question, view.engine, view.project, texts, replies=replies)
            return replace(text, reply_to=MessageRef(place.message) if place and place.message else None)
        case _:
            assert_never(view.event)


def elsewhere(view: Told, said: Text) -> Text:
    """The same in a room that shows what was asked in another: a question can be answered there too, by who
    may, and rings where it came from."""
    buttons = said.buttons if isinstance(view.event, Asked) else ()
    return replace(said, buttons=buttons, silent=True)


def settled(view: Settled, texts: Texts) -> Text:
    """What takes the place of a question."""
    if view.reply is None:
        return approval.withdrawn(view.question, texts)
    reply = view.reply
    at = time.strftime("%H:%M", time.localtime(reply.at))
    return approval.decided(view.question, reply.choice, reply.text, reply.person, at, texts)


def still(texts: Texts) -> Text:
    """Nobody has answered yet: rings once more."""
    return approval.still(texts)
