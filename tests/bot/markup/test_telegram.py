"""What Telegram shows of an answer."""

from __future__ import annotations

import pytest

from bot.markup.blocks import PicturePart
from bot.markup.telegram import Entity, TextPart, render
from bot.replies.marks import block, folded
from tests.support import telegram_rules

FOLDED = "expandable_blockquote"
FAMILY = "👩\u200d👩\u200d👧"


def message(markdown: str) -> TextPart:
    """The one message that shows this text."""
    (part,) = render(markdown, data_note="left out")
    assert isinstance(part, TextPart)
    assert telegram_rules.faults(part.text, part.entities) == []
    return part


def texts(markdown: str, **limits: int) -> list[str]:
    return [part.text for part in render(markdown, **limits) if isinstance(part, TextPart)]  # type: ignore[arg-type]


def styled(markdown: str) -> list[tuple[str, str]]:
    part = message(markdown)
    return [(entity.type, telegram_rules.covered(part.text, entity)) for entity in part.entities]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("List<String> a<br>b &lt;", "List<String> a<br>b <"),
        ("a\nb  \nc", "a\nb\nc"),
        ("- a\n- b\n  - c\n\n    d\n", "• a\n• b\n   • c\n\n      d"),
        ("3. a\n3. b", "3. a\n4. b"),
        ("2) a", "2) a"),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b"),
        ("- ```\n  x\n  ```", "•\n\nx"),
        ("- - a", "•\n   • a"),
        ("1.", "1."),
        ("a\n\n---\n\nb", "a\n\n———\n\nb"),
        ("costs $5 and $6, not $x$", "costs $5 and $6, not $x$"),
        ("a\x00b\x1b[31m&#12;\r\nc\ud800", "ab[31m\nc\ufffd"),
        ("[a](src/a.py)", "a (src/a.py)"),
        ("[src/a.py](src/a.py)", "src/a.py"),
        ("[a](http://localhost:1)", "a (http://localhost:1)"),
        ("[mail](mailto:a@b.c)", "mail (a@b.c)"),
        ("[x](javascript:1)", "x (javascript:1)"),
        ("[x](data:text/html;base64,PGgxPg==)", "x (left out)"),
        ("![x](data:image/png;base64,AAAA) ![](data:image/png,A)", "x (left out) left out"),
        ("![x](output/a b.png) ![](y.png)", "x (output/a b.png) y.png"),
        ("[](https://a.example)", "https://a.example"),
        ("| a | b |\n|--|--:|\n| 漢 | 1 |\n| x | 22 |", "a  │  b\n───┼───\n漢 │  1\nx  │ 22"),
        (
            "| a | b |\n|:-:|--|\n| 1234 | [l](https://x.y) |",
            " a   │ b\n─────┼────────────────\n1234 │ l (https://x.y)",
        ),
        ("| head | other |\n|--|--|\n| " + "w" * 60 + " | 2 |", "head │ other\n──┼──\n" + "w" * 60 + " │ 2"),
    ],
)
def test_text(markdown: str, text: str) -> None:
    assert message(markdown).text == text


@pytest.mark.parametrize(
    ("markdown", "entities"),
    [
        ("**b** *i* ~~s~~ `c`", [("bold", "b"), ("italic", "i"), ("strikethrough", "s"), ("code", "c")]),
        ("# a", [("bold", "a"), ("underline", "a")]),
        ("## a", [("bold", "a")]),
        ("**a `c` b**", [("bold", "a "), ("code", "c"), ("bold", " b")]),
        ("**`c`**", [("code", "c")]),
        ("[`c`](https://a.example)", [("text_link", "c")]),
        ("**[a](https://a.example)**", [("bold", "a"), ("text_link", "a")]),
        ("> a\n>\n> `b`\n>\n> > c", [("blockquote", "a\n\nb\n\nc"), ("code", "b")]),
        ("> a\n\n> b\n", [("blockquote", "a"), ("blockquote", "b")]),
        ("$x_1$ $$y$$", [("code", "$x_1$"), ("code", "$$y$$")]),
        ("$$\nx\n$$", [("pre", "x")]),
        ("    indented", [("pre", "indented")]),
        ("a ` ` b", []),
    ],
)
def test_entities(markdown: str, entities: list[tuple[str, str]]) -> None:
    assert sorted(styled(markdown)) == sorted(entities)


def test_a_link_and_a_language_are_told() -> None:
    assert message("🙂 [a](https://ä.example/ö b)").entities == ()
    assert message("🙂 [a](<https://ex.ample/ö b>)").entities == (
        Entity("text_link", 3, 1, url="https://ex.ample/%C3%B6%20b"),
    )
    assert message("```py title=x\na\n```").entities == (Entity("pre", 0, 1, language="py"),)


def test_nothing_to_see_is_no_message() -> None:
    assert render("") == render(" \n\n") == render("\u200b\x00") == []


