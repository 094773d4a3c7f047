"""Ann's private chat with the bot, and what is heard of trouble in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.chat import RoomAddress
from bot.telegram.adapter import TelegramChat
from bot.telegram.api import Patience
from bot.telegram.hook import Webhook
from bot.telegram.insisting import Trouble
from tests.telegram.server import TOKEN, BotApi, Chat

HASTY = Patience(poll=1, grace=0.3, connect=1.0, read=0.3, pool=1.0)


class HastyClock:
    """Whoever sleeps by it wakes at once; *rests* tells for how long it was meant, and at each time in *due*
    something happens."""

    def __init__(self) -> None:
        self.at = 1_000.0
        self.rests: list[float] = []
        self.due: dict[float, Callable[[], Awaitable[None]]] = {}

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.rests.append(seconds)
        self.at += seconds
        for at in [at for at in self.due if at <= self.at]:
            await self.due.pop(at)()
        await asyncio.sleep(0)


class Rig:
    """Keeps to what `ChatConformance` asks of a rig."""

    def __init__(
        self,
        api: BotApi,
        folder: Path,
        *,
        token: str = TOKEN,
        base_url: str = "",
        patience: Patience = HASTY,
        chance: Callable[[], float] = lambda: 1.0,
        clock: HastyClock | None = None,
        webhook: Webhook | None = None,
        local: bool = False,
    ) -> None:
        self.api = api
        self.folder = folder
        self.patience = patience
        self.clock = clock or HastyClock()
        self.heard: list[Trouble] = []
        self.reasons: list[str] = []
        self.ann = api.person()
        self.account = token.partition(":")[0]
        self.room = self.address(self.ann.chat)
        self.ann.chat.bot = "member"
        self.adapter = TelegramChat(
            token,
            base_url=base_url or api.url,
            media=folder.joinpath,
            clock=self.clock,
            chance=chance,
            tell=self._hear,
            patience=patience,
            webhook=webhook,
            local=local,
        )

    def address(self, chat: Chat, thread: int = 0) -> RoomAddress:
        return RoomAddress("telegram", self.account, str(chat.id), str(thread or ""))

    def keep(self, name: str, data: bytes) -> str:
        """A file of our own that can be sent."""
        (self.folder / name).write_bytes(data)
        return name

    def _hear(self, trouble: Trouble, why: str) -> None:
        self.heard.append(trouble)
        self.reasons.append(why)

    async def writes(self, text: str) -> None:
        self.ann.writes(text)

    async def attaches(self, name: str, data: bytes) -> None:
        self.ann.writes(document=(name, data))

    async def presses(self, label: str) -> None:
        self.ann.presses(label)

    def reads(self) -> list[str]:
        return self.ann.chat.reads()

    def rings(self) -> int:
        return len(self.ann.chat.rung)


@asynccontextmanager
async def telegram(
    api: BotApi,
    folder: Path,
    *,
    token: str = TOKEN,
    base_url: str = "",
    chance: Callable[[], float] = lambda: 1.0,
    clock: HastyClock | None = None,
) -> AsyncIterator[Rig]:
    rig = Rig(api, folder, token=token, base_url=base_url, chance=chance, clock=clock)
    try:
        yield rig
    finally:
        await rig.adapter.close()


async def hears(rig: Rig, *texts: str) -> None:
    """These come through, in order, after whatever is wrong by now."""
    incoming = rig.adapter.incoming()
    heard = [await asyncio.wait_for(anext(incoming), timeout=20) for _ in texts]
    assert [getattr(one, "text", "") for one in heard] == [*texts]
