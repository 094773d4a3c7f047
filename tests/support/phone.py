"""Ann's phone: the real `roost run` as a process, and a Bot API server of our own that it works for."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.support.forked import Service
from tests.support.roost import Roost
from tests.telegram.second import unread
from tests.telegram.server import BotApi, Change, Chat, Message, own_token

OWNER = 1001
STOPPED_SECONDS = 5.0
LISTENING = ("getUpdates", "setWebhook")
ACCESS = "[telegram]\ntoken = {token}\nbase_url = {url}\nallowed_users = {users}\n"


class Phone:
    """*roost* answers what `ann` writes; nothing runs before `start`."""

    def __init__(self, roost: Roost, api: BotApi) -> None:
        self.roost = roost
        self.api = api
        self.ann = api.person(user_id=OWNER)
        self.service: Service | None = None

    @property
    def chat(self) -> Chat:
        return self.ann.chat

    # -- the service -----------------------------------------------------------------------------------

    async def start(self, **env: str) -> None:
        """`roost run`, from the moment that it first listens, or has died."""
        before = len(self.api.called(*LISTENING))
        self.service = service = self.roost.runs(self._log, env)
        async with asyncio.timeout(20):
            while service.poll() is None and len(self.api.called(*LISTENING)) == before:
                await asyncio.sleep(0.005)

    async def end(self, by: signal.Signals = signal.SIGKILL) -> int:
        """Signal it, unless it is dead; its exit code."""
        assert self.service
        if self.service.poll() is None:
            self.service.send_signal(by)
        return await self.ended()

    async def ended(self, seconds: float = STOPPED_SECONDS) -> int:
        """Its exit code, once it has ended."""
        assert self.service
        async with asyncio.timeout(seconds):
            while self.service.poll() is None:
                await asyncio.sleep(0.005)
        return self.service.wait()

    async def restart(self, by: signal.Signals = signal.SIGKILL) -> None:
        await self.end(by)
        await self.start()

    @property
    def _log(self) -> Path:
        return self.roost.home / "service.log"

    @property
    def log(self) -> str:
        return self._log.read_text()

    # -- what Ann sees ---------------------------------------------------------------------------------

    async def until(self, so: str, chat: Chat | None = None, *, seconds: float = 20.0) -> None:
        """Until some message of the bot says that."""
        await self.api.until(lambda: self.says(so, chat), seconds=seconds)

    def says(self, words: str, chat: Chat | None = None) -> bool:
        return any(words in read for read in (chat or self.chat).reads())

    def one(self, words: str, chat: Chat | None = None) -> Message:
        """The only message of the bot that says that."""
        (found,) = [m for m in (chat or self.chat).screen() if m.sender.is_bot and words in m.words]
        return found

    def seen(self, message: Message) -> list[Change]:
        """Everything that was seen to happen to *message*, in order."""
        return [c for c in message.chat.log if c.message and c.message.id == message.id]

    @property
    def rung(self) -> list[str]:
        return [change.message.words for change in self.chat.rung if change.message]

    # -- what there is ---------------------------------------------------------------------------------

    async def works_in_shop(self, chat: Chat | None = None) -> None:
        """The room's project is chosen."""
        self.ann.writes("/project shop", chat)
        await self.until("This room works in shop", chat)


@asynccontextmanager
async def phone(
    roost: Roost,
    *,
    users: tuple[int, ...] = (OWNER,),
    command: list[str] | None = None,
    more: str = "",
) -> AsyncIterator[Phone]:
    """*command* is the agent, if it isn't the scripted one; *more* is TOML in its table. A second client
    reads all that was sent."""
    async with BotApi(token=own_token()) as api:
        words = {"token": json.dumps(api.token), "url": json.dumps(api.url), "users": json.dumps(list(users))}
        roost.configure(more + ACCESS.format(**words), command=command)
        held = Phone(roost, api)
        try:
            yield held
            assert unread(api) == []
        finally:
            (roost.home / "go").touch()  # an agent outlives its Roost: one that `holds` ends with the test
            if held.service:
                with contextlib.suppress(ProcessLookupError):
                    await held.end()
