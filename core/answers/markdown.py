"""The one Markdown parser: an answer's text in, tokens out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SURROGATES = re.compile(r"[\ud800-\udfff]")

# The bounds keep the search linear, however odd the text is.
SPACED_SOURCE = re.compile(
    r"\([ \t]{0,9}"
    r"(?P<src>(?:[^()\n\\]|\\.|\((?:[^()\n\\]|\\.){0,200}\)){1,1000}?)"
    r"""(?:[ \t]{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?"""
    r"[ \t]{0,9}\)"
)
DATA_SOURCE = re.compile(r"\((?P<src>data:[^\s()<>\\]*)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ImageLink:
    """An image that an answer asks for: its alt as plain text, its source as written, escapes undone."""

    alt: str
    src: str


def parse(markdown: str) -> list[Token]:
    """The block tokens of a text. Control characters are left out; raw HTML stays text."""
    return _parser().parse(clean(markdown.replace("\r\n", "\n").replace("\r", "\n")))


def parse_inline(markdown: str) -> list[Token]:
    """The tokens of a text that is one line of words: no headings, lists or fences."""
    return _parser().parseInline(clean(markdown))


def clean(text: str) -> str:
    """The text without control characters; a lone surrogate, which no chat can be sent, is replaced."""
    return SURROGATES.sub("\ufffd", CONTROLS.sub("", text))


def images(markdown: str) -> list[ImageLink]:
    """The images that a text asks for, in order, none of them from code."""
    inline = (child for token in parse(markdown) for child in token.children or ())
    return [ImageLink(alt(token), source(token)) for token in inline if token.type == "image"]


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


class _Parser(MarkdownIt):
    """Links come out as written: paths are looked up on disk, and each chat judges links itself."""

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.use(tasklists_plugin)
    # Prices are no maths: a dollar sign counts only tight around something, and not before a digit.
    parser.use(
        dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True
    )
    parser.inline.ruler.before("image", "data_image", _image_rule(DATA_SOURCE))
    parser.inline.ruler.after("image", "spaced_image", _image_rule(SPACED_SOURCE))
    return parser


def _image_rule(pattern: re.Pattern[str]) -> Callable[[StateInline, bool], bool]:
    """A rule for `![alt]` before a source of this form.

    Two forms need one: paths with bare spaces, which agents write and CommonMark leaves as text, and
    `data:` URLs, whose hundreds of kilobytes the library would read sign by sign.
    """

    def rule(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith("![", state.pos):
            return False
        end = state.md.helpers.parseLinkLabel(state, state.pos + 1, False)
        found = pattern.match(state.src, end + 1, state.posMax) if end >= 0 else None
        if not found:
            return False
        if not silent:
            token = state.push("image", "img", 0)
            token.attrs = {"src": unescapeAll(found["src"]), "alt": ""}
            token.content = state.src[state.pos + 2 : end]
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        state.pos = found.end()
        return True

    return rule
