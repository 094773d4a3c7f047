"""A session that was begun elsewhere: what it is called, and what was said last in it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import ImportSession
from bot.replies.conversations import LONGEST_LABEL, title
from bot.replies.marks import cut, literal, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.conversation import Conversation
from core.model.sessions import Said, SessionInfo

LONGEST_SAID = 200
ELSEWHERE = "↪"
"""Tells their buttons from those of the conversations here."""
ICONS = {"user": "›", "assistant": "‹"}


def carried_on(conversation: Conversation, said: Sequence[Said], texts: Texts) -> Text:
    """*said* are the last messages of both sides, oldest first."""
    head = texts.say("conversation.picked", title=literal(title(conversation, texts)))
    return quiet(
        head, *(f"{ICONS[who]} {literal(cut(plain_label(text), LONGEST_SAID))}" for who, text in said)
    )


def asking(engine: str, texts: Texts) -> Text:
    """It is not known yet whether there is such a session."""
    return quiet(_asking(engine, texts))


def _asking(engine: str, texts: Texts) -> str:
    return texts.say("conversation.asking", engine=literal(engine))


def lines(
    sessions: Sequence[SessionInfo], engine: str, texts: Texts, *, pending: bool
) -> tuple[list[str], list[Button]]:
    """What is added to the list of conversations. *pending*: the engine has not answered yet."""
    if pending:
        return [_asking(engine, texts)], []
    if not sessions:
        return [], []
    names = [plain_label(one.title) or one.id for one in sessions]
    return (
        [
            texts.say("conversation.elsewhere", engine=literal(engine)),
            *(f"· {literal(name)}" for name in names),
        ],
        [
            Button(f"{ELSEWHERE} {cut(name, LONGEST_LABEL)}", encode(ImportSession(one.id)))
            for name, one in zip(names, sessions, strict=True)
        ],
    )
