"""What a terminal shows of an answer."""

from __future__ import annotations

import pytest

from bot.markup.blocks import PicturePart
from bot.markup.terminal import TextPart, render


def shown(markdown: str, *, width: int = 40, colour: bool = False) -> str:
    (part,) = render(markdown, width=width, colour=colour, data_note="left out")
    assert isinstance(part, TextPart)
    return part.text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Head\n\na **b** `c`", "Head\n\na b c"),
        ("[a](https://x.example) <https://y.example>", "a (https://x.example) https://y.example"),
        ("[a](src/a.py) ![p](q.png)", "a (src/a.py) p (q.png)"),
        ("```\na\n  b\n```", "    a\n      b"),
        ("> a\n> b\n>\n> ```\n> c\n> ```", "│ a\n│ b\n\n│     c"),
        ("- a\n- b", "• a\n• b"),
        ("| a | b |\n|--|--|\n| 1 | 2 |", "    a │ b\n    ──┼──\n    1 │ 2"),
        ("a\x1b]0;title\x07b\x9b31m\x00 &#12;c\rd", "a]0;titleb31m c\nd"),
        ("![x](data:image/png;base64,AAAA)", "x (left out)"),
    ],
)
def test_plain(markdown: str, text: str) -> None:
    assert shown(markdown) == text


def test_words_are_wrapped_and_long_ones_kept() -> None:
    assert shown("one two three four five six seven", width=20) == "one two three four\nfive six seven"
    assert shown("漢字 " * 6, width=20) == "漢字 漢字 漢字 漢字\n漢字 漢字"
    assert shown("a " + "x" * 30 + " b", width=20) == "a\n" + "x" * 30 + "\nb"
    assert shown("```\n" + "x " * 20 + "\n```", width=20) == "    " + ("x " * 20).rstrip()


def test_a_table_too_wide_for_the_terminal_is_not_aligned() -> None:
    table = "| name | what it does |\n|--|--|\n| a | b |"
    assert shown(table, width=22) == "    name │ what it does\n    ──┼──\n    a │ b"
    assert shown(table, width=23) == "    name │ what it does\n    ─────┼─────────────\n    a    │ b"


def test_colour_never_leaves_its_line() -> None:
    assert shown("**a `b`** c", colour=True) == "\x1b[1ma \x1b[0m\x1b[1;36mb\x1b[0m c"
    assert shown("```\na\n\nb\n```", colour=True) == "    \x1b[36ma\x1b[0m\n\n    \x1b[36mb\x1b[0m"


def test_pictures_are_parts() -> None:
    assert render("a ![alt](x.png) b", width=40, pictures={"x.png"}) == [
        TextPart("a"),
        PicturePart("x.png", "alt"),
        TextPart("b"),
    ]
