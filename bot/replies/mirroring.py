"""Rooms that show the same: what that means, who agreed to it, and what was asked in another one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.wishes import AgreeMirror, RefuseMirror
from bot.replies.marks import escaped, literal, quiet
from bot.texts import Texts
from core.model.prompt import Prompt
from core.store.mirrors import Fellow, MirrorId


def platform(name: str) -> str:
    """As people call it."""
    return literal(name.capitalize())


def ask(number: MirrorId, project: str, here: Fellow, others: Sequence[Fellow], texts: Texts) -> Text:
    """An owner is to agree to what it means, or not."""
    every = [here, *others]
    means = {"rooms": _named(every, texts), "project": literal(project)}
    said = []
    if any(one.sealed for one in every):
        said.append(texts.say("mirror.ask.sealed", readers=_readers(every, open_to_all=False), **means))
    if any(one.public for one in every):
        said.append(texts.say("mirror.ask.public", readers=_readers(every, open_to_all=True), **means))
    if not said:
        said.append(texts.say("mirror.ask.others", **means))
    agree = Button(texts.say("button.mirror.agree"), encode(AgreeMirror(number)))
    refuse = Button(texts.say("button.mirror.refuse"), encode(RefuseMirror(number)))
    return quiet(*said, texts.say("mirror.ask.who"), buttons=(agree, refuse))


def again(question: Text, texts: Texts) -> Text:
    """The same where something has changed since somebody agreed."""
    return quiet(texts.say("mirror.changed"), question.markdown, buttons=question.buttons)


def on(project: str, others: Sequence[Fellow], texts: Texts) -> Text:
    if not others:
        return quiet(texts.say("mirror.alone", project=literal(project)))
    return quiet(texts.say("mirror.on", project=literal(project), rooms=_named(others, texts)))


def joined(who: str, there: Fellow, project: str, texts: Texts) -> Text:
    """For a room to which another one comes."""
    room = _named([there], texts)
    return quiet(texts.say("mirror.joined", who=literal(who), project=literal(project), room=room))


def off(texts: Texts) -> Text:
    return quiet(texts.say("mirror.off"))


def left(there: Fellow, texts: Texts) -> Text:
    """For a room that goes on without another one."""
    return quiet(texts.say("mirror.left", room=_named([there], texts)))


def settled(texts: Texts) -> Text:
    return quiet(texts.say("mirror.settled"))


def asked(prompt: Prompt, where: str, files: Sequence[str], texts: Texts) -> Text:
    """What somebody asked in another room, in their own words."""
    head = texts.say("mirror.asked", who=literal(prompt.author) or "?", platform=platform(where))
    lines = [f"> {escaped(line)}".rstrip() for line in prompt.text.strip().splitlines()]
    names = [f"> 📎 {literal(name)}" for name in files]
    return quiet(head, "", "\n".join([*lines, *names]) or "> …")


def turned(who: str, where: str, title: str, texts: Texts) -> Text:
    """Somebody in another room went on to another conversation."""
    said = {"who": literal(who) or "?", "platform": platform(where), "title": literal(title)}
    return quiet(texts.say("mirror.turned", **said))


def _readers(rooms: Sequence[Fellow], *, open_to_all: bool) -> str:
    """Where others can read it than those who are meant."""
    found = (one for one in rooms if (one.public if open_to_all else not one.sealed))
    return ", ".join(sorted({platform(one.address[0]) for one in found}))


def _named(rooms: Sequence[Fellow], texts: Texts) -> str:
    return ", ".join(
        texts.say("mirror.sealed", platform=platform(one.address[0]))
        if one.sealed
        else platform(one.address[0])
        for one in rooms
    )
