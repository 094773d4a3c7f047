"""Whether a group has only one person in it: asked, and kept until somebody comes or goes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.chat import ChatError
from core.dispatch.clock import Clock

KEPT_SECONDS = 3_600.0
"""In large groups nobody is told who comes and goes."""
AGAIN_SECONDS = 60.0
"""Until it is asked again where the platform didn't say."""
ONE_AND_US = 2


@dataclass(slots=True)
class Company:
    """*count* gives the number of members of a chat, us included. Errors: `ChatError`."""

    count: Callable[[str], Awaitable[int]]
    clock: Clock
    _known: dict[str, tuple[float, bool]] = field(default_factory=dict)

    async def one(self, chat: str) -> bool:
        """False where nobody says."""
        until, one = self._known.get(chat, (0.0, False))
        if self.clock.monotonic() >= until:
            one, seconds = await self._ask(chat)
            self._known[chat] = (self.clock.monotonic() + seconds, one)
        return one

    async def _ask(self, chat: str) -> tuple[bool, float]:
        try:
            return await self.count(chat) == ONE_AND_US, KEPT_SECONDS
        except ChatError:
            return False, AGAIN_SECONDS

    def changes(self, chat: str) -> None:
        """Somebody came or went."""
        self._known.pop(chat, None)
