"""A bot's token, and that only one poller on this machine uses it."""

from __future__ import annotations

import re
import socket

# Telegram's own are digits, a colon and 35 signs; other servers of its protocol may give shorter ones.
TOKEN = re.compile(r"([0-9]{1,20}):[A-Za-z0-9_-]{8,}")


class MalformedToken(ValueError):
    """No bot ever had a token of this shape; its text is never part of the error."""


def bot_id(token: str) -> int:
    """Whose token it is. Errors: `MalformedToken`."""
    shape = TOKEN.fullmatch(token)
    if shape is None:
        raise MalformedToken
    return int(shape[1])


class OnlyPoller:
    """The right to poll for a bot, which the kernel takes back however its holder dies."""

    def __init__(self, bot: int) -> None:
        self._name = f"\0roost-telegram-{bot}"
        self._socket: socket.socket | None = None

    def take(self) -> bool:
        """Whether it is ours now: no other process of this machine has it."""
        if self._socket is None:
            held = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                held.bind(self._name)
            except OSError:
                held.close()
                return False
            self._socket = held
        return True

    def release(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
