"""The bot of the settings at work, and what is said when something is wrong with it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from telegram.error import InvalidToken

from bot.chat import DeliveringChat, Text
from bot.service import ChatService
from bot.tasks import Tasks
from bot.telegram.adapter import PATIENCE, AlreadyPolled, TelegramChat
from bot.telegram.api import Api
from bot.telegram.errors import FAILURES
from bot.telegram.hook import Webhook
from bot.telegram.insisting import Trouble
from bot.telegram.naming import PLATFORM
from bot.telegram.profile import Painter, signs
from bot.telegram.token import MalformedToken, bot_id
from bot.texts import Texts
from bot.tokens import Tokens
from core.dispatch.means import Means
from core.errors import Refused
from core.store import accounts

ASK_SECONDS = 10.0
AGAIN_SECONDS = 60.0
"""Until the bot is asked for again where another program of this machine has it."""

logger = logging.getLogger(__name__)

MakeService = Callable[[DeliveringChat], ChatService]
Elsewhere = Callable[[Text | None], None]
"""Tells owners by other chats what is wrong here; None: nothing any more."""
ABROAD = (Trouble.REVOKED, Trouble.CONFLICT)
"""What lasts until an owner does something, and keeps this chat from saying so, or may."""


class BadToken(Refused):
    """What stands in the settings is no bot's token; it is not part of the error."""

    key = "telegram.bad_token"


async def who(token: str, base_url: str) -> str | Trouble:
    """What the bot of this token is called, or why it doesn't say. Errors: `BadToken`."""
    try:
        bot_id(token)
    except MalformedToken:
        raise BadToken from None
    api = Api(token, base_url, PATIENCE)
    try:
        async with asyncio.timeout(ASK_SECONDS):
            return (await api.get_me()).username or ""
    except InvalidToken:
        return Trouble.REVOKED
    except FAILURES:
        return Trouble.UNREACHABLE
    finally:
        await api.close_connections()


@dataclass(frozen=True, slots=True)
class Server:
    """Where the bot's server is, and how it is listened to. *local*: it runs here, and its files are ours to
    read."""

    base_url: str
    webhook: Webhook | None = None
    local: bool = False


def webhook(url: str, listen: str, secret: str, token: str) -> Webhook | None:
    """None without a *url*. A *secret* that nobody chose is made of the token, and stays the same."""
    if not url:
        return None
    host, _, port = listen.rpartition(":")
    made = hmac.new(token.encode(), b"roost webhook", hashlib.sha256).hexdigest()
    return Webhook(url, host.strip("[]"), int(port), secret or made)


class Account:
    """One bot and its service. Errors: `BadToken`."""

    def __init__(
        self,
        token: str,
        server: Server,
        means: Means,
        texts: Texts,
        make: MakeService,
        elsewhere: Elsewhere = lambda trouble: None,
    ) -> None:
        try:
            self._chat = TelegramChat(
                token,
                base_url=server.base_url,
                webhook=server.webhook,
                local=server.local,
                media=means.media.path,
                clock=means.clock,
                chance=random.random,
                tell=self._tell,
                tokens=Tokens(means.store, PLATFORM, means.clock.now),
            )
        except MalformedToken:
            raise BadToken from None
        self._texts = texts
        self._elsewhere = elsewhere
        self._store = means.store
        self._tasks = Tasks(means.clock.sleep)
        self._service = make(self._chat)
        self._painter = Painter(self._chat, means.store, means.clock, PLATFORM)

    async def run(self) -> None:
        """Until cancelled; while another program here polls for the bot, it is left alone."""
        self._tasks.start("telegram: profile", self._show_profile)
        try:
            while True:
                if self._opened():
                    await self._keep("")
                    return await self._service.run()
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            await self._tasks.close()
            await self._chat.close()

    async def _show_profile(self) -> None:
        """Once we are known there."""
        await self._chat.called()
        await self._painter.run(lambda: signs(self._texts, self._service.owners))

    def _opened(self) -> bool:
        try:
            other = self._chat.open()
        except AlreadyPolled as taken:
            logger.error("%s", self._texts.say("telegram.already_polled", process=taken.holder.process))
            return False
        if other:
            key = "telegram.another_user" if other.named else "telegram.another_unknown"
            logger.warning("%s", self._texts.say(key, user=other.named, process=other.process))
        return True

    def _tell(self, trouble: Trouble, why: str) -> None:
        """In the log; to the owners too, where sending still works, and by the other chats that there are."""
        said = self._texts.say(f"telegram.{trouble}")
        logger.log(
            logging.INFO if trouble is Trouble.BACK else logging.ERROR,
            "%s",
            f"{said} ({why})" if why else said,
        )
        if trouble is Trouble.CONFLICT:
            self._service.tell_owners(Text(said))
        if trouble is Trouble.BACK:
            self._elsewhere(None)
            self._service.reached()
        elif trouble in ABROAD:
            self._elsewhere(Text(said))
        kept = trouble if trouble in ABROAD else ""
        self._tasks.start(f"telegram: {trouble}", partial(self._keep, kept))

    async def _keep(self, trouble: str) -> None:
        """For whoever asks from another process."""
        await self._store.insist(accounts.troubled, PLATFORM, self._chat.account, trouble)
