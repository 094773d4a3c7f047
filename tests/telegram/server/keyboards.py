"""Inline keyboards, checked."""

from __future__ import annotations

from tests.telegram.server.errors import bad
from tests.telegram.server.model import Button, Json, Keyboard
from tests.telegram.server.params import Params

MOST_BUTTONS = 100
LONGEST_DATA = 64
"""Bytes."""
WIDEST = 8


def keyboard(params: Params) -> Keyboard:
    """Empty where there is none; a keyboard of another kind shows nothing either."""
    rows = params.table("reply_markup").get("inline_keyboard") or []
    found = tuple(tuple(_button(one) for one in row) for row in rows if row)
    if sum(map(len, found)) > MOST_BUTTONS:
        raise bad("reply markup is too long")
    return found


def _button(one: Json) -> Button:
    text = one.get("text", "")
    if not text.strip():
        raise bad("can't parse inline keyboard button: text must be non-empty")
    if url := one.get("url"):
        return Button(text, url=url)
    data = one.get("callback_data")
    if data is None:
        raise bad("text buttons are unallowed in the inline keyboard")
    if not 1 <= len(data.encode()) <= LONGEST_DATA:
        raise bad("BUTTON_DATA_INVALID")
    return Button(text, data)
