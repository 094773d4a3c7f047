"""Who may say what here, and what becomes of somebody."""

from __future__ import annotations

from collections.abc import Sequence

from bot.access import Role
from bot.chat import Text
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts
from core.model.people import Known


def everybody(known: Sequence[Known], texts: Texts) -> Text:
    """One line for each, the id first: names are what people call themselves."""
    return quiet(*(_line(one, texts) for one in known))


def let_in(person: str, role: Role, texts: Texts) -> Text:
    return quiet(texts.say(f"people.{role}", id=code(person)))


def _line(one: Known, texts: Texts) -> str:
    parts = (code(one.person), literal(one.name), texts.say(f"people.is.{one.role}"))
    return " · ".join(part for part in parts if part)
