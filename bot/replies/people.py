"""Who may say what here, and what becomes of somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.access import Role
from bot.chat import Button, Text
from bot.intents.commands import EVERY, NOBODY, NUMBER, encode
from bot.intents.values import Allow, Invite
from bot.replies.marks import code, cut, literal, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.ids import ProjectId
from core.model.people import Known
from core.model.project import Project

INVITED = (Role.MEMBER, Role.VIEWER)
MOST_TO_LET_OUT = 8
"""Buttons; whoever else is here is let out by their id."""
LONGEST_NAME = 20


def everybody(
    known: Sequence[Known], names: Mapping[ProjectId, str], project: Project | None, texts: Texts
) -> Text:
    """One line for each, the id first: names are what people call themselves. Links are offered for the
    *project* that the room shows, else for every one."""
    where = f"{NUMBER}{project.id}" if project else EVERY
    links = [_link(role, where, project, texts) for role in INVITED]
    out = [one for one in known if one.role != Role.OWNER][:MOST_TO_LET_OUT]
    lines = (_line(one, names, texts) for one in known)
    return quiet(*lines, buttons=(*links, *(_out(one, texts) for one in out)))


def _link(role: Role, where: str, project: Project | None, texts: Texts) -> Button:
    key = f"button.invite.{role}" if project else f"button.invite.{role}_everywhere"
    label = texts.say(key, project=cut(project.name, LONGEST_NAME)) if project else texts.say(key)
    return Button(label, encode(Invite(role, where)))


def _out(one: Known, texts: Texts) -> Button:
    name = cut(plain_label(one.name), LONGEST_NAME) or one.person
    return Button(texts.say("button.let_out", name=name), encode(Allow(one.person, NOBODY, EVERY)))


def let_in(person: str, role: Role, project: Project | None, texts: Texts) -> Text:
    if project is None:
        return quiet(texts.say(f"people.{role}", id=code(person)))
    return quiet(texts.say(f"people.{role}_of", id=code(person), project=literal(project.name)))


def invitation(role: Role, project: Project | None, word: str, link: str, texts: Texts) -> Text:
    """Whoever reads it first may be anybody: so it says what it gives."""
    what = texts.say(
        f"people.gives.{role}" if project is None else f"people.gives.{role}_of",
        project=literal(project.name) if project else "",
    )
    how = texts.say("people.by_link", link=link) if link else texts.say("people.by_code", code=word)
    return quiet(what, how)


def invited_in_private(texts: Texts) -> Text:
    return quiet(texts.say("people.in_private"))


# -- said where nobody can be let in -------------------------------------------------------------------------


def no_chat(texts: Texts) -> Text:
    """None is configured."""
    return quiet(texts.say("people.no_chat"))


def everywhere(chats: Mapping[str, Sequence[Known]], names: Mapping[ProjectId, str], texts: Texts) -> Text:
    """Who is in, chat by chat, and how somebody else comes in."""
    lines: list[str] = []
    for chat, known in chats.items():
        people = [_line(one, names, texts) for one in known] or [texts.say("people.nobody")]
        lines += (f"**{chat.capitalize()}**", *people)
    return quiet(*lines, texts.say("people.by_pairing", command=_pair(Role.MEMBER, None)))


def by_pairing(role: Role, project: Project | None, texts: Texts) -> Text:
    return quiet(texts.say("people.by_pairing", command=_pair(role, project)))


def said_there(allow: Allow, chat: str, there: Texts, texts: Texts) -> Text:
    """In which chat it can be said, in the words for *there*; or what makes a code instead."""
    said = {"chat": chat.capitalize(), "command": code(there.spell(encode(allow)), most=200)}
    if allow.role == NOBODY:
        return quiet(texts.say("people.there", **said))
    return quiet(texts.say("people.there_or_code", **said, pair=_pair(Role(allow.role), None)))


def no_such_chat(person: str, texts: Texts) -> Text:
    """None is configured that has ids of that kind."""
    return quiet(texts.say("people.no_such_chat", id=code(person)))


def _pair(role: Role, project: Project | None) -> str:
    return code(f"roost pair --role {role}" + (f" --project {project.name}" if project else ""), most=200)


def _line(one: Known, names: Mapping[ProjectId, str], texts: Texts) -> str:
    return " · ".join((code(one.person), *filter(None, (literal(one.name), *_is(one, names, texts)))))


def _is(one: Known, names: Mapping[ProjectId, str], texts: Texts) -> Iterator[str]:
    """Everywhere, and then in single projects."""
    if one.role != Role.STRANGER:
        yield texts.say(f"people.is.{one.role}")
    for project, role in one.projects.items():
        yield texts.say(f"people.is.{role}_of", project=literal(names[project]))
