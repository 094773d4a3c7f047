"""An answer as it grows: words that stay, and no mark-up that is half there."""

from __future__ import annotations

import re

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


NUMBERED = " ".join(f"w{n}" for n in range(3_000))


def test_of_a_long_answer_the_newest_end_is_shown() -> None:
    shown = grown(NUMBERED)
    assert re.fullmatch(r"…w\d+ .* w2999…", shown)
    assert LONGEST_STREAMED // 4 < len(shown) <= LONGEST_STREAMED + 2
    assert NUMBERED.endswith(f" {shown.strip('…')}")


def test_it_begins_at_the_same_word_for_a_while() -> None:
    begins = [grown(NUMBERED[:end]).split()[0] for end in range(4_000, 11_000, 50)]
    assert begins[0].startswith("…w")
    assert 4 <= len(set(begins)) <= 6
    assert begins == sorted(begins, key=begins.index)


@pytest.mark.parametrize(
    ("so_far", "shown"),
    [
        (f"{'One line. ' * 7}\n\nThe last line of all", "…\n\nThe last line of all…"),
        (
            "- one of many things there are\n- one more\n- the last of these th",
            "…\n• one more\n• the last of these th…",
        ),
        ("word " * 14 + "and the **last of these wo", "…word and the last of these wo…"),
        ("words **that are bold for very long, and so** on and on and on", "…long, and so on and on and on…"),
        (
            "```py\na = 1\nb = 22\nc = 33333333333\nd = 4\n```\nSo be it then, or",
            "…\nd = 4\n\nSo be it then, or…",
        ),
        (
            "很久以前，有一个人，每天都去打水。" * 4,
            "…很久以前，有一个人，每天都去打水。很久以前，有一个人，每天都去打水。…",
        ),
    ],
)
def test_it_is_cut_off_where_a_reader_would(so_far: str, shown: str) -> None:
    assert visible(grown(so_far, 60)) == shown


def test_code_that_is_cut_off_is_code_of_its_language() -> None:
    lines = "\n".join(f"x{n} = {n}" for n in range(50))
    (part,) = render(grown(f"So:\n\n```py\n{lines}", 60))
    assert isinstance(part, TextPart)
    assert [(one.type, one.language, one.offset) for one in part.entities] == [("pre", "py", 0)]
    assert re.fullmatch(r"…\nx\d\d = \d\d\n(.*\n)+x49 = 49…", part.text)


def test_a_table_that_is_cut_off_keeps_its_head() -> None:
    rows = "\n".join(f"| {n} | row |" for n in range(10, 40))
    shown = visible(grown(f"So:\n\n| a | b |\n|--|--|\n{rows}\n", 100))
    assert re.fullmatch(r"…\n\na +│ b *\n─+┼─+\n(\d\d │ row\n)+39 │ row", shown)


def test_where_a_message_does_not_hold_it_there_are_shorter_ends() -> None:
    said = with_words(Text("⏳ **Codex**", silent=True), "**w** " * 3_000)
    assert len(said.ways) == 4
    assert [len(way) for way in said.ways] == sorted((len(way) for way in said.ways), reverse=True)
    assert said.ways[-1] == "⏳ **Codex**"
    assert all(way.endswith(" **w…**") for way in said.ways[:-1])
    assert with_words(Text("⏳"), "short").ways == ("⏳\n\nshort…", "⏳")


def test_half_a_secret_is_masked_like_a_whole_one() -> None:
    mask = Masker(["sk-live-0123456789"]).mask
    for so_far in ("The key is sk-live-", "The key is sk-live-01234", "The key is sk-live-0123456789"):
        assert MASK in mask(grown(so_far))
        assert "sk-live" not in mask(grown(so_far))


@pytest.mark.parametrize("around", ["`", "``", "**", "~~", "\n```\n", "KEY=", "- "])
@pytest.mark.parametrize("secret", ["sk-live-0123456789", "correct horse battery", "p*ss_w`rd~0123456"])
def test_no_beginning_of_a_secret_is_shown_whatever_it_stands_in(around: str, secret: str) -> None:
    mask = Masker([secret]).mask
    for length in range(6, len(secret)):
        assert secret[:6] not in mask(grown(f"The key: {around}{secret[:length]}"))


@pytest.mark.parametrize("before", range(1, 13))
@pytest.mark.parametrize("around", ["", "**", "```\n"])
def test_the_end_of_a_secret_is_masked_like_a_whole_one(before: int, around: str) -> None:
    secret = "sk-live-0123456789"
    words = f"{around}{'x' * (30 - before - len(around))}{secret}{'y' * (32 + before)}"
    shown = grown(words, 60)
    assert secret[before:] in shown
    assert secret not in shown
    assert secret[-6:] not in Masker([secret]).mask(shown)


def test_it_stands_beneath_the_progress() -> None:
    progress = Text("⏳ **Codex** · shop · 0:12", silent=True)
    assert with_words(progress, "It is").markdown == "⏳ **Codex** · shop · 0:12\n\nIt is…"
    assert with_words(progress, "") == progress


@settings(max_examples=100, deadline=None)
@given(documents())
def test_any_beginning_of_any_document_can_be_shown(document: str) -> None:
    for so_far in prefixes(document, 12):
        assert len(grown(so_far)) < 1.3 * LONGEST_STREAMED
        render(grown(so_far))
        render(grown(so_far, 40))
