"""What becomes of titles and names that people and agents chose."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers.title import clean_title, plain_label, take_title


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("<!-- roost-title: Boutique -->\nVoici les changements.", "Boutique", "Voici les changements."),
        ("<!--roost-title:A-->B", "A", "B"),
        ("B\n\n<!-- roost-title: A -->\n", "A", "B"),
        ("<!-- roost-title:\nA\n-->\n\nB", "A", "B"),
        ("<!-- roost-title: A -->\nB <!-- roost-title: C -->", "A", "B "),
        ("<!-- roost-title: -->B", None, "B"),
        ("<!-- another comment -->B", None, "<!-- another comment -->B"),
        ("<!-- roost-title: A", None, "<!-- roost-title: A"),
        ("```\n<!-- roost-title: A -->\n```", None, "```\n<!-- roost-title: A -->\n```"),
        ("`<!-- roost-title: A -->`", None, "`<!-- roost-title: A -->`"),
        ("~~~~\n~~~\n<!-- roost-title: A -->", None, "~~~~\n~~~\n<!-- roost-title: A -->"),
        ("\n  B  \n", None, "\n  B  \n"),
    ],
)
def test_the_title_is_taken_and_never_shown(text: str, title: str | None, rest: str) -> None:
    assert take_title(text) == (title, rest)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("  Fix \n the\tlogin ", "Fix the login"),
        ("**Fix** the `log_in` of *shop*", "Fix the log_in of shop"),
        ("# Fix", "Fix"),
        ("- Fix", "Fix"),
        ("[Fix](https://evil.example) now", "Fix now"),
        ("Fix https://evil.example/x now www.evil.example", "Fix now"),
        ("⏳ **Codex** · ✓ done ✋\ufe0f", "Codex · done"),
        ("a\u202eb\u2066c\u200ed\x1b\x00e\ud800", "abcde"),
        ("21 °C — grün, שלום, 漢字", "21 °C — grün, שלום, 漢字"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("four " * 20, "four " * 10 + "four…"),
        ("https://evil.example", ""),
        ("👨\u200d👩\u200d👧", ""),
        ("👍🏽 Fix 🏴\U000e0067\U000e0062\U000e007f it \u200d", "Fix it"),
        ("\u3164\u200c", ""),
        ("Fix 👩\u200d💻 now", "Fix now"),
        ("می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"),
    ],
)
def test_a_title_is_plain_words(text: str, title: str) -> None:
    assert clean_title(text) == title


@given(st.text(max_size=200))
def test_whatever_comes_a_title_is_short_and_harmless(text: str) -> None:
    title = clean_title(text)
    assert len(title) <= 60
    assert title == " ".join(title.split())
    assert not {unicodedata.bidirectional(sign) for sign in title} & {
        "RLO",
        "LRO",
        "RLE",
        "LRE",
        "PDF",
        "RLI",
        "LRI",
    }
    assert not {unicodedata.category(sign) for sign in title} & {"Cc", "Cs", "Zl", "Zp"}


def test_a_name_keeps_its_signs_but_for_those_that_turn_others() -> None:
    assert plain_label("my_*shop*  🏠\n\u202egnp.exe\u2069") == "my_*shop* 🏠 gnp.exe"
    assert plain_label("see https://evil.example/a b") == "see b"
