"""Case 23: a comment and the message that it forwards come as two updates, in either order: one prompt."""

from __future__ import annotations

from typing import Any

import pytest
from telegram import Update

from bot.chat import Message
from bot.gathering import gathered, hold, together
from bot.replies.beside import beside
from bot.telegram.naming import Me
from bot.telegram.translate import translate
from bot.texts import Texts

ME = Me(7000001, "demo_agent_bot")
OWNER = {"id": 1001, "is_bot": False, "first_name": "owner"}
CHAT = {"id": 1001, "type": "private", "first_name": "owner"}
HIDDEN = {"type": "hidden_user", "sender_user_name": "x", "date": 1_789_999_900}
COMMENT: dict[str, Any] = {"text": "what does this mean?"}
FORWARD: dict[str, Any] = {"text": "Traceback: KeyError 'x'", "forward_origin": HIDDEN}


def heard(number: int, told: dict[str, Any]) -> Message:
    message = {"message_id": number, "date": 1_790_000_000, "chat": CHAT, "from": OWNER, **told}
    update = Update.de_json({"update_id": number, "message": message}, None)
    said = translate(update, ME)
    assert isinstance(said, Message)
    return said


@pytest.mark.parametrize("sent", [[COMMENT, FORWARD], [FORWARD, COMMENT]])
def test_both_orders_make_one_prompt_with_the_forward_marked(sent: list[dict[str, Any]]) -> None:
    messages = [heard(number, told) for number, told in enumerate(sent, 1)]
    assert hold(messages[0]) > 0.04
    assert together(messages, lambda _: False).places == (0, 1)
    whole = gathered(messages)
    assert whole.text == "what does this mean?"
    told = beside(whole.points_at, Texts("en", strict=True))
    assert told == "Forwarded along with this, from x:\n> Traceback: KeyError 'x'"


def test_without_a_comment_what_is_forwarded_is_the_prompt_and_says_so() -> None:
    whole = gathered([heard(1, FORWARD)])
    assert whole.text == FORWARD["text"]
    told = beside(whole.points_at, Texts("en", strict=True))
    assert told == "This is forwarded, from x: the sender did not write it."
