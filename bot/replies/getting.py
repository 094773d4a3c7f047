"""What is said about a file that somebody asks for."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.marks import code, quiet
from bot.texts import Texts


def refused(path: str, why: str, texts: Texts) -> Text:
    """*why* is a key."""
    return quiet(texts.say("get.refused", name=code(path), why=texts.say(why)))


def gone(texts: Texts) -> Text:
    """A button of an answer that is not of this room, or not there any more."""
    return quiet(texts.say("get.gone"))
