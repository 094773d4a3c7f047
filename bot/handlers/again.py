"""What was asked before is asked again, and what was set aside is run: a new prompt of the same words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bot.access import Role
from bot.chat import Outgoing, Text
from bot.handlers.ask import taken
from bot.handlers.beside import tell_of
from bot.handlers.desk import Desk, Place
from bot.handlers.room import asked_about, prompt_here, replied_to
from bot.intents.values import AskAgain, RunIt, TryAgain
from bot.replies import queue as reply
from bot.texts import Texts
from core.errors import Refused, UnknownPrompt
from core.model.prompt import Prompt, Status
from core.model.reasons import NO_RIGHT
from core.store import conversations, mirrors, prompts
from core.store.database import Db
from core.store.prompts import Accepted

Again: TypeAlias = TryAgain | AskAgain | RunIt


@dataclass(frozen=True, slots=True)
class _Done:
    """What was *accepted*, if anything was, and what is *left* to say."""

    left: list[Outgoing]
    accepted: Accepted | None = None


async def again(intent: Again, place: Place, desk: Desk) -> list[Outgoing]:
    """Whoever typed it is told which words it is about; what was pressed stands under them. Errors:
    `UnknownPrompt`, `Refused` where its project was put away, among others."""
    done = await desk.store.write(_again, intent, place, desk, now=desk.clock.now())
    if done.accepted:
        taken(done.accepted, place, desk)
    return done.left


def _again(db: Db, intent: Again, place: Place, desk: Desk, *, now: float) -> _Done:
    texts, old = desk.texts(place), _meant(db, intent, place)
    if refusal := _refusal(db, intent, old, place, texts):
        return _Done([refusal])
    accepted = _accept(db, old, place, desk, now=now)
    if place.reply_to is None:
        return _Done([], accepted)
    said = reply.let_run if isinstance(intent, RunIt) else reply.asked_again
    return _Done(desk.settle(db, place, [said(old.text, texts)]), accepted)


def _meant(db: Db, intent: Again, place: Place) -> Prompt:
    """One that can be reached from here: what goes on in other rooms without this one is none of its any
    more."""
    old = _named(db, intent, place)
    if mirrors.parted(db, place.room.id, old.conversation):
        raise UnknownPrompt(id=old.id)
    asked_about(db, old.id)
    return old


def _named(db: Db, intent: Again, place: Place) -> Prompt:
    """Without a number what is replied to, else what ended last in the conversation of the room."""
    if not isinstance(intent, AskAgain):
        return prompt_here(db, intent.prompt, place)
    here = place.conversation
    found = replied_to(db, place) or (prompts.ended_last(db, here.id) if here else None)
    if found is None:
        raise Refused("queue.nothing_again")
    return prompts.get(db, found)


def _refusal(db: Db, intent: Again, old: Prompt, place: Place, texts: Texts) -> Text | None:
    """Why it is not asked again; None where it is."""
    aside, runs = _is_set_aside(old), isinstance(intent, RunIt)
    if runs and not aside:
        return reply.not_set_aside(texts)
    if aside and not place.role.at_least(Role.OWNER):
        raise Refused(f"access.{Role.OWNER}")
    tried = prompts.retries(db, old)
    if not all(one.status.ended for one in (old, *tried)):
        return reply.begun(texts)
    return reply.run_already(texts) if runs and tried else None


def _is_set_aside(prompt: Prompt) -> bool:
    return prompt.status is Status.FAILED and prompt.reason == NO_RIGHT


def _accept(db: Db, old: Prompt, place: Place, desk: Desk, *, now: float) -> Accepted:
    """A new prompt with the words and files of *old*."""
    accepted = prompts.accept(
        db,
        place.source,
        old.conversation,
        old.text,
        now=now,
        attachments=old.attachments,
        author=old.author,
        person=place.person.id,
        retry_of=old.id,
        kind=old.kind,
        beside=old.beside,
        room=place.room.id,
        place=desk.chat_place(place, _never_fetched(db, old, place)),
    )
    return tell_of(db, accepted, place, desk, now=now)


def _never_fetched(db: Db, old: Prompt, place: Place) -> tuple[str, ...]:
    """The files that *old* ended without; another account of ours can't ask for them."""
    asked = prompts.place_of(db, old.id)
    if asked is None:
        return ()
    (platform, account, *_), _ = conversations.address_of(db, asked.room)
    return asked.files if (platform, account) == (place.source.platform, place.source.account) else ()
