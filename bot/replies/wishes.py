"""What a room and its people wish, in words, with what else there is to choose."""

from __future__ import annotations

from collections.abc import Mapping

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import Listen, ShowListen
from bot.intents.wishes import SetWish, ShowWish, Wish
from bot.intents.wishing import AS_USUAL
from bot.replies.marks import code, quiet
from bot.texts import Texts
from core.model.preferences import Theme, View

NIGHT = "22:00-07:00"
"""The hours that a button offers; others are typed."""
CHOICES: dict[Wish, tuple[str, ...]] = {
    Wish.AUTO_COMPACT: ("on", "off"),
    Wish.VIEW: tuple(View),
    Wish.DASHBOARD: ("on", "off"),
    Wish.THEME: tuple(Theme),
    Wish.NOTIFICATIONS: ("on", NIGHT, "off"),
    Wish.DRAFTS: ("on", "off"),
    Wish.RICH: ("on", "off"),
    Wish.MIRROR: ("on", "off"),
}
Spoken = Mapping[str, str]
"""The languages that there are sentences in, each in its own word."""


def everything(wishes: Mapping[Wish, str], listen: Listen, spoken: Spoken, texts: Texts) -> Text:
    """A line for each, and a button that leads to its choices."""
    lines = [_said(wish, value, spoken, texts) for wish, value in wishes.items()]
    buttons = [Button(texts.say(f"wish.{wish}"), encode(ShowWish(wish))) for wish in wishes]
    hearing = Button(texts.say("wish.listen"), encode(ShowListen()))
    return quiet(*lines, texts.say(f"listen.{listen}"), buttons=(*buttons, hearing))


def shown(wish: Wish, value: str, spoken: Spoken, texts: Texts) -> Text:
    choices = CHOICES.get(wish) or (AS_USUAL, *spoken)
    buttons = (
        Button(_word(wish, choice, spoken, texts), encode(SetWish(wish, choice)))
        for choice in choices
        if choice != value
    )
    return quiet(_said(wish, value, spoken, texts), buttons=tuple(buttons))


def now(wish: Wish, value: str, spoken: Spoken, texts: Texts) -> Text:
    return quiet(_said(wish, value, spoken, texts))


def unspoken(value: str, spoken: Spoken, texts: Texts) -> Text:
    known = ", ".join(map(code, spoken))
    return quiet(texts.say("wish.unspoken", language=code(value), languages=known))


def lacking(wish: Wish, texts: Texts) -> Text:
    """The chat has nothing of that kind."""
    return quiet(texts.say("wish.lacking", setting=texts.say(f"wish.{wish}")))


def no_mirror(texts: Texts) -> Text:
    return quiet(texts.say("wish.no_mirror"))


def no_board(texts: Texts) -> Text:
    return quiet(texts.say("wish.no_board"))


def _said(wish: Wish, value: str, spoken: Spoken, texts: Texts) -> str:
    return texts.say(f"wish.{wish}.said.{_kind(wish, value)}", value=_word(wish, value, spoken, texts))


def _word(wish: Wish, value: str, spoken: Spoken, texts: Texts) -> str:
    """What a choice is called on a button."""
    kind = _kind(wish, value)
    if kind == "hours":
        return value.replace("-", "–")
    return spoken[value] if kind == "chosen" else texts.say(f"wish.{wish}.{kind}")


def _kind(wish: Wish, value: str) -> str:
    """The values that a sentence is for."""
    if wish is Wish.NOTIFICATIONS and value not in ("on", "off"):
        return "hours"
    if wish is Wish.LANGUAGE:
        return "usual" if value == AS_USUAL else "chosen"
    return value
