"""The server: `async with BotApi() as api:` listens on a free port, and tells all that was asked of it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from tests.telegram.server.account import Account
from tests.telegram.server.calls import Call, Calls
from tests.telegram.server.faults import Faults
from tests.telegram.server.flood import Flood
from tests.telegram.server.hooking import Hooks
from tests.telegram.server.listening import Listener
from tests.telegram.server.model import GENERAL, Chat, ChatType, Json, User
from tests.telegram.server.people import Person
from tests.telegram.server.raw import deliver
from tests.telegram.server.updates import Updates

TOKEN = "7000001:AAE-the-token-of-a-bot-in-our-tests"


def own_token() -> str:
    """One that no other test beside us uses: only one process of a machine works for a bot."""
    return f"7{secrets.randbelow(10**9):09}:{TOKEN.partition(':')[2]}"


@dataclass(slots=True)
class BotApi:
    """*clock* tells every time in here, in seconds; waiting is done in real time."""

    clock: Callable[[], float] = time.time
    host: str = "127.0.0.1"
    port: int = 0
    token: str = TOKEN
    bot: Account = field(init=False)
    faults: Faults = field(init=False)
    accounts: dict[str, Account] = field(default_factory=dict)
    hooks: Hooks = field(init=False)
    _calls: Calls = field(init=False)
    _listener: Listener = field(init=False)

    def __post_init__(self) -> None:
        self.faults = Faults(self.clock)
        self.bot = self.add_bot(self.token)
        self.hooks = Hooks(self.accounts, self.clock)
        self._calls = Calls(self.clock, self.accounts, self.faults)
        self._listener = Listener(self._calls.answer, self.host, self.port)

    # --- the world -----------------------------------------------------------------------------------------

    def add_bot(self, token: str, username: str = "demo_agent_bot") -> Account:
        """Another bot, with a world of its own."""
        user = User(int(token.partition(":")[0]), "demo", username, is_bot=True)
        account = Account(token, user, self.clock, Updates(self.clock), Flood(self.clock))
        self.accounts[token] = account
        return account

    def revoke(self, token: str = TOKEN) -> None:
        """From now on 401."""
        self.accounts.pop(token).updates.revoke()

    def person(
        self, name: str = "Ann", user_id: int = 1001, *, username: str = "", language: str = "en"
    ) -> Person:
        """Somebody who has not yet started the bot: what they write first does."""
        user = User(user_id, name, username or name.lower(), language_code=language)
        self.bot.people[user_id] = user
        chat = self.bot.chats.setdefault(user_id, Chat(user_id, "private", name, user.username, bot=""))
        return Person(self.bot, user, chat)

    def group(
        self,
        title: str,
        *people: Person,
        chat_id: int = -500001,
        kind: ChatType = "group",
        forum: bool = False,
    ) -> Chat:
        """A group that the bot is a member of; a forum is a supergroup."""
        members = {one.user.id: "member" for one in people}
        chat = Chat(chat_id, "supergroup" if forum else kind, title, is_forum=forum, members=members)
        chat.count = GENERAL if forum else 0
        self.bot.chats[chat_id] = chat
        return chat

    def deliver(self, update: Json, bot: Account | None = None) -> None:
        """A raw update of a case."""
        deliver(bot or self.bot, update)

    # --- what was asked ------------------------------------------------------------------------------------

    @property
    def calls(self) -> list[Call]:
        return self._calls.log

    def called(self, *methods: str) -> list[Call]:
        """The calls of these methods (of all but polls, if none is named), oldest first."""
        wanted = {method.lower() for method in methods}
        told = [(call, call.method.lower()) for call in self.calls]
        return [call for call, name in told if (name in wanted if wanted else name != "getupdates")]

    async def until(self, so: Callable[[], object], *, seconds: float = 20.0) -> None:
        """Wait for what some call brings about. Errors: `AssertionError`, telling what is read instead."""
        try:
            async with asyncio.timeout(seconds):
                while not so():
                    await self._calls.more()
        except TimeoutError:
            read = {chat.title: chat.reads() for chat in self.bot.chats.values()}
            raise AssertionError(f"not so after {seconds} s: {read}") from None

    @property
    def violations(self) -> list[str]:
        """What any bot sent that does not arrive as it was meant, or that came into a shut chat."""
        bots = self.accounts.values()
        early = [f"{method} into the shut chat {chat}" for a in bots for _, chat, method in a.flood.offences]
        return [violation for account in bots for violation in account.violations] + early

    # --- the network ---------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self._listener.port}"

    @property
    def base_url(self) -> str:
        """As python-telegram-bot wants it."""
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        return f"{self.url}/file/bot"

    async def __aenter__(self) -> Self:
        await self.open_port()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close_port()

    async def open_port(self) -> None:
        """Listen; on the same port again after `close_port`."""
        await self._listener.open()
        self.hooks.start()

    async def close_port(self) -> None:
        """Connections are refused from now on, and those that were there are reset."""
        await self.hooks.stop()
        await self._listener.close()

    def go_dark(self) -> None:
        """Whatever is sent to us from now on is lost without a sign, answers too, until `come_back`."""
        self._listener.go_dark()

    def come_back(self) -> None:
        self._listener.come_back()
