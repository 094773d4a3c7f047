"""Sentences name commands as the chat writes them that they are said in."""

from __future__ import annotations

import pytest

from bot.intents.spelling import spelling
from bot.texts import Texts

MATRIX = spelling("matrix")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("`/queue` shows what waits.", "`!queue` shows what waits."),
        ("/start CODE", "!start CODE"),
        ("/cancel · /cancel all", "!cancel · !cancel all"),
        ("Say /help.", "Say !help."),
        ("«/steer» or “/get PATH”", "«!steer» or “!get PATH”"),
        ("in /etc, /project/notes, /status.log and ./get", "in /etc, /project/notes, /status.log and ./get"),
        ("https://example.org/help and either/new", "https://example.org/help and either/new"),
        ("/helpful, /new-thing", "/helpful, /new-thing"),
    ],
)
def test_on_matrix_a_command_of_ours_begins_with_its_sign(written: str, read: str) -> None:
    assert MATRIX(written) == read
    assert spelling("telegram")(written) == spelling("")(written) == written


def test_what_fills_a_sentence_stays_as_people_wrote_it() -> None:
    said = Texts("en").spelled(MATRIX).say("start.stranger", id="/help", name="/status")
    assert "id /help, called /status" in said
    assert "`!allow /help`" in said
