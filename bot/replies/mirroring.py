"""Rooms that show the same: what that means, who agreed to it, and what was asked in another one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.wishes import AgreeMirror, RefuseMirror
from bot.replies.marks import code, escaped, literal, quiet
from bot.texts import Texts
from core.model.prompt import Prompt
from core.store.mirrors import Fellow, MirrorId


def called(room: Fellow, every: Sequence[Fellow], texts: Texts) -> str:
    """As people call its platform; by its own name too where *every* has others of that."""
    platform = _platform(room)
    if room.title and any(_platform(one) == platform and one.room != room.room for one in every):
        return texts.say("mirror.room", room=literal(room.title), platform=platform)
    return platform


def ask(number: MirrorId, project: str, here: Fellow, others: Sequence[Fellow], texts: Texts) -> Text:
    """An owner is to agree to what it means, or not."""
    every = [here, *others]
    means = {"rooms": _named(every, every, texts), "project": literal(project)}
    said = []
    if any(one.sealed for one in every) and not all(one.sealed for one in every):
        said.append(texts.say("mirror.ask.sealed", readers=_readers(every, texts), **means))
    if any(one.public for one in every):
        said.append(texts.say("mirror.ask.public", readers=_open_to_all(every, texts), **means))
    if not said:
        said.append(texts.say("mirror.ask.others", **means))
    said += [_onlookers(one, every, literal(project), texts) for one in every if one.strangers != 0]
    agree = Button(texts.say("button.mirror.agree"), encode(AgreeMirror(number)))
    refuse = Button(texts.say("button.mirror.refuse"), encode(RefuseMirror(number)))
    said.append(texts.say("mirror.threads"))
    return quiet(*said, texts.say("mirror.ask.who"), buttons=(agree, refuse))


def _onlookers(room: Fellow, every: Sequence[Fellow], project: str, texts: Texts) -> str:
    """Who else may read along in one of them."""
    where = {"room": called(room, every, texts), "project": project}
    if room.strangers is None:
        return texts.say("mirror.ask.unknown", **where)
    return texts.count("mirror.ask.strangers", room.strangers, **where)


def since(question: Text, texts: Texts) -> Text:
    """The same where something has changed since it was asked."""
    return quiet(texts.say("mirror.since"), question.markdown, buttons=question.buttons)


def again(question: Text, texts: Texts) -> Text:
    """The same where something has changed since somebody agreed."""
    return quiet(texts.say("mirror.changed"), question.markdown, buttons=question.buttons)


def lost(who: str, rooms: Sequence[Fellow], texts: Texts) -> Text:
    """These show only their own again, for *who* may be there, who was let out."""
    names = [texts.say("mirror.room", room=literal(one.title), platform=_platform(one)) for one in rooms]
    return quiet(texts.say("mirror.lost", id=code(who), rooms=texts.listed(names)))


def changed(texts: Texts) -> Text:
    return quiet(texts.say("mirror.changed"))


def on(project: str, here: Fellow, others: Sequence[Fellow], texts: Texts) -> Text:
    if not others:
        return quiet(texts.say("mirror.alone", project=literal(project)))
    rooms = _named(others, [here, *others], texts)
    return quiet(texts.say("mirror.on", project=literal(project), rooms=rooms), texts.say("mirror.threads"))


def joined(who: str, there: Fellow, every: Sequence[Fellow], project: str, texts: Texts) -> Text:
    """For a room to which another one comes."""
    room = _named([there], every, texts)
    said = texts.say("mirror.joined", who=literal(who), project=literal(project), room=room)
    return quiet(said, texts.say("mirror.threads"))


def off(texts: Texts) -> Text:
    return quiet(texts.say("mirror.off"))


def apart(texts: Texts) -> Text:
    """For a thread that was shown elsewhere as others of its chat are."""
    return quiet(texts.say("mirror.apart"))


def left(there: Fellow, every: Sequence[Fellow], texts: Texts) -> Text:
    """For a room that goes on without another one."""
    return quiet(texts.say("mirror.left", room=_named([there], every, texts)))


def settled(texts: Texts) -> Text:
    return quiet(texts.say("mirror.settled"))


def asked(
    prompt: Prompt, where: str, files: Sequence[str], texts: Texts, *, title: str | None = None
) -> Text:
    """What somebody asked in another room, called *where*, in their own words; in the conversation called
    *title*, where it is not the one that is read here."""
    said = {"who": literal(prompt.author) or "?", "platform": where}
    if title is None:
        head = texts.say("mirror.asked", **said)
    else:
        head = texts.say("mirror.asked_in", title=literal(title), **said)
    lines = [f"> {escaped(line)}".rstrip() for line in prompt.text.strip().splitlines()]
    names = [f"> 📎 {literal(name)}" for name in files]
    return quiet(head, "", "\n".join([*lines, *names]) or "> …")


def not_shown(name: str, texts: Texts) -> Text:
    """In place of a file that came with it, which its chat doesn't take."""
    return quiet(texts.say("mirror.not_shown", name=literal(name)))


def turned(who: str, where: str, title: str, texts: Texts) -> Text:
    """Somebody in another room, called *where*, went on to another conversation."""
    said = {"who": literal(who) or "?", "platform": where, "title": literal(title)}
    return quiet(texts.say("mirror.turned", **said))


def _readers(every: Sequence[Fellow], texts: Texts) -> str:
    """Where others can read it than those who are meant."""
    return texts.listed(sorted({called(one, every, texts) for one in every if not one.sealed}))


def _open_to_all(every: Sequence[Fellow], texts: Texts) -> str:
    """The platforms of the rooms where anybody at all can."""
    return texts.listed(sorted({_platform(one) for one in every if one.public}))


def _platform(room: Fellow) -> str:
    return literal(room.address[0].capitalize())


def _named(rooms: Sequence[Fellow], every: Sequence[Fellow], texts: Texts) -> str:
    names = [(one.sealed, called(one, every, texts)) for one in rooms]
    return texts.listed(
        [texts.say("mirror.sealed", platform=name) if sealed else name for sealed, name in names]
    )
