"""An answer as it grows: words that stay, and no mark-up that is half there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bot.chat import Text
from bot.markup.telegram import TextPart, render
from bot.replies.streaming import LONGEST_STREAMED, grown, with_words
from core.answers.secrets import MASK, Masker
from tests.support.documents import documents, prefixes
from tests.support.fake_chat import visible


@pytest.mark.parametrize(
    ("so_far", "shown"),
    [
        ("The tests", "The tests…"),
        ("The **te", "The te…"),
        ("The **", "The…"),
        ("The **tests** are `gre", "The tests are gre…"),
        ("Run `", "Run…"),
        ("``a ` b", "a ` b…"),
        ("See [the rep", "See…"),
        ("See [the report](out", "See…"),
        ("See ![", "See…"),
        ("- one\n-", "• one…"),
        ("one\n\n##", "one…"),
        ("2 * 3 = 6", "2 * 3 = 6…"),
        ("~~gone", "gone…"),
        ("", ""),
        ("**", ""),
        (" \n", ""),
    ],
)
def test_what_is_open_is_closed_or_left_out(so_far: str, shown: str) -> None:
    assert visible(grown(so_far)) == shown


@pytest.mark.parametrize("so_far", ["<", "<!", "<!--", "<!-- roost-ti", "<!-- roost-title: Slow check"])
def test_a_title_is_never_shown(so_far: str) -> None:
    assert grown(so_far) == ""
    whole = "<!-- roost-title: Slow checkout -->\n"
    assert grown(whole) == ""
    assert grown(f"{whole}It is sl") == "It is sl…"


def test_a_table_grows_by_whole_rows() -> None:
    assert visible(grown("So:\n\n| a | b")) == "So:…"
    assert visible(grown("So:\n\n| a | b |\n|--")) == "So:…"
    rule = "So:\n\n| a | b |\n|--|--|\n"
    assert visible(grown(f"{rule}| 1 | 2 |\n| 3")).startswith("So:\n\na │ b\n──┼──\n1 │ 2")
    assert "3" not in grown(f"{rule}| 1 | 2 |\n| 3")


def test_code_grows_as_code_and_its_end_is_no_part_of_it() -> None:
    for so_far in ("```py\nx = 1\ny", "```py\nx = 1\ny\n``", "```py\nx = 1\ny\n"):
        (part,) = render(grown(so_far))
        assert isinstance(part, TextPart)
        assert [(one.type, one.language) for one in part.entities] == [("pre", "py")]
        assert part.text.startswith("x = 1\ny")
        assert "`" not in part.text
    assert visible(grown("Look:\n\n```p")) == "Look:…"
    assert visible(grown("```py\nx\n```\n\nDo")) == "x\n\nDo…"


def test_a_long_answer_stays_as_it_is_until_it_is_whole() -> None:
    words = "word " * 2_000
    assert grown(words) == grown(words[:-500]) == f"{words[:LONGEST_STREAMED].rstrip()}…"


def test_half_a_secret_is_masked_like_a_whole_one() -> None:
    mask = Masker(["sk-live-0123456789"]).mask
    for so_far in ("The key is sk-live-", "The key is sk-live-01234", "The key is sk-live-0123456789"):
        assert MASK in mask(grown(so_far))
        assert "sk-live" not in mask(grown(so_far))


def test_it_stands_beneath_the_progress() -> None:
    progress = Text("⏳ **Codex** · shop · 0:12", silent=True)
    assert with_words(progress, "It is").markdown == "⏳ **Codex** · shop · 0:12\n\nIt is…"
    assert with_words(progress, "") == progress


@settings(max_examples=100, deadline=None)
@given(documents())
def test_any_beginning_of_any_document_can_be_shown(document: str) -> None:
    for so_far in prefixes(document, 12):
        assert len(grown(so_far)) <= LONGEST_STREAMED + 10
        render(grown(so_far))
