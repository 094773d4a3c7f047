"""What was asked in a room goes on where the room shows another conversation by now."""

from __future__ import annotations

from collections import defaultdict

from bot.handlers.desk import Place
from bot.handlers.room import asked_here
from bot.live import running_for
from bot.replies.elsewhere import Elsewhere
from core.model.ids import ConversationId
from core.model.prompt import Prompt, Status
from core.store import conversations, projects, prompts
from core.store.database import Db

TOLD_MOST = 3
"""Conversations, those first in which something runs."""


def elsewhere(db: Db, place: Place, now: float) -> list[Elsewhere]:
    """Nothing where something runs in the conversation that is shown. In a room for others too only what is
    of its project: they may not know of any other."""
    if place.conversation and _runs(db, place.conversation.id):
        return []
    found = [_one(db, number, asked, place, now) for number, asked in _apart(db, place).items()]
    return [one for one in found if place.own or not one.project][:TOLD_MOST]


def _runs(db: Db, here: ConversationId) -> bool:
    return any(one.status is Status.RUNNING for one in prompts.open_of(db, here, most=1))


def _apart(db: Db, place: Place) -> dict[ConversationId, list[Prompt]]:
    """What was asked in the room, by conversation, without the one that it shows."""
    found = defaultdict[ConversationId, list[Prompt]](list)
    for one in asked_here(db, place):
        found[one.conversation].append(one)
    if place.conversation:
        found.pop(place.conversation.id, None)
    return found


def _one(db: Db, number: ConversationId, asked: list[Prompt], place: Place, now: float) -> Elsewhere:
    there = conversations.get(db, number)
    running = next((one for one in asked if one.status is Status.RUNNING), None)
    seconds = running_for(db, running.id, now) if running else 0.0
    same = place.project is not None and place.project.id == there.project
    name = "" if same else projects.get(db, there.project).name
    return Elsewhere(there, name, running, seconds, len(asked) - (running is not None))
