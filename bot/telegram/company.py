"""How many are in a group, and who of those that we know: asked, and kept where it is for every message."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from bot.chat import ChatError, Readers, Refused
from core.dispatch.clock import Clock

KEPT_SECONDS = 3_600.0
"""In large groups nobody is told who comes and goes."""
AGAIN_SECONDS = 60.0
"""Until it is asked again where the platform didn't say."""
ONE_AND_US = 2
MOST_ASKED = 50
"""People of whom it is asked whether they are there, in one go."""


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


async def present(
    count: Callable[[str], Awaitable[int]],
    is_member: Callable[[str, str], Awaitable[bool]],
    chat: str,
    people: Collection[str],
) -> Readers:
    """A bot is told how many are there, other bots among them, but not who; of a person whom it names it is,
    for sure only where it is an admin. Errors: `ChatError`."""

    async def asked(person: str) -> bool | None:
        try:
            return await is_member(chat, person)
        except Refused:
            return None

    first, rest = sorted(people)[:MOST_ASKED], sorted(people)[MOST_ASKED:]
    many = await count(chat) - 1
    found = dict(zip(first, await asyncio.gather(*map(asked, first)), strict=True))
    there = frozenset(person for person, is_there in found.items() if is_there)
    unsure = frozenset(person for person, is_there in found.items() if is_there is None)
    return Readers(many, there, unsure | {*rest})
