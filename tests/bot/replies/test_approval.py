"""What an agent asks, as a chat can show it."""

from __future__ import annotations

import pytest

from bot.replies.approval import LONGEST_LABEL, asked
from bot.texts import Texts
from core.model.events import Asked, AskKind, Choice, Grant
from core.model.ids import EventId


@pytest.mark.parametrize(
    ("value", "title", "label"),
    [
        ("s", "small", "small"),
        ("s", "", "s"),
        ("s", "\u200b \u2060", "s"),
        ("", "", "—"),
        (" \n", "\u202e", "—"),
        ("s", "x" * 1_000, "x" * (LONGEST_LABEL - 1) + "…"),
        ("x" * 1_000, "", "x" * (LONGEST_LABEL - 1) + "…"),
    ],
)
def test_every_choice_has_a_label_that_a_button_can_have(value: str, title: str, label: str) -> None:
    question = Asked("k", AskKind.QUESTION, "Which?", (Choice(value, Grant.OPTION, title),))
    (button,) = asked(EventId(1), question, "goose", "shop", Texts("en", strict=True)).buttons
    assert button.label == label


@pytest.mark.parametrize(
    ("kind", "replies", "said"),
    [
        (AskKind.QUESTION, True, "Or answer with words of your own, in reply to this."),
        (AskKind.QUESTION, False, "Or answer with words of your own."),
        (AskKind.COMMAND, False, ""),
    ],
)
def test_how_words_answer_is_told_as_it_is_there(kind: AskKind, replies: bool, said: str) -> None:
    question = Asked("k", kind, "Which?", (), free=True)
    text = asked(EventId(1), question, "goose", "shop", Texts("en", strict=True), replies=replies).markdown
    assert [line for line in text.split("\n") if line.startswith("Or answer")] == [said] * bool(said)
