"""Which images an answer asks for, and which words it has."""

from __future__ import annotations

import base64

import pytest

from core.answers.markdown import ImageLink, images, parse, parse_inline, plain


@pytest.mark.parametrize(
    ("markdown", "src"),
    [
        ("![a](output/x.png)", "output/x.png"),
        ("![a](<output/a b.png>)", "output/a b.png"),
        ("![a](output/a b.png)", "output/a b.png"),
        ('![a]( output/a b (1).png "a title" )', "output/a b (1).png"),
        ("![a](/srv/my shop/a.png 'title')", "/srv/my shop/a.png"),
        ("![a](output/a%20b.png)", "output/a%20b.png"),
        (r"![a](c%20\(1\).png)", "c%20(1).png"),
        ("![a](grün.png?v=2#f)", "grün.png?v=2#f"),
        ("![a](file:///srv/a%20b.png)", "file:///srv/a%20b.png"),
        ("![a](data:text/html;base64,PGgxPg==)", "data:text/html;base64,PGgxPg=="),
        ("![a][ref]\n\n[ref]: x.png", "x.png"),
        ("**[![a](x.png)](https://a.example)**", "x.png"),
        ("- > | t |\n  > |---|\n  > | ![a](x.png) |", "x.png"),
    ],
)
def test_an_image_is_found_as_it_is_written(markdown: str, src: str) -> None:
    assert images(markdown) == [ImageLink("a", src)]


@pytest.mark.parametrize(
    "markdown",
    [
        *(
            "`![a](x.png)`",
            "```\n![a](x y.png)\n```",
            "    ![a](x.png)",
            r"\![a](x y.png)",
            r"!\[a](x y.png)",
        ),
        *(
            "![a](x\ny z.png)",
            "![a](x y.png",
            "![a] (x y.png)",
            "![a]()x y",
            "[a](x y.png)",
            "![a](x (y.png)",
        ),
    ],
)
def test_no_image(markdown: str) -> None:
    assert [image for image in images(markdown) if image.src] == []


def test_images_in_order_with_their_words() -> None:
    assert images("![*one* `1`](a b.png) and ![](2.png)\n\n> ![three\n3](3.png)") == [
        ImageLink("one 1", "a b.png"),
        ImageLink("", "2.png"),
        ImageLink("three 3", "3.png"),
    ]


def test_large_data_urls_and_hostile_text_take_no_time() -> None:
    """Each of these takes minutes if any rule looks twice at every sign."""
    url = "data:image/png;base64," + base64.b64encode(bytes(3_000_000)).decode()
    assert images(f"a ![b]({url}) c") == [ImageLink("b", url)]
    for hostile in (
        "![a](" + " " * 100_000,
        "![a](" * 9_000,
        "![a](x" * 9_000,
        "![a](" + "\\" * 50_000,
        "`" * 99_000,
    ):
        assert images(hostile) == []


@pytest.mark.parametrize("deep", [21, 90])
def test_what_lies_within_many_quotes_is_found(deep: int) -> None:
    assert images("> " * deep + "![a](x.png)") == [ImageLink("a", "x.png")]


def test_control_characters_are_gone_and_surrogates_replaced() -> None:
    (paragraph,) = (token for token in parse("a\x00b\x1b\x85 \ud83dc\rd\te\u202e") if token.type == "inline")
    assert paragraph.content == "ab \ufffdc\nd\te\u202e"


def test_plain_words() -> None:
    (line,) = parse_inline("**a** `b` [c](https://x.example) $d$ <e>\n1. ![f](g.png)")
    assert plain(line.children or []) == "a b c $d$ <e>\n1. f"
