"""An answer shown as a draft while it is being written, where the chat has such a thing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial

from msgspec import structs

from bot.chat import DeliveringChat, RoomAddress, Text
from bot.outbox import Outbox
from bot.replies.progress import Live
from bot.replies.streaming import writing
from core.dispatch.clock import Clock
from core.model.ids import PromptId, RoomId

FADES_SECONDS = 20.0
"""A draft is shown for 30 (Bot API): it is sent again before, though it says the same."""
CLEARING_SECONDS = 2.0
"""An answer waits no longer than that for the draft of it to go."""
NOTHING = Text("")


class Drafting:
    """Of one prompt. Nothing of it must arrive: the answer will."""

    def __init__(
        self, chat: DeliveringChat, outbox: Outbox, clock: Clock, room: RoomId, there: RoomAddress
    ) -> None:
        self._chat = chat
        self._outbox = outbox
        self._clock = clock
        self._room = room
        self._there = there
        self._said = NOTHING
        self._at = float("-inf")
        self._since: float | None = None

    def takes(self, live: Live) -> bool:
        """Whether what *live* has written is shown by this, and not beneath its progress."""
        return bool(live.turn.streamed) and self._chat.drafts(self._there)

    def beside(self, live: Live) -> Live:
        """*live* without what it writes here, and as it was when it began to: two messages that move would be
        one too many for a chat."""
        if not self.takes(live):
            self._since = None
            return live
        self._since = live.elapsed if self._since is None else self._since
        return replace(live, elapsed=self._since, turn=structs.replace(live.turn, streamed=""))

    async def say(self, live: Live) -> None:
        """What it has written, once the room's pace allows, unless it was said a moment ago."""
        now, words = self._clock.monotonic(), writing(live.turn.streamed)
        wait = self._at + self._chat.pace(self._there, live.elapsed) - now
        if not words.markdown or (words == self._said and now < self._at + FADES_SECONDS):
            return
        if wait > 0:
            await self._clock.sleep(wait)
        self._said, self._at = words, self._clock.monotonic()
        await self._send(live.prompt, words)

    async def clear(self, prompt: PromptId) -> None:
        """Before the answer comes, that none is seen twice."""
        if self._said != NOTHING and self._chat.drafts(self._there):
            self._said = NOTHING
            with suppress(TimeoutError):
                async with asyncio.timeout(CLEARING_SECONDS):
                    await self._send(prompt, NOTHING)

    async def _send(self, prompt: PromptId, words: Text) -> None:
        write = partial(self._chat.draft, number=prompt, text=words)
        await self._outbox.sign(self._room, self._there, write, counts=True)
