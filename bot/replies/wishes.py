"""What a room and its people wish, in words, with what else there is to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import Listen, ShowListen
from bot.intents.wishes import SetWish, ShowWish, Wish
from bot.intents.wishing import AS_USUAL, LISTEN
from bot.replies.marks import code, literal, quiet
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
LACKING: dict[str, str] = {
    Wish.VIEW: "wish.no_view",
    Wish.DASHBOARD: "wish.no_board",
    Wish.MIRROR: "wish.no_mirror",
    LISTEN: "wish.no_listen",
}
"""What is said instead of a setting that a chat lacks, where there is more to say than that."""


@dataclass(frozen=True, slots=True)
class Here:
    """*spoken* are the languages that there are sentences in, each in its own word; hours are by the clock of
    *host*, in *zone*."""

    spoken: Mapping[str, str]
    host: str = ""
    zone: str = ""


def everything(wishes: Mapping[Wish, str], listen: Listen | None, here: Here, texts: Texts) -> Text:
    """A line for each, and a button that leads to its choices; *listen* is None where one is alone."""
    lines = [_said(wish, value, here, texts) for wish, value in wishes.items()]
    buttons = [Button(texts.say(f"wish.{wish}"), encode(ShowWish(wish))) for wish in wishes]
    if listen is not None:
        lines.append(texts.say(f"listen.{listen}"))
        buttons.append(Button(texts.say("wish.listen"), encode(ShowListen())))
    return quiet(*lines, buttons=tuple(buttons))


def shown(wish: Wish, value: str, here: Here, texts: Texts) -> Text:
    choices = CHOICES.get(wish) or (AS_USUAL, *here.spoken)
    buttons = (
        Button(_word(wish, choice, here, texts), encode(SetWish(wish, choice)))
        for choice in choices
        if choice != value
    )
    return quiet(_said(wish, value, here, texts), buttons=tuple(buttons))


def now(wish: Wish, value: str, here: Here, texts: Texts) -> Text:
    return quiet(_said(wish, value, here, texts))


def unspoken(value: str, here: Here, texts: Texts) -> Text:
    known = ", ".join(map(code, here.spoken))
    return quiet(texts.say("wish.unspoken", language=code(value), languages=known))


def lacking(wish: str, texts: Texts) -> Text:
    """The chat has nothing of that kind."""
    return quiet(texts.say(LACKING.get(wish, "wish.lacking"), setting=texts.say(f"wish.{wish}")))


def _said(wish: Wish, value: str, here: Here, texts: Texts) -> str:
    word, clock = _word(wish, value, here, texts), {"host": literal(here.host), "zone": literal(here.zone)}
    return texts.say(f"wish.{wish}.said.{_kind(wish, value)}", value=word, **clock)


def _word(wish: Wish, value: str, here: Here, texts: Texts) -> str:
    """What a choice is called on a button."""
    kind = _kind(wish, value)
    if kind == "hours":
        return value.replace("-", "–")
    return here.spoken[value] if kind == "chosen" else texts.say(f"wish.{wish}.{kind}")


def _kind(wish: Wish, value: str) -> str:
    """The values that a sentence is for."""
    if wish is Wish.NOTIFICATIONS and value not in ("on", "off"):
        return "hours"
    if wish is Wish.LANGUAGE:
        return "usual" if value == AS_USUAL else "chosen"
    return value
