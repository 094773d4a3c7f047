"""Tokens of a Markdown text that hold all of it, or none: a reader is to see every sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from core.answers.parser import DEEPEST
from core.answers.signs import visible

SEEN = ("hr", "list_item_open")
"""Tokens that are something to see by themselves."""


def read_whole(parser: MarkdownIt, text: str) -> list[Token] | None:
    """The text's tokens; None where they would lose some of it. A definition that no link goes to would
    vanish, so it is read as words."""
    env: EnvType = {}
    tokens = parser.parse(text, env)
    if idle := set(_idle(tokens, env)):
        lines = text.split("\n")
        text = "\n".join(_as_words(line) if at in idle else line for at, line in enumerate(lines))
        tokens = parser.parse(text)
    if _too_deep(tokens) or (not _seen(tokens) and visible(text)):
        return None
    return tokens


def as_written(text: str) -> list[Token]:
    """One paragraph of the text, line by line."""
    lines = [Token("text", "", 0, content=line) for line in text.split("\n")]
    children = [part for line in lines for part in (Token("softbreak", "br", 0), line)][1:]
    inline = Token("inline", "", 0, content=text, children=children, level=1)
    return [Token("paragraph_open", "p", 1), inline, Token("paragraph_close", "p", -1)]


def _idle(tokens: Sequence[Token], env: EnvType) -> Iterator[int]:
    """The lines on which definitions begin whose address no link and no image has."""
    defined = [*env.get("references", {}).values(), *env.get("duplicate_refs", ())]
    used = set(_addresses(tokens)) if defined else ()
    return (one["map"][0] for one in defined if one["href"] not in used)


def _addresses(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        yield from (str(token.attrs[name]) for name in ("href", "src") if name in token.attrs)
        yield from _addresses(token.children or ())


def _as_words(definition: str) -> str:
    return definition.replace("[", "\\[", 1)


def _too_deep(tokens: Sequence[Token]) -> bool:
    """Whether the library may have left something out."""
    return any(token.nesting == 1 and token.level >= DEEPEST - 2 for token in tokens)


def _seen(tokens: Sequence[Token]) -> bool:
    return any(token.type in SEEN or _shows(token) for token in tokens)


def _shows(token: Token) -> bool:
    """Of a picture its words are seen, or else where it is."""
    if token.type == "image":
        return _seen(token.children or ()) or visible(str(token.attrs["src"]))
    if token.children is not None:
        return _seen(token.children)
    return token.type == "link_open" or visible(token.content)
