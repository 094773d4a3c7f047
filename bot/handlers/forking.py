"""A new conversation goes on from where another one is, or was when it answered."""

from __future__ import annotations

from bot.chat import Outgoing
from bot.handlers.desk import Desk, Place
from bot.handlers.pressing import pressed_before
from bot.handlers.room import asked_about, project_of, prompt_here, replied_to, show
from bot.intents.values import Fork, ForkFrom
from bot.replies import context as reply
from core.answers.title import clean_title
from core.errors import UnknownPrompt
from core.model.conversation import Conversation
from core.model.ids import MessageId, PromptId
from core.store import buttons, conversations, mirrors, prompts
from core.store.database import Db


async def forking(intent: Fork | ForkFrom, place: Place, desk: Desk) -> list[Outgoing]:
    """Errors: `NoProject`, `UnknownPrompt`, `Refused` for one that was put away, and for an
    engine that this version can't drive."""
    now = desk.clock.now()
    return await desk.once(place, lambda db: _fork(db, intent, place, desk, now=now), lambda said: said)


def _fork(db: Db, intent: Fork | ForkFrom, place: Place, desk: Desk, *, now: float) -> list[Outgoing]:
    """Shown from now on. Pressed under an answer that several rooms show, it counts once for all of them."""
    prompt, texts = _meant(db, intent, place), desk.texts(place)
    if before := pressed_before(db, intent, place, texts):
        return [before]
    here = conversations.get(db, prompts.get(db, prompt).conversation) if prompt else place.conversation
    answered = prompt is not None and conversations.answer_to(db, prompt) is not None
    if here is None or (here.session is None and not answered):
        return [reply.nothing_yet(texts)]
    forked = conversations.fork(
        db,
        here.id,
        after=_after(db, prompt, here) if prompt else None,
        natively=desk.catalogue.engine(here.engine).capabilities.fork,
        title=clean_title(intent.title) if isinstance(intent, Fork) else "",
        now=now,
    )
    buttons.use_alike(db, place.token, place.person.name, now=now)
    return show(db, forked, place, desk, reply.forked(here, forked, texts))


def _meant(db: Db, intent: Fork | ForkFrom, place: Place) -> PromptId | None:
    """From whose answer; None: from where the room's conversation is. Of what goes on in other rooms without
    it nothing is."""
    if isinstance(intent, ForkFrom):
        prompt: PromptId | None = prompt_here(db, intent.prompt, place).id
    else:
        project_of(place)
        prompt = replied_to(db, place)
    if prompt:
        asked_about(db, prompt)
        if mirrors.parted(db, place.room.id, prompts.get(db, prompt).conversation):
            raise UnknownPrompt(id=prompt)
    return prompt


def _after(db: Db, prompt: PromptId, here: Conversation) -> MessageId | None:
    """What was said last to *prompt*; None where nothing comes after that."""
    said = conversations.newest(db, here.id, prompt)
    return None if said is None or _is_last(db, said, here) else said


def _is_last(db: Db, said: MessageId, here: Conversation) -> bool:
    """Whether nothing was asked or said there after it: the engine's own session ends with it then."""
    return conversations.newest(db, here.id) == said and not prompts.open_of(db, here.id, most=1)
