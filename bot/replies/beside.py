"""What an agent is told of what a message points at, behind the words themselves."""

from __future__ import annotations

from collections.abc import Iterable

from bot.chat import Pointed
from bot.texts import Texts
from core.answers.title import plain_label

LONGEST = 16_000
"""Characters of what was pointed at: more than one message of most chats."""


def beside(points_at: Iterable[Pointed], texts: Texts) -> str:
    """Whose words are quoted is said before them, and each of their lines has a mark."""
    return "\n\n".join(_said(one, texts) for one in points_at)


def _said(one: Pointed, texts: Texts) -> str:
    author = plain_label(one.author) or texts.say("instruct.somebody")
    if not one.text.strip():
        return texts.say(f"instruct.{one.how}.bare", author=author)
    whose = "yours" if one.ours else "theirs"
    head = texts.say(f"instruct.{one.how}.{whose}", author=author)
    quoted = "\n".join(f"> {line}" for line in one.text[:LONGEST].splitlines())
    return f"{head}\n{quoted}"