def test_pictures_stand_where_the_text_has_them() -> None:
    parts = render("a **b ![one](x.png) c** d\n\n- ![](x.png)\n", pictures={"x.png"})
    assert parts == [
        TextPart("a b", (Entity("bold", 2, 1),)),
        PicturePart("x.png", "one"),
        TextPart("c d", (Entity("bold", 0, 1),)),
        PicturePart("x.png", ""),
    ]


def test_pictures_in_links_and_tables_follow_them() -> None:
    linked = render("[![alt](x.png)](https://a.example) b", pictures={"x.png"})
    assert [part if isinstance(part, PicturePart) else part.text for part in linked] == [
        "alt", PicturePart("x.png", "alt"), "b",
    ]  # fmt: skip
    table = render("| a |\n|--|\n| ![alt](x.png) |\n\nb", pictures={"x.png"})
    assert [part if isinstance(part, PicturePart) else part.text for part in table] == [
        "a\n───\nalt", PicturePart("x.png", "alt"), "b",
    ]  # fmt: skip


def test_blocks_fill_a_message_to_the_last_unit() -> None:
    assert texts("aa\n\nbb\n\ncc", limit=10) == ["aa\n\nbb\n\ncc"]
    assert texts("aa\n\nbb\n\ncc", limit=9) == ["aa\n\nbb", "cc"]
    assert texts("🙂🙂\n\nb", limit=7) == ["🙂🙂\n\nb"]
    assert texts("🙂🙂\n\nb", limit=6) == ["🙂🙂", "b"]


def test_entities_are_counted_over_blocks() -> None:
    parts = render("\n\n".join(["`a` `b`"] * 60))
    assert [len(part.entities) for part in parts if isinstance(part, TextPart)] == [100, 20]
    parts = render("`a` " * 250)
    assert [len(part.entities) for part in parts if isinstance(part, TextPart)] == [100, 100, 50]


def test_a_quote_that_is_cut_is_a_quote_in_each_message() -> None:
    parts = render("> " + "word " * 2000)
    assert len(parts) == 3
    assert all(isinstance(part, TextPart) and part.entities[0].type == "blockquote" for part in parts)


@pytest.mark.parametrize(
    ("markdown", "pieces"),
    [
        ("one two three four", ["one two", "three four"]),
        ("One two. Three f", ["One two.", "Three f"]),
        ("onetwo\nthree fo", ["onetwo", "three fo"]),
        ("x" * 25, ["x" * 10, "x" * 10, "x" * 5]),
        ("```\nab\ncdefgh\nij\n```", ["ab\ncdefgh", "ij"]),
        ("🙂" * 7, ["🙂" * 5, "🙂" * 2]),
        ("a" * 9 + "e\u0301x", ["a" * 9, "e\u0301x"]),
        ("aaa" + FAMILY, ["aaa", FAMILY]),
        ("a" * 7 + "👍🏽", ["a" * 7, "👍🏽"]),
        ("a" * 4 + "🇫🇷🇩🇪", ["a" * 4 + "🇫🇷", "🇩🇪"]),
        ("a" * 9 + "1\ufe0f\u20e3", ["a" * 9, "1\ufe0f\u20e3"]),
        ("a" + "\u0301" * 15, ["a" + "\u0301" * 9, "\u0301" * 6]),
    ],
)
def test_cuts(markdown: str, pieces: list[str]) -> None:
    assert texts(markdown, limit=10) == pieces


def test_more_than_the_parser_of_markup_would_take_is_no_matter() -> None:
    long = "wörter, viele wörter " * 9_000
    assert "".join("".join(texts(long)).split()) == "".join(long.split())


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        (
            "> [!note]- Why\n> a\n>\n> b",
            "Why\na\n\nb",
            [(FOLDED, "Why\na\n\nb"), ("bold", "Why")],
        ),
        (
            "> [!reasoning]-\n> a",
            "Reasoning\na",
            [(FOLDED, "Reasoning\na"), ("bold", "Reasoning")],
        ),
        ("> [!note] Why\n> a", "[!note] Why\na", [("blockquote", "[!note] Why\na")]),
        ("> a\n> [!note]- Why", "a\n[!note]- Why", [("blockquote", "a\n[!note]- Why")]),
        ("> [!note]- `x`\n> a", "x\na", [(FOLDED, "x\na"), ("code", "x")]),
    ],
)
def test_a_quotation_that_begins_as_one_to_fold_is_folded(
    markdown: str, text: str, entities: list[tuple[str, str]]
) -> None:
    assert message(markdown).text == text
    assert styled(markdown) == entities


def test_a_folded_quotation_that_is_cut_is_folded_in_each_message() -> None:
    parts = render(folded("Output", block("line\n" * 2000)))
    assert all(isinstance(part, TextPart) and part.entities[0].type == FOLDED for part in parts)
    parts = render("> [!note]- Why\n> " + "word " * 2000)
    assert [part.entities[0].type for part in parts if isinstance(part, TextPart)] == [FOLDED] * 3
