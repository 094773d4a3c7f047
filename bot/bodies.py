"""What deliveries are to do in their rooms, each in the form in which it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from bot.chat import DeliveringChat, Outgoing, Text
from core.store.deliveries import Delivery


@dataclass(frozen=True, slots=True)
class End:
    """What tells the end of a prompt, and what is *left* of its progress message from then on. *stray* is
    said where such a message may be there that nobody can change any more."""

    said: list[Text]
    left: Text
    stray: Text


AT_THE_DOOR = "door"
"""The step of what a stranger is told; everything else is for people who were let in."""


def sendable(chat: DeliveringChat, said: Iterable[Outgoing], *, step: str = "send") -> list[str]:
    """The bodies of the deliveries that *said* comes to in this chat."""
    return [json.dumps({step: body}) for what in said for body in chat.cut(what)]


def amending(number: int, text: Text) -> str:
    """The body of a delivery that lets what was told as event *number* say *text* from now on."""
    return json.dumps({"amend": text.markdown, "of": str(number)})


def at_the_door(delivery: Delivery) -> bool:
    """Whether it is what a stranger is told."""
    return delivery.kind == "reply" and AT_THE_DOOR in json.loads(delivery.body)


def name_of(delivery: Delivery) -> str:
    """Its own, also where the store is an older copy that counts them anew."""
    return f"{delivery.id} {delivery.at}"
