"""What Telegram shows of the bot beside its messages: menus and a few words, told where they have changed."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Protocol

from bot.chat import ChatError, Refused
from bot.pacing import again_in
from bot.replies.help import LISTED
from bot.telegram.menu import Command, fitting
from bot.texts import Texts, languages
from core.dispatch.clock import Clock
from core.store import accounts
from core.store.database import Database

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 600.0
AGAIN_SECONDS = 3_600.0
"""Until it is looked again: somebody may own this who didn't."""
OWNERS_ONLY = ("allow",)
EVERYWHERE, PRIVATE, GROUPS = "default", "all_private_chats", "all_group_chats"

logger = logging.getLogger(__name__)


class Words(StrEnum):
    """Of the bot itself; its name is its owner's affair."""

    DESCRIPTION = "description"
    SHORT = "short_description"


LONGEST = {Words.DESCRIPTION: 512, Words.SHORT: 120}


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that is shown, to readers of *language* (empty: to everybody else): the menu of a *scope*, or
    *words*."""

    language: str
    scope: str = ""
    menu: tuple[Command, ...] = ()
    words: Words | None = None
    text: str = ""

    @property
    def name(self) -> str:
        return f"{self.words or self.scope} {self.language}".rstrip()

    @property
    def digest(self) -> str:
        return digest_of(self.text if self.words else json.dumps(self.menu))


class Shop(Protocol):
    """Where signs are put up. Errors of each call: `ChatError`."""

    @property
    def account(self) -> str: ...

    async def put_up(self, sign: Sign) -> None: ...

    async def reads(self, words: Words, language: str) -> str:
        """The words that stand there now."""


def signs(texts: Texts, owners: Collection[str]) -> list[Sign]:
    """All that there is to show; *texts* are for everybody whose language we don't speak. A language's own
    come first: where there are none, the others are what is read there."""
    spoken = {language: Texts(language) for language in languages() if language != texts.language}
    return [
        sign for language, words in (*spoken.items(), ("", texts)) for sign in _signs(language, words, owners)
    ]


def _signs(language: str, texts: Texts, owners: Collection[str]) -> Iterator[Sign]:
    everybody = [name for name in LISTED if name not in OWNERS_ONLY]
    for scope in (EVERYWHERE, PRIVATE, GROUPS):
        yield Sign(language, scope, _menu(("help", *everybody), texts))
    for owner in owners:
        yield Sign(language, f"chat {owner}", _menu(("help", *LISTED), texts))
    for words, longest in LONGEST.items():
        yield Sign(language, words=words, text=texts.say(f"profile.{words}")[:longest])


def _menu(names: tuple[str, ...], texts: Texts) -> tuple[Command, ...]:
    return tuple(fitting((name, texts.say(f"help.{name}")) for name in names))


class Painter:
    """Puts up what has changed, now and then."""

    def __init__(self, shop: Shop, store: Database, clock: Clock, platform: str) -> None:
        self._shop = shop
        self._store = store
        self._clock = clock
        self._us = (platform, shop.account)

    async def run(self, wanted: Callable[[], list[Sign]]) -> None:
        """Until cancelled; without a menu, people type."""
        while True:
            await self.paint(wanted())
            await self._clock.sleep(AGAIN_SECONDS)

    async def paint(self, wanted: list[Sign]) -> None:
        """What is refused is left out, and tried again the next time."""
        there = await self._store.read(accounts.last_told, *self._us)
        ours = {sign.digest for sign in wanted} | set(there.values())
        for sign in wanted:
            if there.get(sign.name) == sign.digest:
                continue
            try:
                await self._insist(partial(self._put_up, sign, ours))
            except Refused as refusal:
                logger.info("telegram: %s is not shown (%s)", sign.name, refusal)

    async def _put_up(self, sign: Sign, ours: Collection[str]) -> None:
        """Words that somebody else has put there are theirs."""
        if sign.words:
            now = await self._shop.reads(sign.words, sign.language)
            if now and digest_of(now) not in ours:
                return
        await self._shop.put_up(sign)
        await self._store.insist(accounts.told, *self._us, sign.name, sign.digest)

    async def _insist(self, call: Callable[[], Awaitable[None]]) -> None:
        """Errors: `Refused`."""
        failures = 0
        while True:
            try:
                return await call()
            except Refused:
                raise
            except ChatError as trouble:
                logger.info("telegram: no menu yet (%s)", type(trouble).__name__)
                await self._clock.sleep(again_in(trouble, FIRST_PAUSE, LONGEST_PAUSE, failures))
                failures += 1


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
