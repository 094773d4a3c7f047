"""What opens a private chat with a bot and says a code there."""

from __future__ import annotations


def pairing_link(name: str, code: str) -> str:
    """*name* as the platform has it, *code* of `A-Za-z0-9_-` (Bot API: 64 of them at most)."""
    return f"https://t.me/{name}?start={code}"
