"""A message or a press in, what the person wants out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bot.chat import Edited, Incoming, Message, Press, Redacted, Toward
from bot.intents.commands import READERS
from bot.intents.values import (
    Amend,
    Ask,
    Command,
    DidYouMean,
    Intent,
    Listen,
    NotForUs,
    Unreadable,
    WrongUse,
)

TELEGRAM_MARKS = ("/",)
TERMINAL_MARKS = ("/",)
MATRIX_MARKS = ("//", "/", "!")
MATRIX_MARK = "!"
"""Longest first. Matrix clients keep words that begin with one `/` to themselves."""

SHORTEST_SLIP = 4
"""Shorter names are a slip away from too many other words."""


@dataclass(frozen=True, slots=True)
class Here:
    """What is known of the room. *names*: what we are called there, without `@`.

    *called*: our name before a command's stands for its mark. *own_topic*: the topic or thread is a
    conversation that began with a word to us.
    """

    names: tuple[str, ...] = ()
    marks: tuple[str, ...] = TELEGRAM_MARKS
    called: bool = False
    own_topic: bool = False
    listen: Listen = Listen.AUTO


@dataclass(frozen=True, slots=True)
class _Call:
    """Words in the shape of a command: its name in lower case, the bot it is addressed to, the rest."""

    name: str
    target: str
    rest: str
    marked: bool = True


def parse(incoming: Incoming, here: Here) -> Intent:
    match incoming:
        case Press(text=text):
            return _command(_called(text, ("/",))) or NotForUs()
        case Message():
            return _message(incoming, here)
        case Edited():
            return _amend(incoming, here)
        case Redacted():
            return Amend(None)


def _amend(edited: Edited, here: Here) -> Amend | NotForUs:
    call = _call_of(edited.text, here)
    call = _addressed(call, here) if call else None
    if call and _for_another(call, here):
        return NotForUs()
    return Amend(_unaddressed(edited, here), command=_command(call) is not None, media=edited.media)


def _message(message: Message, here: Here) -> Intent:
    call = None if message.foreign else _call_of(message.text, here)
    call = _addressed(call, here) if call else None
    if call and _for_another(call, here):
        return NotForUs()
    if command := _command(call):
        return command
    return _words(message, call, here)


def _words(message: Message, call: _Call | None, here: Here) -> Intent:
    """What is meant by what is no command."""
    empty = not (message.text.replace("\0", "").strip() or message.files)
    if (empty and not message.unreadable) or not _for_us(message, here):
        return NotForUs()
    if empty:
        return Unreadable(message.seal)
    return _slip(call) or Ask(_unaddressed(message, here), message.files, message.points_at)


def _unaddressed(said: Message | Edited, here: Here) -> str:
    """Its words without the mention of us that they begin with. In a reply the mention may be one that the
    app made of it, and our name a word like others unless it is set apart from them."""
    if not said.mentions_us or (isinstance(said, Message) and said.foreign):
        return said.text
    names = "|".join(re.escape(name.removeprefix("@")) for name in sorted(here.names, key=len, reverse=True))
    bare = "(?!)" if isinstance(said, Message) and said.reply_to else r"\s"
    found = re.match(rf"(?i)\s*(?:@(?:{names})(?:[:,]|\s)|(?:{names})(?:[:,]|{bare}))\s*", said.text)
    return (said.text[found.end() :] if found else "") or said.text


def _call_of(text: str, here: Here) -> _Call | None:
    return _called(text, here.marks) or (_mentioned(text, here) if here.called else None)


def _called(text: str, marks: tuple[str, ...]) -> _Call | None:
    """What *text* calls, if it begins with a mark and a word of letters."""
    mark = next((mark for mark in marks if text.lstrip().startswith(mark)), "")
    shape = re.fullmatch(r"(?is)([a-z_]+)(?:@(\S+))?(?:\s+(.*))?", text.strip()[len(mark) :])
    if not mark or shape is None:
        return None
    name, target, rest = shape.groups(default="")
    return _Call(name.casefold(), target.casefold(), rest)


def _mentioned(text: str, here: Here) -> _Call | None:
    """What *text* calls, if it begins with our name and a word of letters."""
    for name in here.names:
        shape = rf"(?is)@?{re.escape(name)}[:,]?\s+(?:([/!]+)([a-z_]+)(?:@(\S+))?|([a-z_]+))(?:\s+(.*))?"
        if found := re.fullmatch(shape, text.strip()):
            mark, marked, target, bare, rest = found.groups(default="")
            return _Call((marked or bare).casefold(), target.casefold(), rest, marked=bool(mark))
    return None


def _addressed(call: _Call, here: Here) -> _Call:
    """With a bot that is named before or behind the words for its target, where the words make no sense with
    its name: `/cancel all @roost_bot`."""
    words = call.rest.split()
    if call.target or call.name not in READERS or not words or READERS[call.name](call.rest):
        return call
    for word, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
        name = word.removeprefix("@").casefold()
        if word.startswith("@") and _is_bot(name, here):
            return replace(call, target=name, rest=" ".join(rest))
    return call


def _is_bot(name: str, here: Here) -> bool:
    return name.endswith("bot") or name in {ours.casefold() for ours in here.names}


def _for_another(call: _Call, here: Here) -> bool:
    """Whether it names another bot: one of our commands, or any word, at somebody who is called a bot."""
    ours = {name.casefold() for name in here.names}
    return (
        bool(call.target)
        and call.target not in ours
        and (call.name in READERS or call.target.endswith("bot"))
    )


def _command(call: _Call | None) -> Command | WrongUse | None:
    """The command that is called; after our name alone, words that it doesn't take make it a sentence."""
    if call is None or call.name not in READERS:
        return None
    return READERS[call.name](call.rest) or (WrongUse(call.name, call.rest) if call.marked else None)


def _for_us(message: Message, here: Here) -> bool:
    if message.toward is Toward.US:
        return True
    if here.listen is Listen.MENTION:
        return False
    return message.alone or (
        message.toward is Toward.NOBODY and (here.own_topic or here.listen is Listen.ALL)
    )


def _slip(call: _Call | None) -> DidYouMean | None:
    """The command that was probably meant, if the words after it make sense there."""
    if call is None or not call.marked:
        return None
    for name, read in READERS.items():
        if len(name) >= SHORTEST_SLIP and one_slip(call.name, name):
            command = read(call.rest)
            return DidYouMean(name, command) if command else None
    return None


def one_slip(word: str, name: str) -> bool:
    """Whether one letter is too many, missing, wrong, or two have changed places."""
    same = next(
        (at for at, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), min(len(word), len(name))
    )
    a, b = word[same:], name[same:]
    swapped = len(b) > 1 and a[:2] == b[1] + b[0] and a[2:] == b[2:]
    return a != b and (a[1:] == b or a == b[1:] or a[1:] == b[1:] or swapped)
