"""Who Roost is, what it can do, and how a command is written."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bot.access import Role, needs
from bot.chat import Button, Seal, Sign, Text
from bot.intents.commands import READERS, encode
from bot.intents.values import Command, DidYouMean, NotYet, WrongUse
from bot.intents.wishes import ShowWishes
from bot.intents.wishing import AS_USUAL
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts, languages

QUIT = "quit"
"""Leaves the chat in a terminal."""

LISTED = (
    "project",
    "new",
    "conversations",
    "cancel",
    "queue",
    "status",
    "usage",
    "steer",
    "compact",
    "fork",
    "engine",
    "model",
    "effort",
    "access",
    "approvals",
    "title",
    "diff",
    "get",
    "settings",
    "allow",
)

FORMS = {"cancel": ("all",), "queue": ("now", "up", "drop", "again", "clear", "run")}
"""What else one would look for, beneath its command."""

OF_ALL = ("all", "again", "clear")
"""Forms that need no number."""

BETWEEN = " · "
"""What stands between the forms of one command in `locales/`."""

SAME_WORD = {"stop": "cancel"}


def help_text(
    host: str,
    texts: Texts,
    *,
    role: Role = Role.OWNER,
    engine: str = "",
    project: str = "",
    leaves: bool = False,
) -> Text:
    """What somebody of that *role* can say. Empty *project*: none is chosen in this room, which *leaves* says
    can be left."""
    key = "help.who" if project else "help.nowhere"
    who = texts.say(key, host=literal(host), engine=literal(engine), project=literal(project))
    commands = [line for name in LISTED if role.at_least(_least(name)) for line in _lines(name, role, texts)]
    leaving = f"{code('/' + QUIT)} {texts.say('help.quit')}" if leaves else ""
    return quiet(who, texts.say("help.commands"), *commands, leaving)


def _least(name: str, form: str = "") -> Role:
    """What somebody must be for that form of a command, or for its simplest."""
    command = READERS[name](form)
    return needs(command) if command else Role.MEMBER


def _lines(name: str, role: Role, texts: Texts) -> Iterator[str]:
    command = texts.spell(f"/{name}")
    yield f"{code(command)} {texts.say(f'help.{name}')}"
    for verb in FORMS.get(name, ()):
        number, one = ("", "") if verb in OF_ALL else (" N", " 1")
        if role.at_least(_least(name, f"{verb}{one}")):
            yield f"{code(f'{command} {verb}{number}')} {texts.say(f'help.{name}_{verb}')}"
    for other in (word for word, meant in SAME_WORD.items() if meant == name):
        yield f"{code(texts.spell(f'/{other}'))} {texts.say('help.stop', command=code(command))}"


def wrong_use(intent: WrongUse, texts: Texts, *, lacks: Collection[str] = ()) -> Text:
    """How it is written: the form that its first word is of, else each, without the settings that the chat
    *lacks*."""
    known = "|".join((AS_USUAL, *languages()))
    forms = texts.say(f"use.{SAME_WORD.get(intent.name, intent.name)}", languages=known).split(BETWEEN)
    none = tuple(texts.spell(f"{encode(ShowWishes())} {name} ") for name in lacks)
    forms = [one for one in forms if not one.startswith(none)]
    first = next(iter(intent.words.casefold().split()), "")
    meant = [one for one in forms if first and first in one.split()[1:2]]
    form = BETWEEN.join(meant or forms)
    return quiet(texts.say("command.wrong_use", form=code(form, most=len(form))))


def did_you_mean(intent: DidYouMean, offered: Command | None, texts: Texts) -> Text:
    """The storyboard's question; the button is the command that is *offered*. Where it would reach nothing
    that is said, and nothing asked."""
    name = texts.spell(f"/{intent.name}")
    if offered is None:
        return quiet(texts.say("command.meant_nothing", name=code(name)))
    return quiet(
        texts.say("command.did_you_mean", name=code(name)), buttons=(yes(name, encode(offered), texts),)
    )


def yes(label: str, intent: str, texts: Texts) -> Button:
    """For a question that is one."""
    return Button(label, intent, sign=Sign.YES, typed=tuple(texts.say("typed.yes").split()))


def not_yet(intent: NotYet, texts: Texts) -> Text:
    return quiet(texts.say("command.not_yet", name=code(texts.spell(f"/{intent.name}"))))


def unreadable(seal: Seal, texts: Texts) -> Text:
    """A sticker, a place, a poll; or what its encryption keeps from us."""
    return quiet(texts.say(f"sealed.{seal}" if seal else "command.unreadable"))
