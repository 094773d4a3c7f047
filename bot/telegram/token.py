"""A bot's token: whose it is."""

from __future__ import annotations

import re

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
