"""The one Markdown parser: an answer's text in, tokens out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ImageLink:
    """An image that an answer asks for: its alt as plain text, its source as written, escapes undone."""

    alt: str
    src: str


def parse(markdown: str) -> list[Token]:
    """The block tokens of a text. Control characters are left out; raw HTML stays text. Where Markdown would
    leave nothing to see, or drop what lies too deep, the text stands as it was written."""
    from core.answers.whole import as_written, read_whole

    text = clean(markdown.replace("\r\n", "\n").replace("\r", "\n"))
    tokens = read_whole(_parser(), text)
    return as_written(text) if tokens is None else tokens


def parse_inline(markdown: str) -> list[Token]:
    """The tokens of a text that is one line of words: no headings, lists or fences."""
    return _parser().parseInline(clean(markdown))


def clean(text: str) -> str:
    """The text without control characters; a lone surrogate, which no chat can be sent, is replaced."""
    return SURROGATES.sub("\ufffd", CONTROLS.sub("", text))


def images(markdown: str) -> list[ImageLink]:
    """The images that a text asks for, in order, none of them from code."""
    if "![" not in markdown:
        return []
    inline = (child for token in parse(markdown) for child in token.children or ())
    return [ImageLink(alt(token), source(token)) for token in inline if token.type == "image"]


def links(markdown: str) -> list[str]:
    """Where the links of a text lead, as written, in order, each once; what is no web address or the like may
    be a file."""
    if "](" not in markdown:
        return []
    inline = (child for token in parse(markdown) for child in token.children or ())
    return list(dict.fromkeys(str(token.attrs["href"]) for token in inline if token.type == "link_open"))


def source(image: Token) -> str:
    return str(image.attrs["src"])


def alt(image: Token) -> str:
    """An image's description in one line."""
    return " ".join(clean(plain(image.children or ())).split())


def plain(inline: Iterable[Token]) -> str:
    """The words of inline tokens without their markup."""
    return "".join(_words(inline))


def _words(inline: Iterable[Token]) -> Iterator[str]:
    for token in inline:
        match token.type:
            case "softbreak" | "hardbreak":
                yield "\n"
            case "image":
                yield alt(token)
            case "math_inline" | "math_inline_double":
                yield token.markup + token.content + token.markup
            case _:
                yield token.content


@cache
def _parser() -> MarkdownIt:
    # The library is heavy, and many a program never reads a Markdown text.
    from core.answers.parser import parser

    return parser()
