"""What was spoken, as it was heard."""

from __future__ import annotations

from bot.chat import Text
from bot.intents.values import Misheard
from bot.replies.marks import block_whole, button, code, escaped, quiet
from bot.texts import Texts
from bot.transcription import NotTranscribed
from core.model.ids import PromptId


def heard(words: str, prompt: PromptId, texts: Texts) -> Text:
    """What the agent is told; it may be taken back."""
    quoted = "\n".join(f"> {escaped(line)}" for line in words.splitlines())
    return quiet(texts.say("voice.heard"), "", quoted, buttons=(button(texts, "wrong", Misheard(prompt)),))


def not_heard(name: str, trouble: NotTranscribed, texts: Texts) -> Text:
    """The agent gets the recording in place of words."""
    why = texts.say(f"voice.why.{trouble.why}", status=trouble.status)
    return quiet(texts.say("voice.not_heard", name=code(name), why=why))


def taken_back(words: str, texts: Texts) -> Text:
    """It doesn't run; the words are there to be sent as they were meant."""
    return quiet(texts.say("voice.taken_back"), block_whole(words))
