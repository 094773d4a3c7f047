"""What is done in one room is told in the others that show the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.bodies import amending, handing, saying
from bot.chat import File, Picture, Text
from bot.handlers.desk import Desk, Place
from bot.replies import mirroring as reply
from bot.texts import Texts
from core.model.ids import PromptId, RoomId
from core.model.prompt import Prompt
from core.store import conversations, deliveries, mirrors, prompts
from core.store.database import Db
from core.store.prompts import Accepted


def tell_of(
    db: Db, accepted: Accepted, place: Place, desk: Desk, *, files: Sequence[str] = (), now: float
) -> Accepted:
    """*accepted*, whose words are read by all who see what comes of it, once."""
    prompt = accepted.prompt
    desk.awaits(db, place, prompt)
    for room in accepted.beside:
        texts = _texts(db, room, desk)
        body = saying(_asked(db, prompt, place.room.id, room, texts, files=files))
        deliveries.add_once(db, room, prompt.id, deliveries.ASKED, body, now=now)
    return accepted


def reworded(db: Db, number: PromptId, room: RoomId, desk: Desk, *, now: float) -> None:
    """What was asked in *room* says something else by now, or was taken back: nobody reads elsewhere what it
    said."""
    prompt = prompts.get(db, number)
    for there in mirrors.told(db, number):
        texts = _texts(db, there, desk)
        said = _asked(db, prompt, room, there, texts)
        deliveries.add_reworded(db, there, number, amending(deliveries.ASKED, said), now=now)


def hand_on(db: Db, number: PromptId, copies: Sequence[Picture | File], desk: Desk, *, now: float) -> None:
    """What came with it is where its words are, after them; each once."""
    for room in mirrors.told(db, number):
        texts = _texts(db, room, desk)
        for count, copy in enumerate(copies, 1):
            body = handing(copy, reply.not_shown(copy.name, texts))
            deliveries.add_once(db, room, number, deliveries.FILES * count, body, now=now)


def turned(db: Db, place: Place, desk: Desk, title: Callable[[Texts], str], *, now: float) -> None:
    """The room, and all that show the same, have gone on to another conversation: those are told."""
    for room in mirrors.together(db, place.room.id):
        texts = _texts(db, room, desk)
        said = reply.turned(place.person.name, _where(db, place.room.id, texts), title(texts), texts)
        deliveries.add(db, room, [saying(said)], now=now)


def _asked(
    db: Db, prompt: Prompt, room: RoomId, there: RoomId, texts: Texts, *, files: Sequence[str] = ()
) -> Text:
    """What was asked in *room*, for *there*: by its conversation's name too, where that shows another."""
    title = mirrors.title_in(db, there, prompt.conversation)
    name = texts.say("thread.unnamed") if title == "" else title
    return reply.asked(prompt, _where(db, mirrors.lead(db, room) or room, texts), files, texts, title=name)


def _where(db: Db, room: RoomId, texts: Texts) -> str:
    """What the room is called in the others."""
    own = mirrors.fellow(db, room)
    others = [mirrors.fellow(db, room) for room in mirrors.together(db, own.room)]
    return reply.called(own, [own, *others], texts)


def _texts(db: Db, room: RoomId, desk: Desk) -> Texts:
    (platform, *_), language = conversations.address_of(db, room)
    return desk.words_on(platform, language)
