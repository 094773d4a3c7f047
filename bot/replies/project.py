"""Which project a room works in, and those it may pick."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import LONGEST_INTENT, Button, Text
from bot.intents.commands import encode
from bot.intents.values import AddProject, NewProject, OpenProject, PickProject
from bot.replies.marks import button, code, literal, preview, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.project import Project

SHOWN_MOST = 20
"""Messages of one card; the rest is counted."""
LINE = "·"


def shown(project: Project, others: Sequence[Project], texts: Texts) -> Text:
    here = texts.say("project.here", name=literal(project.name), path=code(project.path, most=200))
    return quiet(here, buttons=_choices(others))


def which(
    projects: Sequence[Project], texts: Texts, *, adds: bool = False, away: Project | None = None
) -> Text:
    """Ask which one, while the room has none, or has one *away*: put away. *adds*: whoever reads it may make
    one."""
    asked = "" if away and not projects else texts.say("project.which" if projects else "project.none")
    return quiet(_gone(away, texts), asked, buttons=choosing(projects, texts, adds=adds))


def _gone(away: Project | None, texts: Texts) -> str:
    return texts.say("project.archived", name=literal(away.name), project=away.name) if away else ""


def choosing(projects: Sequence[Project], texts: Texts, *, adds: bool, fresh: str = "") -> tuple[Button, ...]:
    """*adds*: there may be a new one, of the name *fresh* at once."""
    if not adds:
        return tuple(_choices(projects))
    label = plain_label(texts.say("button.new_called", name=fresh))
    called = (Button(label, encode(AddProject(fresh))),) if fresh else ()
    return (*_choices(projects), *called, button(texts, "new_project", NewProject()))


def new(home: str, folders: Sequence[tuple[str, str]], texts: Texts) -> Text:
    """Each of the *folders* in *home*, by its name, becomes a project at a tap."""
    adding = tuple(Button(plain_label(name), _adding(name, path)) for name, path in folders)
    asked = texts.say("project.which_folder", home=code(home, most=200)) if adding else ""
    return quiet(asked, texts.say("project.another", home=code(home, most=200)), buttons=adding)


def _adding(name: str, path: str) -> str:
    """By its path, or by its name alone where that is too long to be carried: the folder is the same."""
    whole = encode(AddProject(name, path))
    return whole if len(whole.encode()) <= LONGEST_INTENT else encode(AddProject(name))


def picked(project: Project, texts: Texts) -> Text:
    return quiet(texts.say("project.picked", name=literal(project.name)))


def chosen_since(wanted: Project, shown: Project, texts: Texts) -> Text:
    """*wanted* was offered before *shown* was chosen; it still can be had."""
    said = texts.say("project.chosen_since", name=literal(shown.name), wanted=literal(wanted.name))
    return quiet(said, buttons=(pick(wanted),))


def added(project: Project, texts: Texts) -> Text:
    return quiet(texts.say("project.added", name=literal(project.name)))


def added_elsewhere(project: Project, here: Project, texts: Texts) -> Text:
    """It gets a room of its own, and the one that is read stays with its project *here*."""
    return quiet(texts.say("project.added_elsewhere", name=literal(project.name), here=literal(here.name)))


def parked(
    projects: Sequence[Project], texts: Texts, *, adds: bool = False, away: Project | None = None
) -> Text:
    """A prompt came before a project was chosen, or while the room's is *away*: it waits in the inbox."""
    waits = texts.say("queue.parked_away" if away and not projects else "queue.parked")
    return quiet(_gone(away, texts), waits, buttons=choosing(projects, texts, adds=adds))


def unplaced(words: Sequence[str], projects: Sequence[Project], texts: Texts, *, adds: bool = False) -> Text:
    """The *words* of all that waits for a project."""
    lines = [f"{LINE} {preview(one)}" for one in words[:SHOWN_MOST]]
    more = [texts.more(len(words) - SHOWN_MOST)] if len(words) > SHOWN_MOST else []
    head = texts.count("queue.unplaced", len(words))
    return quiet(head, *lines, *more, buttons=choosing(projects, texts, adds=adds))


def _choices(projects: Sequence[Project]) -> tuple[Button, ...]:
    return tuple(pick(one) for one in projects)


def pick(project: Project) -> Button:
    """Picks it by its name, which can be typed too, or by its number where that is too long to be carried."""
    intent = encode(PickProject(project.name))
    if len(intent.encode()) > LONGEST_INTENT:
        intent = encode(OpenProject(project.id))
    return Button(plain_label(project.name), intent)
