"""Buttons under a message, in rows that a phone can show."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.chat import LONGEST_INTENT, Button

MOST_BUTTONS = 100
"""Of one message (Bot API); with more it would be refused."""
LONGEST_ROW = 28
"""Signs of all labels together; what is longer is cut off on a small phone."""
MOST_IN_ROW = 4


def keyboard(buttons: Iterable[Button]) -> InlineKeyboardMarkup | None:
    """A button whose command is too long to be carried is left out: one of them must not cost the message."""
    rows: list[list[InlineKeyboardButton]] = []
    room = 0
    for button in islice(buttons, MOST_BUTTONS):
        if len(button.intent.encode()) > LONGEST_INTENT:
            continue
        if not rows or button.apart or len(button.label) > room or len(rows[-1]) == MOST_IN_ROW:
            rows.append([])
            room = LONGEST_ROW
        room -= len(button.label)
        rows[-1].append(_button(button))
    return InlineKeyboardMarkup(rows) if rows else None


def _button(button: Button) -> InlineKeyboardButton:
    if button.url:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, callback_data=button.intent)
