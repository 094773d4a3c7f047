"""The menu of commands, within what Telegram takes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Command = tuple[str, str]
"""A name without its mark, and what it does."""

MOST_COMMANDS = 30
MOST_BYTES = 3_500
"""Of all commands together. The true limit is in no document; reports put it at 4 kB and more."""
LONGEST_DESCRIPTION = 256


def fitting(commands: Iterable[Command]) -> Iterator[Command]:
    """The first of *commands* that fit; beyond the limits the whole menu would be refused."""
    room = MOST_BYTES
    for at, (name, description) in enumerate(commands):
        short = description[:LONGEST_DESCRIPTION]
        room -= len(name.encode()) + len(short.encode())
        if at == MOST_COMMANDS or room < 0:
            return
        yield name, short
