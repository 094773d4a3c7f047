"""What stands beneath a message of ours to be pressed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LONGEST_INTENT = 64
"""Bytes that a button carries on every platform (Bot API: callback_data)."""


class Sign(StrEnum):
    """What a button says without words, for chats where reactions stand for buttons."""

    YES = "✅"
    ALWAYS = "♾️"
    NO = "❌"
    STOP = "🛑"


@dataclass(frozen=True, slots=True)
class Button:
    """*intent* is the text of a command (`intents.encode`): a press is the same as typing it. With a *url* it
    leads there instead. Where buttons are typed, *typed* mean it as well. *apart*: it begins a row of its
    own."""

    label: str
    intent: str
    url: str = ""
    sign: Sign | None = None
    typed: tuple[str, ...] = ()
    apart: bool = False
