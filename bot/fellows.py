"""What was asked in other rooms is followed where an account shows it too, like what was asked there."""

from __future__ import annotations

import asyncio

from bot.chat import ChatAdapter
from bot.showing import Showing
from core.store import mirrors, prompts
from core.store.database import Database


class Fellows:
    def __init__(self, chat: ChatAdapter, store: Database, showing: Showing) -> None:
        self._us = (chat.platform, chat.account)
        self._store = store
        self._showing = showing
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Something may be in the store."""
        self._news.set()

    async def run(self) -> None:
        """Until cancelled; what a restart left comes first."""
        while True:
            self._news.clear()
            for room, number in await self._store.glance(mirrors.shown_beside, *self._us):
                self._showing.follow(await self._store.glance(prompts.get, number), room)
            await self._news.wait()
