"""Which words of a room are prompts, and the other rules that it can have."""

from __future__ import annotations

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import Listen, SetListen
from bot.replies.marks import quiet
from bot.texts import Texts


def now(listen: Listen, texts: Texts) -> Text:
    return quiet(texts.say(f"listen.{listen}"))


def shown(listen: Listen, texts: Texts) -> Text:
    others = [one for one in Listen if one is not listen]
    buttons = tuple(Button(texts.say(f"button.listen.{one}"), encode(SetListen(one))) for one in others)
    return quiet(texts.say(f"listen.{listen}"), buttons=buttons)
