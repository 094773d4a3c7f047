"""What a group is told of how we are in it, and owners of who reads what is said there."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Button, Person, Standing, Stranded, Text
from bot.replies.marks import literal, quiet
from bot.replies.project import choosing
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.project import Project


def welcome(
    machine: str, projects: Sequence[Project], told: Standing, texts: Texts, *, adds: bool, fresh: str = ""
) -> list[Text]:
    """The first words in a group that has no project yet; *adds*: whoever reads it may make one, and one of
    the name *fresh* at a tap. That we don't hear everything stays when one is chosen."""
    picks = choosing(projects, texts, adds=adds, fresh=fresh)
    hint = "" if picks else texts.say("project.none")
    asked = quiet(texts.say("group.welcome", host=literal(machine)), hint, buttons=picks)
    return [asked] if told.hears else [asked, deaf(told.remedy, texts)]


def back(project: str, told: Standing, texts: Texts) -> Text:
    picked = texts.say("project.picked", name=literal(project))
    return quiet(picked) if told.hears else deaf(told.remedy, texts, before=picked)


def deaf(remedy: str, texts: Texts, *, before: str = "") -> Text:
    promoting = (Button(texts.say("button.promote"), "", remedy),) if remedy else ()
    return quiet(before, texts.say("group.deaf"), buttons=promoting)


def hears(texts: Texts) -> Text:
    return quiet(texts.say("group.hears"))


def rule(texts: Texts) -> Text:
    """Said once, when there is more than one person to be heard."""
    return quiet(texts.say("group.rule"))


def missed(texts: Texts) -> Text:
    """Where something was said that never reached us."""
    return quiet(texts.say("group.missed"))


def hidden(texts: Texts) -> Text:
    """To somebody who writes as the group itself."""
    return quiet(texts.say("group.hidden"))


# --- to owners, in private --------------------------------------------------------------------------------


def taken_in(told: Standing, texts: Texts) -> Text:
    return Text(texts.say("group.taken_in", title=_title(told.title, texts), **_who(told.person)))


def taken_out(told: Standing, project: str, texts: Texts) -> Text:
    key = "group.taken_out_namesake" if _same(told.title, project) else "group.taken_out"
    where = {"title": _title(told.title, texts), "project": literal(project)}
    return quiet(texts.say(key, **where, **_who(told.person)))


def stranded(told: Stranded, project: str, texts: Texts) -> Text:
    key = "group.stranded_namesake" if _same(told.title, project) else "group.stranded"
    return Text(texts.say(key, title=_title(told.title, texts), project=literal(project)))


def joined(people: Sequence[Person], title: str, project: str, texts: Texts) -> Text:
    key = "group.joined_namesake" if _same(title, project) else "group.joined"
    where = {"title": _title(title, texts), "project": literal(project)}
    return quiet(*(texts.say(key, **where, **_who(person)) for person in people))


def public(project: str, texts: Texts) -> Text:
    return Text(texts.say("group.public", project=literal(project)))


def _same(title: str, project: str) -> bool:
    """A group that is called as its project is named once."""
    return plain_label(title).casefold() == project.casefold()


def _who(person: Person) -> dict[str, str]:
    """The id first, which nobody can choose, the name as plain text."""
    return {"id": literal(person.id), "name": literal(plain_label(person.name))}


def _title(title: str, texts: Texts) -> str:
    return literal(plain_label(title)) or texts.say("group.untitled")
