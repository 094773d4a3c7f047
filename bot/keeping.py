"""What keeps a prompt from its place, as people are told it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import assert_never

from bot.replies.queue import ForAnswer, ForFile, ForGroup, ForHost, ForPlace, ForProject, InLine, WaitsFor
from core.dispatch.queue import decide
from core.model.conversation import Conversation
from core.model.ids import ConversationId, PromptId
from core.model.project import Project
from core.model.prompt import Prompt, Slot, Status
from core.model.slots import BlockedByCap, BlockedByKey, Caps, HostAway, NotReady, Start, Verdict
from core.store import conversations, line, projects, prompts, queue
from core.store.database import Db


def waits_for(db: Db, prompt: Prompt, caps: Caps) -> WaitsFor | None:
    """What keeps a queued prompt from starting; None if nothing does."""
    ahead, after = line.before(db, prompt)
    if ahead:
        return InLine(ahead, after)
    return _kept_by(db, prompt.id, decide(*queue.line(db), caps).get(prompt.id, Start()))


def kept_from(db: Db, prompt: Prompt, caps: Caps) -> WaitsFor | None:
    """What keeps it from starting, or from going on, having what it waited for; None if nothing does."""
    if prompt.status is Status.QUEUED:
        return waits_for(db, prompt, caps)
    if prompt.status is not Status.RUNNING or prompt.slot is not Slot.WANTED:
        return None
    return _kept_by(db, prompt.id, decide(*queue.line(db), caps).get(prompt.id, Start()))


def all_wait_for(db: Db, opened: Iterable[Prompt], caps: Caps) -> dict[PromptId, WaitsFor | None]:
    """The same of every queued one of *opened*: the first that run and wait, in order, none left out."""
    verdicts = decide(*queue.line(db), caps)
    before: dict[ConversationId, list[Prompt]] = defaultdict(list)
    found: dict[PromptId, WaitsFor | None] = {}
    for prompt in opened:
        ahead = before[prompt.conversation]
        if prompt.status is Status.QUEUED:
            verdict = verdicts.get(prompt.id, Start())
            behind = InLine(len(ahead), ahead[-1].text) if ahead else None
            found[prompt.id] = behind or _kept_by(db, prompt.id, verdict)
        ahead.append(prompt)
    return found


def _kept_by(db: Db, prompt: PromptId, verdict: Verdict) -> WaitsFor | None:
    match verdict:
        case Start():
            return None
        case NotReady():  # with no file to come: what else was said there is heard first, in a moment
            place = prompts.place_of(db, prompt)
            return ForFile() if place and place.files else None
        case HostAway(host):
            return ForHost(host, None)
        case BlockedByCap(cap, _, by):
            return ForPlace(cap, tuple(whose(db, one)[0].name for one in by))
        case BlockedByKey(key, by):
            return _behind(db, key, by)
        case _:
            assert_never(verdict)


def _behind(db: Db, key: str, by: PromptId) -> WaitsFor | None:
    kind, _, name = key.partition(":")
    project, conversation = whose(db, by)
    holder = prompts.get(db, by)
    match kind:
        case "g" | "p" if holder.slot is Slot.GIVEN:
            return ForAnswer(project.name, conversation.title or holder.text)
        case "g":
            return ForGroup(name, project.name)
        case "p":
            return ForProject(project.name, conversation.title or holder.text)
        case _:
            return None  # the one before it in its own conversation is just leaving


def whose(db: Db, prompt: PromptId) -> tuple[Project, Conversation]:
    """Where it was asked."""
    conversation = conversations.get(db, prompts.get(db, prompt).conversation)
    return projects.get(db, conversation.project), conversation
