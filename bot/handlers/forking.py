"""A new conversation goes on from where another one is, or was when it answered."""

from __future__ import annotations

from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.room import project_of, prompt_here, replied_to, show
from bot.intents.values import Fork, ForkFrom
from bot.replies import context as reply
from core.answers.title import clean_title
from core.model.answer import StoredMessage
from core.model.conversation import Conversation
from core.model.ids import PromptId
from core.store import conversations, prompts
from core.store.database import Db


async def forking(intent: Fork | ForkFrom, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `UnknownPrompt`, `Refused` for an engine that this version can't drive."""
    now = desk.clock.now()
    return await desk.once(place, lambda db: _fork(db, intent, place, desk, now=now), lambda said: said)


def _fork(db: Db, intent: Fork | ForkFrom, place: Place, desk: Desk, *, now: float) -> list[Outgoing]:
    """Shown from now on."""
    prompt, texts = _meant(db, intent, place), desk.texts(place)
    answer = conversations.answer_to(db, prompt) if prompt else None
    here = conversations.get(db, prompts.get(db, prompt).conversation) if prompt else place.conversation
    if here is None or (here.session is None and answer is None):
        return [reply.nothing_yet(texts)]
    forked = conversations.fork(
        db,
        here.id,
        after=answer.id if answer and not _is_last(db, answer, here) else None,
        natively=desk.catalogue.engine(here.engine).capabilities.fork,
        title=clean_title(intent.title) if isinstance(intent, Fork) else "",
        now=now,
    )
    return show(db, forked, place, desk, reply.forked(here, forked, texts))


def _meant(db: Db, intent: Fork | ForkFrom, place: Place) -> PromptId | None:
    """From whose answer; None: from where the room's conversation is."""
    if isinstance(intent, ForkFrom):
        return prompt_here(db, intent.prompt, place).id
    project_of(place)
    return replied_to(db, place)


def _is_last(db: Db, answer: StoredMessage, here: Conversation) -> bool:
    """Whether nothing was asked or said there after it: the engine's own session ends with it then."""
    (newest,) = conversations.messages(db, here.id, most=1)
    return newest.id == answer.id and not prompts.open_of(db, here.id, most=1)
