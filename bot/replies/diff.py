"""What changed in a project, in words."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.marks import coded, literal, quiet
from bot.texts import Texts
from core.answers.diffs import DiffSize, held_back

LONGEST_DIFF = 3_000
"""Signs that are shown as text, which one message of every chat holds; a longer one is a file."""
HEAD_LINES = 12
LANGUAGE = "diff"


def nothing(project: str, texts: Texts) -> Text:
    return quiet(texts.say("changes.nothing", project=literal(project)))


def too_slow(project: str, texts: Texts) -> Text:
    return quiet(texts.say("changes.too_slow", project=literal(project)))


def fits(diff: str) -> bool:
    """Whether it is shown whole."""
    return len(diff) <= LONGEST_DIFF


def changes(diff: str, size: DiffSize, project: str, texts: Texts) -> Text:
    """How much it is, then all of it, or its beginning where that is a file."""
    counts = {"added": size.added, "removed": size.removed}
    head = texts.count("changes.head", size.files, project=literal(project), **counts)
    if held := held_back(diff):
        head += f" · {texts.count('changes.held', held)}"
    shown = diff if fits(diff) else "\n".join([*diff[:LONGEST_DIFF].split("\n")[:HEAD_LINES], "…"])
    return quiet(f"{head}\n\n{coded(shown, LANGUAGE)}")


def name(project: str) -> str:
    """What the file is called that has all of it."""
    safe = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in project).lstrip(".")
    return f"{safe or LANGUAGE}.{LANGUAGE}"
