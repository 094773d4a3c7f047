"""Who Roost is, what it can do, and how a command is written."""

from __future__ import annotations

from collections.abc import Iterator

from bot.access import Role, needs
from bot.chat import Button, Seal, Sign, Text
from bot.intents.commands import READERS, encode
from bot.intents.values import Command, DidYouMean, NotYet, WrongUse
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts

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
    "get",
    "settings",
    "allow",
)

FORMS = {"cancel": ("all",), "queue": ("drop", "up")}
"""What else one would look for, beneath its command."""

SAME_WORD = {"stop": "cancel"}


def help_text(
    host: str,
    texts: Texts,
    *,
    role: Role = Role.OWNER,
    engine: str = "",
    project: str = "",
    mark: str = "/",
) -> Text:
    """What somebody of that *role* can say. Empty *project*: none is chosen in this room."""
    key = "help.who" if project else "help.nowhere"
    who = texts.say(key, host=literal(host), engine=literal(engine), project=literal(project))
    commands = [line for name in LISTED if role.at_least(_least(name)) for line in _lines(name, mark, texts)]
    return quiet(who, texts.say("help.commands"), *commands)


def _least(name: str) -> Role:
    """What somebody must be for the simplest form of a command."""
    command = READERS[name]("")
    return needs(command) if command else Role.MEMBER


def _lines(name: str, mark: str, texts: Texts) -> Iterator[str]:
    yield f"{code(mark + name)} {texts.say(f'help.{name}')}"
    for verb in FORMS.get(name, ()):
        number = "" if verb == "all" else " N"
        yield f"{code(f'{mark}{name} {verb}{number}')} {texts.say(f'help.{name}_{verb}')}"


def wrong_use(intent: WrongUse, texts: Texts) -> Text:
    form = texts.say(f"use.{SAME_WORD.get(intent.name, intent.name)}")
    return quiet(texts.say("command.wrong_use", form=code(form, most=len(form))))


def did_you_mean(intent: DidYouMean, offered: Command | None, texts: Texts) -> Text:
    """The storyboard's question; the button is the command that is *offered*, if one is."""
    typed = tuple(texts.say("typed.yes").split())
    buttons = (Button(intent.name, encode(offered), sign=Sign.YES, typed=typed),) if offered else ()
    return quiet(texts.say("command.did_you_mean", name=intent.name), buttons=buttons)


def not_yet(intent: NotYet, texts: Texts) -> Text:
    return quiet(texts.say("command.not_yet", name=code(f"/{intent.name}")))


def unreadable(seal: Seal, texts: Texts) -> Text:
    """A sticker, a place, a poll; or what its encryption keeps from us."""
    return quiet(texts.say(f"sealed.{seal}" if seal else "command.unreadable"))
