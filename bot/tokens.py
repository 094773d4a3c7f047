"""Short words that buttons carry in place of their commands: kept in the store, each good once."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from bot.chat import Button, MessageRef, RoomAddress
from core.errors import DiskFull, StoreBusy
from core.store import buttons
from core.store.buttons import Fresh, Kept
from core.store.database import Database

TOKEN_BYTES = 12
"""Nobody guesses one of 2⁹⁶."""
MOST_REMEMBERED = 200
"""Messages that are edited again and again, as those are that show a turn."""


class Tokens:
    """Those of one platform. While the store can't be written a button carries its command itself: pressed,
    it is the same as typed."""

    def __init__(self, store: Database, platform: str, now: Callable[[], float]) -> None:
        self._store = store
        self._platform = platform
        self._now = now
        self._under: OrderedDict[tuple[str, MessageRef], dict[str, str]] = OrderedDict()

    async def fresh(self, chat: str, carried: Sequence[Button], *, thread: str = "") -> tuple[Button, ...]:
        """The buttons of a message that is about to leave."""
        made = await self._made(chat, carried, thread=thread)
        return tuple(replace(one, intent=made[one.intent]) for one in carried)

    async def stand(self, carried: Iterable[Button], message: MessageRef) -> None:
        """They left with *message*; where that can't be kept, an edit gives it others."""
        tokens = [one.intent for one in carried]
        if tokens:
            with suppress(StoreBusy, DiskFull):
                await self._store.write(buttons.stand, tokens, message)

    async def under(
        self, chat: str, message: MessageRef, carried: Sequence[Button], *, thread: str = ""
    ) -> tuple[Button, ...]:
        """The buttons of a *message* that is there already: one that still stands for the same stays."""
        here = self._under.pop((chat, message), None)
        if here is None or any(one.intent not in here for one in carried):
            here = await self._store.glance(buttons.under, self._platform, chat, message)
        missing = [one for one in carried if one.intent not in here]
        here |= await self._made(chat, missing, message=message, thread=thread)
        self._under[chat, message] = here
        while len(self._under) > MOST_REMEMBERED:
            self._under.popitem(last=False)
        return tuple(replace(one, intent=here[one.intent]) for one in carried)

    async def none_under(self, chat: str, message: MessageRef) -> None:
        """What it asked is settled; where that can't be kept, who presses is told so."""
        self._under.pop((chat, message), None)
        if await self._store.glance(buttons.under, self._platform, chat, message):
            with suppress(StoreBusy, DiskFull):
                await self._store.write(buttons.clear, self._platform, chat, message)

    async def find(self, token: str) -> Kept | None:
        return await self._store.glance(buttons.find, token)

    async def pressed_by(self, chat: str, message: MessageRef, word: str) -> Kept | None:
        """The button under *message* that a word or a sign presses."""
        return await self._store.glance(buttons.pressed_by, self._platform, chat, message, word)

    async def asking(self, room: RoomAddress, word: str, *, until: float) -> MessageRef:
        """Our message that *word* answers, said there and by then; else empty."""
        where = (self._platform, room.account, room.chat, room.thread)
        return MessageRef(await self._store.glance(buttons.asking, *where, word, until=until))

    async def _made(
        self, chat: str, carried: Iterable[Button], *, message: str = "", thread: str = ""
    ) -> dict[str, str]:
        """Each intent, and the token that stands for it."""
        fresh = {
            one.intent: Fresh(secrets.token_urlsafe(TOKEN_BYTES), one.intent, one.typed) for one in carried
        }
        if not fresh:
            return {}
        where, now = (self._platform, chat, list(fresh.values())), self._now()
        try:
            await self._store.write(buttons.keep, *where, message=message, thread=thread, now=now)
        except (StoreBusy, DiskFull):
            return {intent: intent for intent in fresh}
        return {intent: one.token for intent, one in fresh.items()}
