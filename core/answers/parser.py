"""How Markdown is read: CommonMark, and what agents write besides."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

# The bounds keep the search linear, however odd the text is.
SPACED_SOURCE = re.compile(
    r"\([ \t]{0,9}"
    r"(?P<src>(?:[^()\n\\]|\\.|\((?:[^()\n\\]|\\.){0,200}\)){1,1000}?)"
    r"""(?:[ \t]{1,9}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'))?"""
    r"[ \t]{0,9}\)"
)
DATA_SOURCE = re.compile(r"\((?P<src>data:[^\s()<>\\]*)\)", re.IGNORECASE)


DEEPEST = 100
"""Levels of quotes and lists; what lies deeper is left out by the library."""


class _Parser(MarkdownIt):
    """Links come out as written: paths are looked up on disk, and each chat judges links itself."""

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


def parser() -> MarkdownIt:
    """CommonMark without HTML, with tables, task lists, formulas, and images as agents write them."""
    made = _Parser("commonmark", {"html": False, "maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    made.use(tasklists_plugin)
    # Prices are no maths: a dollar sign counts only tight around something, and not before a digit.
    made.use(dollarmath_plugin, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True)
    made.inline.ruler.before("image", "data_image", _image_rule(DATA_SOURCE))
    made.inline.ruler.after("image", "spaced_image", _image_rule(SPACED_SOURCE))
    return made


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
