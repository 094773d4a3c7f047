"""What deliveries are to do in their rooms, each in the form in which it is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.chat import DeliveringChat, File, MessageRef, Outgoing, Picture, Text
from core.store import deliveries
from core.store.database import Db
from core.store.deliveries import Delivery


@dataclass(frozen=True, slots=True)
class End:
    """What tells the end of a prompt, and what is *left* of its progress message from then on. *stray* is
    said where such a message may be there that nobody can change any more."""

    said: list[Text]
    left: Text
    stray: Text


SHORT = 1000
"""Characters that are cut in about a millisecond."""
THEN = "then"
"""What a delivery sends after its first message, one by one."""
AT_THE_DOOR = "door"
"""The step of what a stranger is told; everything else is for people who were let in."""


def sendable(chat: DeliveringChat, said: Iterable[Outgoing], *, step: str = "send") -> list[str]:
    """The bodies of the deliveries that *said* comes to in this chat."""
    return [json.dumps({step: body}) for what in said for body in chat.cut(what)]


async def told(chat: DeliveringChat, said: Sequence[Text]) -> list[str]:
    """`sendable`, aside where it takes a while; handing something short to a thread would take longer."""
    if sum(len(one.markdown) for one in said) < SHORT:
        return sendable(chat, said)
    return await asyncio.to_thread(sendable, chat, said)


def amending(number: int, text: Text) -> str:
    """The body of a delivery that lets what was told as event *number* say *text* from now on."""
    return json.dumps({"amend": text.markdown, "of": str(number)})


def deciding(chat: DeliveringChat, pressed: MessageRef | None, said: Sequence[Outgoing]) -> list[str]:
    """The body of a delivery that lets the message that was *pressed* say what was decided from now on; none
    where that takes more than the words of one message, or is to be decided further."""
    match said:
        case [Text(markdown, buttons=()) as text] if pressed and len(chat.cut(text)) == 1:
            return [json.dumps({"decided": markdown, "of": pressed})]
        case _:
            return []


def saying(text: Text) -> str:
    """The body of a delivery for a chat of which we don't know how it cuts *text*."""
    return json.dumps({"say": text.markdown})


def handing(what: Picture | File, instead: Text) -> str:
    """The same of a picture or a file; *instead* is said where that chat never takes it."""
    kind = "picture" if isinstance(what, Picture) else "file"
    return json.dumps({"hand": what.media, "name": what.name, "as": kind, "else": instead.markdown})


def cut_there(chat: DeliveringChat, delivery: Delivery) -> str | None:
    """Its body for *chat*, where it was made by `saying` or `handing`; None where it is cut already."""
    step = json.loads(delivery.body) if delivery.kind == "reply" else {}
    if "say" in step:
        first, *then = chat.cut(Text(step["say"], silent=True))
        return json.dumps({"send": first, THEN: then})
    if "hand" in step:
        kind = Picture if step["as"] == "picture" else File
        (sent,), (stray,) = (
            chat.cut(kind(step["hand"], step["name"], silent=True)),
            chat.cut(Text(step["else"], silent=True)),
        )
        return json.dumps({"send": sent, "stray": stray})
    return None


def divided(db: Db, delivery: Delivery, bodies: Sequence[str]) -> None:
    """Its message turned out to be several: these, then what was to follow it."""
    first, *others = bodies
    then = [*others, *json.loads(delivery.body).get(THEN, [])]
    deliveries.instead(db, delivery.id, json.dumps({"send": first, THEN: then}))


def sent(db: Db, delivery: Delivery, message: str) -> None:
    """The chat has its message; if others follow it, they are next."""
    if bodies := json.loads(delivery.body).get(THEN):
        deliveries.instead(db, delivery.id, json.dumps({"send": bodies[0], THEN: bodies[1:]}))
    else:
        deliveries.sent(db, delivery.id, message)


def refused(db: Db, delivery: Delivery, stand_in: str) -> None:
    """The chat will never take its message: *stand_in* is said in its place, unless that is what was refused.
    What follows it still comes."""
    step = json.loads(delivery.body)
    then = step.get(THEN, [])
    if "instead" not in step:
        deliveries.instead(db, delivery.id, json.dumps({"instead": stand_in, THEN: then}))
    elif then:
        deliveries.instead(db, delivery.id, json.dumps({"send": then[0], THEN: then[1:]}))
    else:
        deliveries.refused(db, delivery.id)


def at_the_door(delivery: Delivery) -> bool:
    """Whether it is what a stranger is told."""
    return delivery.kind == "reply" and AT_THE_DOOR in json.loads(delivery.body)


def name_of(delivery: Delivery) -> str:
    """Its own, also where the store is an older copy that counts them anew; each of its messages has another,
    where it is divided."""
    then = json.loads(delivery.body).get(THEN)
    return f"{delivery.id} {delivery.at}" + ("" if then is None else f" {len(then)}")
