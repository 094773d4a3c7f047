"""Which project a room works in, and those it may pick."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import LONGEST_INTENT, Button, Text
from bot.intents.commands import encode
from bot.intents.values import OpenProject, PickProject
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.project import Project


def shown(project: Project, others: Sequence[Project], texts: Texts) -> Text:
    here = texts.say("project.here", name=literal(project.name), path=code(project.path, most=200))
    return quiet(here, buttons=_choices(others))


def which(projects: Sequence[Project], texts: Texts) -> Text:
    """Ask which one, while the room has none."""
    return quiet(texts.say("project.which" if projects else "project.none"), buttons=_choices(projects))


def picked(project: Project, texts: Texts) -> Text:
    return quiet(texts.say("project.picked", name=literal(project.name)))


def chosen_since(wanted: Project, shown: Project, texts: Texts) -> Text:
    """*wanted* was offered before *shown* was chosen; it still can be had."""
    said = texts.say("project.chosen_since", name=literal(shown.name), wanted=literal(wanted.name))
    return quiet(said, buttons=(pick(wanted),))


def added(project: Project, texts: Texts) -> Text:
    return quiet(texts.say("project.added", name=literal(project.name)))


def parked(projects: Sequence[Project], texts: Texts) -> Text:
    """A prompt came before a project was chosen: it waits in the inbox."""
    return quiet(texts.say("queue.parked"), buttons=_choices(projects))


def _choices(projects: Sequence[Project]) -> tuple[Button, ...]:
    return tuple(pick(one) for one in projects)


def pick(project: Project) -> Button:
    """Picks it by its name, which can be typed too, or by its number where that is too long to be carried."""
    intent = encode(PickProject(project.name))
    if len(intent.encode()) > LONGEST_INTENT:
        intent = encode(OpenProject(project.id))
    return Button(plain_label(project.name), intent)
