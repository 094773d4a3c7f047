"""What became of a change to something that was sent before."""

from __future__ import annotations

from bot.chat import Text
from bot.intents.values import CancelPrompt, SendCorrection
from bot.replies.marks import button, preview, quiet
from bot.texts import Texts
from core.model.ids import PromptId


def changed(text: str, texts: Texts) -> Text:
    """It still waits, and reads so now."""
    return quiet(texts.say("amend.changed", what=preview(text)))


def at_work(prompt: PromptId, texts: Texts) -> Text:
    """An agent has the old words; it can be told the new ones."""
    return quiet(
        texts.say("amend.at_work"), buttons=(button(texts, "send_correction", SendCorrection(prompt)),)
    )


def no_command(texts: Texts) -> Text:
    """A message that was changed says a command now: that is done for a new one alone."""
    return quiet(texts.say("amend.no_command"))


def other_file(texts: Texts) -> Text:
    """Its words are what they were, so its file may be another one: the agent has, or gets, the first."""
    return quiet(texts.say("amend.other_file"))


def has_run(texts: Texts) -> Text:
    return quiet(texts.say("amend.has_run"))


def never_ran(texts: Texts) -> Text:
    """It was dropped, or failed, before any agent began with it."""
    return quiet(texts.say("amend.never_ran"))


def sent_before(texts: Texts) -> Text:
    """There is no change that was not sent yet."""
    return quiet(texts.say("amend.sent_before"))


def removed(texts: Texts) -> Text:
    """What was taken back will not run; its words are not repeated."""
    return quiet(texts.say("amend.removed"))


def goes_on(prompt: PromptId, texts: Texts) -> Text:
    """What was taken back runs already."""
    return quiet(texts.say("amend.goes_on"), buttons=(button(texts, "stop", CancelPrompt(prompt)),))
