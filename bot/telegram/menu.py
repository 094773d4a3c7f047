"""The menu of commands, within what Telegram takes of it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator

from bot.chat import ChatError, Refused
from bot.pacing import again_in
from core.dispatch.clock import Clock

Command = tuple[str, str]
"""A name without its mark, and what it does."""

MOST_COMMANDS = 30
MOST_BYTES = 3_500
"""Of all commands together. The true limit is in no document; reports put it at 4 kB and more."""
LONGEST_DESCRIPTION = 256


FIRST_PAUSE, LONGEST_PAUSE = 5.0, 600.0

logger = logging.getLogger(__name__)


async def shown(show: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Try until the platform has it, or says that it never will; without a menu, people type."""
    failures, there = 0, False
    while not there:
        try:
            await show()
            there = True
        except Refused as refusal:
            logger.warning("telegram: no menu (%s)", refusal)
            return
        except ChatError as trouble:
            logger.info("telegram: no menu yet (%s)", type(trouble).__name__)
            await clock.sleep(again_in(trouble, FIRST_PAUSE, LONGEST_PAUSE, failures))
            failures += 1


def fitting(commands: Iterable[Command]) -> Iterator[Command]:
    """The first of *commands* that fit; beyond the limits the whole menu would be refused."""
    room = MOST_BYTES
    for at, (name, description) in enumerate(commands):
        short = description[:LONGEST_DESCRIPTION]
        room -= len(name.encode()) + len(short.encode())
        if at == MOST_COMMANDS or room < 0:
            return
        yield name, short
