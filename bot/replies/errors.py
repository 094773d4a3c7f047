"""Trouble: one sentence, whose move it is, and the button for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from bot.access import NotAllowed
from bot.chat import Button, Text
from bot.intents.values import DropQueued, RunIt, TryAgain
from bot.replies.marks import access_word, block, button, escaped, literal, one_line, quiet
from bot.texts import Texts
from core.errors import ConfigError, CoreError
from core.model.events import Progress
from core.model.project import Access
from core.model.prompt import Prompt, Status
from core.model.reasons import ATTACHMENT, DROPPED, DROPPED_ELSEWHERE, NO_RIGHT, SET_ASIDE, STOPPED
from core.model.turn import Turn

UNNAMED = CoreError.key

AS_CODE = frozenset({"path", "file", "key", "command", "setting", "near", "project"})
"""Fields that stand between backticks in their sentences."""

AS_GIVEN = frozenset({"value"})
"""Fields that may be an address, and are to be seen whole."""

QUOTED = frozenset(
    {
        "engine.failed",
        "engine.login",
        "engine.rate_limit",
        "engine.usage_limit",
        "engine.context_full",
        "engine.context_compact",
        "engine.model",
        "engine.service",
        "engine.version",
        "engine.thread_writer",
        "engine.busy",
        "engine.session_gone",
        "engine.malformed",
        "host.failed",
        "prompt.ended_early",
        "prompt.no_answer",
    }
)
"""Reasons whose detail is somebody's own words, shown after our sentence."""

OF_THEN = {"error.project_gone": "path"}
"""Reasons whose detail is what their sentence names: how it was then, whatever was set since."""

FINAL = frozenset({STOPPED, DROPPED, DROPPED_ELSEWHERE, ATTACHMENT})
"""Reasons after which nothing is to be tried again."""

SAID_ALREADY = frozenset({"engine.failed", "error.disk_full", SET_ASIDE})
"""Reasons whose sentence leads into somebody's words, or says itself that nothing is lost."""

NO_SANDBOX = re.compile(r"^bwrap: (?!execvp)|LandlockRestrict", re.MULTILINE)
"""What Codex's sandbox says where the kernel does not let it be set up, and not of the command in it."""


@dataclass(frozen=True, slots=True)
class About:
    """What the sentences of trouble name; *path* and *project* belong together. *command* is what logs the
    engine in there."""

    host: str
    engine: str = ""
    path: str = ""
    command: str = ""
    project: str = ""


def refused(error: CoreError, about: About, texts: Texts) -> Text:
    """Why something was not done; it was not kept, so there is nothing to try again."""
    said = sentence(error.key, error.fields, about, texts)
    words = error.fields.get("why", "")
    faults = error.faults if isinstance(error, ConfigError) else ()
    each = "\n".join(f"- {sentence(one.key, one.fields, about, texts)}" for one in faults)
    return Text(_paragraphs(said, each, block(words) if words else ""), silent=True)


def not_allowed(verdict: NotAllowed, texts: Texts, *, project: str = "") -> Text:
    ceiling = access_word(Access(verdict.ceiling), texts) if verdict.ceiling else ""
    return quiet(texts.say(verdict.key, ceiling=ceiling, project=project, wanted=verdict.wanted))


def failed(prompt: Prompt, about: About, texts: Texts) -> Text:
    """Why *prompt* ended without an answer, and that it is not lost; rings."""
    kept = is_kept(prompt) and prompt.reason not in SAID_ALREADY
    return Text(why(prompt, about, texts, texts.say("error.kept") if kept else ""), ways_on(prompt, texts))


def why(prompt: Prompt, about: About, texts: Texts, then: str = "", *, key: str = "") -> str:
    """Why *prompt* failed, in the sentence of *key* if one is given, and what is said *then*; last come the
    words of whoever it failed by."""
    then_named = {OF_THEN[prompt.reason]: prompt.detail} if prompt.detail and prompt.reason in OF_THEN else {}
    said = sentence(key or prompt.reason, {"detail": prompt.detail, **then_named}, about, texts)
    words = block(prompt.detail) if prompt.reason in QUOTED and prompt.detail.strip() else ""
    return _paragraphs(" ".join(filter(None, (said, then))), words)


def is_kept(prompt: Prompt) -> bool:
    """Whether it failed, and whoever asked can have it tried again."""
    return prompt.status is Status.FAILED and prompt.reason not in FINAL and prompt.reason != NO_RIGHT


def no_sandbox(turn: Turn, about: About, texts: Texts) -> Text | None:
    """That the agent's commands failed for want of a sandbox: it may have answered all the same."""
    return quiet(sentence("engine.sandbox", {}, about, texts)) if lacks_sandbox(turn) else None


def lacks_sandbox(turn: Turn) -> bool:
    failed = (step.output for step in turn.steps if step.progress is Progress.FAILED)
    return any(NO_SANDBOX.search(output) for output in failed)


def sentence(key: str, given: dict[str, str], about: About, texts: Texts) -> str:
    """The sentence for *key*; one that nobody knows is named, so that it can be looked up."""
    known = key if texts.knows(key) else UNNAMED
    values = {"key": key, **_named(about), **given}
    return texts.say(known, **{name: _shown(name, value) for name, value in values.items()})


def _named(about: About) -> dict[str, str]:
    return {field.name: getattr(about, field.name) for field in fields(about)}


def _shown(name: str, value: str) -> str:
    """*value* as it may stand in a sentence, where what is code has its backticks already."""
    if name in AS_CODE:
        return one_line(value).replace("`", "'")
    return escaped(one_line(value)) if name in AS_GIVEN else literal(value)


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def ways_on(prompt: Prompt, texts: Texts) -> tuple[Button, ...]:
    """What can be done about a prompt that failed."""
    again = TryAgain(prompt.id)
    if prompt.reason in FINAL:
        return ()
    if prompt.reason == SET_ASIDE:
        return button(texts, "carry_on", again), button(texts, "drop", DropQueued(prompt.id))
    if prompt.reason == NO_RIGHT:
        return (button(texts, "run_it", RunIt(prompt.id)),)
    return (button(texts, "try_again", again),)
