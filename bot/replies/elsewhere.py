"""What was asked in a room and runs or waits in a conversation that it doesn't show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.chat import Button
from bot.intents.commands import encode
from bot.intents.values import CancelPrompt, PickConversation
from bot.replies.conversations import LONGEST_LABEL, title
from bot.replies.marks import button, cut, literal, preview
from bot.texts import Texts, clock
from core.model.conversation import Conversation
from core.model.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """*project* is empty where it is the room's. *running* has been at work for *seconds*; None where nothing
    runs."""

    conversation: Conversation
    project: str
    running: Prompt | None
    seconds: float
    waiting: int


def lines(found: Sequence[Elsewhere], texts: Texts) -> list[str]:
    return [said for one in found for said in _lines(one, texts)]


def buttons(found: Sequence[Elsewhere], texts: Texts) -> tuple[Button, ...]:
    """To stop it, and to go there."""
    stop = [button(texts, "stop", CancelPrompt(one.running.id)) for one in found if one.running]
    back = [
        Button(
            cut(title(one.conversation, texts), LONGEST_LABEL), encode(PickConversation(one.conversation.id))
        )
        for one in found
        if not one.project
    ]
    return (*stop[:1], *back)


def _lines(one: Elsewhere, texts: Texts) -> list[str]:
    where = f"*{literal(title(one.conversation, texts))}*"
    if one.project:
        where = f"**{literal(one.project)}** · {where}"
    runs, waits = one.running, one.waiting
    return [
        *(
            [texts.say("elsewhere.runs", where=where, what=preview(runs.text), clock=clock(one.seconds))]
            if runs
            else []
        ),
        *([texts.count("elsewhere.waits", waits, where=where)] if waits else []),
    ]
