"""Menus and words of the bot as calls of the Bot API."""

from __future__ import annotations

from telegram import (
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeDefault,
)

from bot.telegram.api import Api
from bot.telegram.profile import EVERYWHERE, GROUPS, PRIVATE, Sign, Words

SCOPES: dict[str, BotCommandScope] = {
    EVERYWHERE: BotCommandScopeDefault(),
    PRIVATE: BotCommandScopeAllPrivateChats(),
    GROUPS: BotCommandScopeAllGroupChats(),
}


async def put_up(api: Api, sign: Sign) -> None:
    language = sign.language or None
    match sign.words:
        case None:
            await api.set_my_commands(sign.menu, _scope(sign.scope), language)
        case Words.DESCRIPTION:
            await api.set_my_description(sign.text, language)
        case Words.SHORT:
            await api.set_my_short_description(sign.text, language)


async def reads(api: Api, words: Words, language: str) -> str:
    """The words that stand there now."""
    match words:
        case Words.DESCRIPTION:
            return (await api.get_my_description(language or None)).description
        case Words.SHORT:
            return (await api.get_my_short_description(language or None)).short_description


def _scope(name: str) -> BotCommandScope:
    """`chat 1001` is one chat's own."""
    return SCOPES.get(name) or BotCommandScopeChat(int(name.partition(" ")[2]))
