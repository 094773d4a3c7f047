"""What somebody is told who presses in vain: to them alone, where a chat can."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import Text
from bot.replies.marks import literal, quiet
from bot.texts import Texts


def gone(texts: Texts) -> Text:
    return replace(quiet(texts.say("pressed.gone")), aside=True)


def type_it(texts: Texts) -> Text:
    return replace(quiet(texts.say("pressed.type_it")), aside=True)


def choose_by_word(texts: Texts) -> Text:
    return replace(quiet(texts.say("pressed.choose_by_word")), aside=True)


def used(by: str, at: str, texts: Texts) -> Text:
    return replace(quiet(texts.say("pressed.used", who=literal(by), at=at)), aside=True)


def forked(by: str, at: str, texts: Texts) -> Text:
    """Here, or in another room that shows the same."""
    return replace(quiet(texts.say("pressed.forked", who=literal(by), at=at)), aside=True)


def not_yours(author: str, texts: Texts) -> Text:
    return replace(quiet(texts.say("approval.not_yours", who=literal(author))), aside=True)
