"""Generated Markdown documents, and what a reader must find of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from hypothesis import strategies as st
from markdown_it.token import Token

from core.answers.markdown import parse

WORDS = (
    *("word", "end.", "List<String>", "<b>html</b>", "a_b_c", "&amp;", "&#12;", "$5", "$e=mc^2$", "x" * 70),
    *(
        "**bold**",
        "*it*",
        "***both***",
        "~~gone~~",
        "`code`",
        "``co`de``",
        "**b `c` d**",
        "[`x`](https://a.b)",
    ),
    *(
        "[link](https://a.example/p?q=1)",
        "[rel](src/a_b.py)",
        "[local](http://localhost:1)",
        "<https://c.example>",
    ),
    *("![pic](a b.png)", "![](o.png)", "![w](http://x.example/a_b.png)", "![d](data:image/png;base64,AAAA)"),
    *("\\*", "*", "**", "_", "`", "```", "[", "](", "![", "!", "|", "\t", "\n", "\n", "\n", "  \n"),
    *(
        "שלום",
        "\u202egnp",
        "漢字",
        "e\u0301",
        "\U0001f44d\U0001f3fd",
        "\U0001f1eb\U0001f1f7" * 3,
        "1\ufe0f\u20e3",
    ),
    *("\U0001f469\u200d\U0001f4bb" * 30, "e\u0301" * 40, "\x00", "\x1b[31m", "\ud800"),
)
FRAMES = (
    *("{}", "{}", "{}", "# {}", "### {}", "{}\n===", "***", "   {}", "    {}", "<div>\n{}\n</div>"),
    *("> {}", ">> {}", "- {}", "  - {}", "- [ ] {}", "- [x] {}", "1. {}", "7) {}", "- - {}", "-"),
    *("```py\n{}\n```", "````md title=x\n```\n{}\n```\n````", "~~~\n\n{}\n~~~", "```\n{}"),
    *("- ```\n  {}\n  ```", "> ```sh\n> {}\n> ```", "$$\n{}\n$$", "| a | b |\n|--:|:-:|\n| {} | y |"),
    "[ref]: https://r.example\n[ref] {}",
)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Blocks of every kind, some very long, with every kind of words and stray markup in them."""
    frames = draw(st.lists(st.sampled_from(FRAMES), min_size=1, max_size=10))
    return "\n".join(
        frame.replace("{}", _filling(draw)) + draw(st.sampled_from(("", "\n"))) for frame in frames
    )


def _filling(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
    return (draw(st.sampled_from((" ", "", " "))).join(words) + " ") * draw(
        st.sampled_from((1, 1, 1, 1, 2, 60))
    )


def prefixes(document: str, count: int = 20) -> list[str]:
    """The document as it grows, the last one whole."""
    return [document[: len(document) * part // count] for part in range(1, count + 1)]


def visible(text: str) -> str:
    """The signs of a text that leave ink."""
    if text.isascii():
        return "".join(text.split()).translate(CONTROLS)
    return "".join(sign for sign in text if unicodedata.category(sign)[0] not in "ZC")


CONTROLS = dict.fromkeys([*range(32), 127])


def ink(markdown: str) -> str:
    """All that must be seen of a text, in order."""
    return visible("".join(text for text, _ in _seen(parse(markdown))))


def code(markdown: str) -> list[str]:
    """What must be shown as code, in order, each without its blanks."""
    return [squeezed for text, is_code in _seen(parse(markdown)) if is_code and (squeezed := visible(text))]


def _seen(tokens: Iterable[Token]) -> Iterator[tuple[str, bool]]:
    for token in tokens:
        if token.type in ("fence", "code_block", "math_block"):
            yield token.content, True
        elif token.type == "inline":
            yield from _seen_inline(token.children or [])


def _seen_inline(children: list[Token]) -> Iterator[tuple[str, bool]]:
    """Code inside a link is a link: a chat can show only one of the two."""
    linked = False
    for token in children:
        if token.type in ("link_open", "link_close"):
            linked = token.nesting == 1
        elif token.type == "image":
            yield "".join(text for text, _ in _seen_inline(token.children or [])), False
        elif token.type.startswith("math"):
            yield token.markup + token.content + token.markup, not linked
        elif token.type != "html_inline":
            yield token.content, token.type == "code_inline" and not linked


def begins_inside_a_sign(text: str) -> bool:
    """Whether a text starts with what belongs to a sign before it: an accent, a skin tone, a joiner."""
    return unicodedata.category(text[0])[0] == "M" or text[0] in "\u200d\U0001f3fd"


def in_order(needle: str, hay: str) -> bool:
    """Whether all signs of one text are in the other, in this order."""
    if needle in hay:
        return True
    rest = iter(hay)
    return all(sign in rest for sign in needle)
