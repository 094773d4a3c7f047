"""First contact: who owns this Roost, and what a code is worth."""

from __future__ import annotations

from collections.abc import Sequence

from bot.access import Role
from bot.chat import Person, Text
from bot.replies.marks import literal, quiet
from bot.replies.project import choosing
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.project import Project


def no_owner(host: str, texts: Texts, *, code: bool = False) -> Text:
    """*code*: one is out that is still good."""
    return quiet(texts.say("start.no_owner_yet" if code else "start.no_owner", host=literal(host)))


def welcome(role: Role, host: str, project: Project | None, choices: Sequence[Project], texts: Texts) -> Text:
    """What somebody is from now on, and what they can do with that; strangers are never welcomed."""
    if project is None:
        return quiet(
            texts.say(f"start.{role}", host=literal(host)),
            buttons=choosing(choices, texts, adds=role is Role.OWNER),
        )
    return quiet(texts.say(f"start.{role}_of", host=literal(host), project=literal(project.name)))


def bad_code(host: str, texts: Texts) -> Text:
    return quiet(texts.say("start.bad_code", host=literal(host)))


def stranger(person: Person, texts: Texts) -> Text:
    """An owner is told who knocked: the id first, which nobody can choose, the name as plain text."""
    return quiet(texts.say("start.stranger", id=literal(person.id), name=literal(plain_label(person.name))))


def not_needed(host: str, texts: Texts) -> Text:
    """A code from somebody who owns this already, as whoever types in the terminal does."""
    return quiet(texts.say("start.not_needed", host=literal(host)))
