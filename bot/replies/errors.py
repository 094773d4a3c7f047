"""Trouble: one sentence, whose move it is, and the button for it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.access import NotAllowed
from bot.chat import Button, Text
from bot.intents.values import DropQueued, TryAgain
from bot.replies.marks import block, button, literal, one_line, quiet
from bot.texts import Texts
from core.errors import ConfigError, CoreError
from core.model.prompt import Prompt

UNNAMED = CoreError.key

AS_CODE = frozenset({"path", "file", "key", "command", "setting", "value", "near", "program"})
"""Fields that stand between backticks in their sentences."""

FIELDS_ONLY = frozenset({"prompt.killed", "prompt.no_answer", "prompt.silent"})
"""Reasons whose detail is a figure inside the sentence; any other detail is the engine's own words."""

FINAL = frozenset({"prompt.stopped", "prompt.dropped", "prompt.attachment"})
"""Reasons after which nothing is to be tried again."""


@dataclass(frozen=True, slots=True)
class About:
    """What the sentences of trouble name. *command* is what logs the engine in there."""

    host: str
    engine: str = ""
    path: str = ""
    command: str = ""


def refused(error: CoreError, about: About, texts: Texts) -> Text:
    """Why something was not done; it was not kept, so there is nothing to try again."""
    said = sentence(error.key, error.fields, about, texts)
    faults = error.faults if isinstance(error, ConfigError) else ()
    return quiet(said, *(f"- {sentence(one.key, one.fields, about, texts)}" for one in faults))


def not_allowed(verdict: NotAllowed, texts: Texts) -> Text:
    return quiet(texts.say(verdict.key, ceiling=verdict.ceiling))


def failed(prompt: Prompt, about: About, texts: Texts) -> Text:
    """Why *prompt* ended without an answer; rings."""
    said = sentence(prompt.reason, {"detail": prompt.detail}, about, texts)
    words = "" if prompt.reason in FIELDS_ONLY or not prompt.detail.strip() else block(prompt.detail)
    return Text("\n\n".join(filter(None, (said, words))), _ways_on(prompt, texts))


def sentence(key: str, fields: dict[str, str], about: About, texts: Texts) -> str:
    """The sentence for *key*; one that nobody knows is named, so that it can be looked up."""
    known = key if texts.knows(key) else UNNAMED
    values = {"key": key, **_named(about), **fields}
    return texts.say(known, **{name: _shown(name, value) for name, value in values.items()})


def _named(about: About) -> dict[str, str]:
    return {"host": about.host, "engine": about.engine, "path": about.path, "command": about.command}


def _shown(name: str, value: str) -> str:
    """*value* as it may stand in a sentence, where what is code has its backticks already."""
    return one_line(value).replace("`", "'") if name in AS_CODE else literal(value)


def _ways_on(prompt: Prompt, texts: Texts) -> tuple[Button, ...]:
    again = TryAgain(prompt.id)
    if prompt.reason in FINAL:
        return ()
    if prompt.reason == "prompt.set_aside":
        return button(texts, "carry_on", again), button(texts, "drop", DropQueued(prompt.id))
    return (button(texts, "try_again", again),)
