"""What is said about a file that somebody asks for."""

from __future__ import annotations

from bot.chat import Text
from bot.intents.values import GetSecret
from bot.replies.marks import button, code, quiet
from bot.texts import Texts


def refused(path: str, why: str, texts: Texts) -> Text:
    """*why* is a key."""
    return quiet(texts.say("get.refused", name=code(path), why=texts.say(why)))


def secret(path: str, texts: Texts, *, own: bool) -> Text:
    """To an owner, who can have it in a chat of their *own*."""
    if not own:
        return quiet(texts.say("get.secret_elsewhere", name=code(path)))
    return quiet(
        texts.say("get.secret", name=code(path)), buttons=(button(texts, "send_secret", GetSecret(path)),)
    )


def gone(texts: Texts) -> Text:
    """A button of an answer that is not of this room, or not there any more."""
    return quiet(texts.say("get.gone"))
