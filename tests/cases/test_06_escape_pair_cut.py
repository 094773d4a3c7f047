"""Text full of punctuation is never escaped, so no cut can fall between a backslash and its sign."""

from __future__ import annotations

from bot.markup.telegram import TextPart, render
from tests.support import telegram_rules

PIECE = "a-b.c(d)!e_f*g[h]~i`j`>k#l+m=n|o{p} "


def test_punctuation_arrives_as_it_was_written() -> None:
    answer = PIECE * 170
    parts = [part for part in render(answer) if isinstance(part, TextPart)]
    assert len(parts) > 1
    assert all(telegram_rules.faults(part.text, part.entities) == [] for part in parts)
    seen = "".join(part.text for part in parts)
    assert "\\" not in seen
    assert "".join(seen.split()) == answer.replace(" ", "").replace("`", "").replace("*", "")


def test_what_the_agent_escaped_is_shown_without_its_backslashes() -> None:
    answer = "".join(rf"\{sign}" for sign in "-.()!_*[]~`>#+=|{}") * 300
    seen = "".join(part.text for part in render(answer) if isinstance(part, TextPart))
    assert seen == "-.()!_*[]~`>#+=|{}" * 300
