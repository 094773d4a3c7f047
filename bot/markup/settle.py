"""Tokens whose links, images, maths and check boxes are put in terms that every chat has."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from markdown_it.common.normalize_url import normalizeLink
from markdown_it.token import Token

from core.answers.markdown import alt, clean, parse, plain, source

LONGEST_LINK = 2048
WEB = re.compile(r"https?://", re.IGNORECASE)
DATA = re.compile(r"\s*data:", re.IGNORECASE)
CALLOUT = re.compile(r"\[!(?P<kind>\w{1,40})\]-[ \t]*")
FOLDED = "folded"
"""In the `meta` of a quotation's token: it is `> [!kind]- title`, as Obsidian writes what is to be folded."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a chat can do with links and images.

    `linkable` says whether a URL can stand behind words, `pictures` are the sources that are posted as
    pictures, and `data_note` is the word for a `data:` URL, which is never shown.
    """

    linkable: Callable[[str], bool]
    pictures: Collection[str]
    data_note: str


def settled(markdown: str, terms: Terms) -> list[Token]:
    """The text's tokens; inline, only text, breaks, code, emphasis, links and placed images are left."""
    tokens = parse(markdown)
    for token in tokens:
        if token.type == "math_block":
            token.type, token.tag, token.info = "fence", "code", "latex"
            token.content = token.content.strip("\n")
        elif token.children:
            token.children = list(_inline(token.children, terms))
    for place, token in enumerate(tokens):
        if token.type == "blockquote_open":
            _fold(token, tokens[place + 1 : place + 3])
    return tokens


def _fold(quote: Token, first: Sequence[Token]) -> None:
    """A quotation that begins with `[!kind]- title` is one to fold; the title, else the kind, is its bold
    first line."""
    head = next((token for token in first if token.type == "inline" and token.children), None)
    children = (head and head.children) or [Token("", "", 0)]
    found = CALLOUT.match(children[0].content)
    if head and found and children[0].type == "text":
        quote.meta[FOLDED] = True
        head.children = list(_titled(found, children))


def _titled(found: re.Match[str], children: Sequence[Token]) -> Iterator[Token]:
    breaks = (at for at, token in enumerate(children) if token.type.endswith("break"))
    line = next(breaks, len(children))
    title = found.string[found.end() :] or ("" if line > 1 else found["kind"].capitalize())
    yield Token("strong_open", "strong", 1)
    yield from [_text(title), *children[1:line]]
    yield Token("strong_close", "strong", -1)
    yield from children[line:]


def _inline(children: list[Token], terms: Terms) -> Iterator[Token]:
    """Links are collected whole, since what becomes of one depends on its words."""
    link: list[Token] = []
    for child in children:
        if link:
            link.append(child)
            if child.type == "link_close":
                yield from _link(link, terms)
                link = []
        elif child.type == "link_open":
            link = [child]
        else:
            yield from _settled(child, terms)


def _settled(token: Token, terms: Terms) -> Iterator[Token]:
    match token.type:
        case "image" if source(token) in terms.pictures:
            yield token
        case "image":
            yield from _linked(source(token), [_text(alt(token))], terms)
        case "math_inline" | "math_inline_double":
            yield Token("code_inline", "code", 0, content=plain([token]), markup="`")
        case "text":
            yield _text(token.content)
        case "html_inline":
            yield _text("☑" if "checked=" in token.content else "☐")
        case _:
            yield token


def _link(link: list[Token], terms: Terms) -> Iterator[Token]:
    """A placed image inside a link stands behind it, and leaves its alt as the link's words."""
    opened, *inside, _ = link
    images = [token for token in inside if token.type == "image"]
    words = [settled for token in inside for settled in _words_in_link(token, terms)]
    yield from _linked(str(opened.attrs["href"]), words, terms)
    yield from (image for image in images if source(image) in terms.pictures)


def _words_in_link(token: Token, terms: Terms) -> Iterator[Token]:
    if token.type != "image":
        yield from _settled(token, terms)
    elif WEB.match(source(token)) or source(token) in terms.pictures:
        yield _text(alt(token))
    else:
        yield _text(_beside(alt(token), source(token), terms))


def _linked(url: str, words: list[Token], terms: Terms) -> Iterator[Token]:
    """The words as a link, or with the target behind them: a path is information, where it is no link."""
    shown = plain(words).strip()
    target = normalizeLink(url)
    if terms.linkable(target) and len(target) <= LONGEST_LINK:
        yield Token("link_open", "a", 1, attrs={"href": target})
        yield from words if shown else [_text(url)]
        yield Token("link_close", "a", -1)
    else:
        yield from words
        yield _text(_beside(shown, url, terms).removeprefix(shown))


def _beside(words: str, url: str, terms: Terms) -> str:
    """The words, then the target in brackets unless they name it already."""
    target = terms.data_note if DATA.match(url) else url.removeprefix("mailto:")
    if not words:
        return target
    return words if target in words else f"{words} ({target})"


def _text(content: str) -> Token:
    """Words for a chat: what was written as `&#12;` is a control character too."""
    return Token("text", "", 0, content=clean(content))
