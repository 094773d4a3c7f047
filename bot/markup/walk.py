"""Settled tokens in, blocks out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from bot.markup.blocks import Block, PicturePart, Span, Style
from bot.markup.settle import FOLDED
from bot.markup.tables import Table
from core.answers.markdown import alt, source
from core.answers.title import plain_label

BULLET = "• "
INDENT = "   "
RULE = "———"
WIDEST_TABLE = 60
"""A phone shows some 40 columns upright and 60 on its side, and scrolls no text. Text can be copied and found
again, so a table is shown as something else only where no way to hold a phone puts it straight."""
CHECK_BOXES = ("☐", "☑")
LANGUAGE = re.compile(r"[\w+#.-]*")
FILE_NAME = re.compile(r"""\b(?:title|file|filename|name)=(?:"([^"]*)"|'([^']*)'|(\S+))""")


def blocks(tokens: Iterable[Token], *, widest_table: int = WIDEST_TABLE) -> list[Block | PicturePart]:
    """The blocks of settled tokens, in order; what has nothing to see is left out.

    A table that needs more columns than `widest_table` is not aligned.
    """
    walk = _Walk(widest_table)
    for token in tokens:
        step = STEPS.get(token.type)
        if step:
            step(walk, token)
    return [item for item in walk.items if isinstance(item, PicturePart) or item.visible]


@dataclass(slots=True)
class _List:
    """A list that is open: the number of its next item, none for bullets."""

    number: int | None

    def marker(self, sign: str) -> str:
        if self.number is None:
            return BULLET
        self.number += 1
        return f"{self.number - 1}{sign} "


@dataclass(slots=True)
class _Walk:
    """What is open while the tokens go by."""

    widest_table: int
    items: list[Block | PicturePart] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    marker: str = ""  # of a list item that has no text yet
    quotes: int = 0
    quote_depth: int = 0
    folded: bool = False
    table: Table | None = None
    beneath_table: list[PicturePart] = field(default_factory=list)
    heading: tuple[Style, ...] = ()
    texts: list[str] = field(default_factory=list)
    size: int = 0  # of the texts together, in code points
    bare: bool = True  # nothing but a marker so far
    spans: list[Span] = field(default_factory=list)
    open: list[Span] = field(default_factory=list)  # spans that have no end yet
    tight: bool = False

    def start(self, prefix: str, *, tight: bool) -> None:
        self.texts, self.size, self.bare, self.tight = [prefix], len(prefix), True, tight

    def add(self, text: str, *styles: Style) -> None:
        added = text if self.size else text.lstrip()
        self.spans += (Span(self.size, self.size + len(added), style) for style in styles)
        self.texts.append(added)
        self.size += len(added)
        self.bare = False

    def begin(self, style: Style, value: str = "") -> None:
        self.open.append(Span(self.size, 0, style, value))

    def finish(self) -> None:
        self.spans.append(replace(self.open.pop(), end=self.size))

    def emit(self) -> None:
        """Closes the block; spans that are still open go on in the next one."""
        text = "" if self.bare else "".join(self.texts).rstrip()
        spans = [*self.spans, *(replace(span, end=len(text)) for span in self.open)]
        self.put(text, (replace(span, end=min(span.end, len(text))) for span in spans), tight=self.tight)
        self.spans, self.open = [], [replace(span, start=0) for span in self.open]
        self.start("", tight=False)

    def put(
        self,
        text: str,
        spans: Iterable[Span],
        *,
        tight: bool = False,
        name: str = "",
        table: Table | None = None,
    ) -> None:
        ordered = sorted((s for s in spans if s.end > s.start), key=lambda span: (span.start, -span.end))
        quote = self.quotes if self.quote_depth else 0
        folded = self.folded and bool(quote)
        self.items.append(Block(text, tuple(ordered), tight, quote, folded, name, table))

    def put_code(self, text: str, language: str = "", *, name: str = "", table: Table | None = None) -> None:
        self.put_marker()
        self.put(text, [Span(0, len(text), Style.PRE, language)], name=name, table=table)

    def put_marker(self) -> None:
        """A list item's marker alone, where no words of its own follow it."""
        if self.marker:
            self.put(self.marker.rstrip(), (), tight=True)
            self.marker = ""

    def indent(self) -> str:
        return INDENT * (len(self.lists) - 1)


def _open_list(walk: _Walk, token: Token) -> None:
    walk.put_marker()
    ordered = token.type == "ordered_list_open"
    walk.lists.append(_List(int(token.attrs.get("start", 1)) if ordered else None))


def _open_item(walk: _Walk, token: Token) -> None:
    walk.put_marker()
    walk.marker = walk.indent() + walk.lists[-1].marker(token.markup)


def _open_quote(walk: _Walk, token: Token) -> None:
    walk.put_marker()
    if not walk.quote_depth:
        walk.quotes += 1
        walk.folded = bool(token.meta.get(FOLDED))
    walk.quote_depth += 1


def _close_quote(walk: _Walk, token: Token) -> None:
    walk.quote_depth -= 1


def _close_list(walk: _Walk, token: Token) -> None:
    walk.lists.pop()


def _open_heading(walk: _Walk, token: Token) -> None:
    walk.heading = (Style.BOLD, Style.UNDERLINE) if token.tag == "h1" else (Style.BOLD,)


def _close_heading(walk: _Walk, token: Token) -> None:
    walk.heading = ()


def _code(walk: _Walk, token: Token) -> None:
    language, name = LANGUAGE.match(token.info.strip()), FILE_NAME.search(token.info)
    walk.put_code(
        token.content.rstrip(),
        language[0] if language else "",
        name=plain_label(next(filter(None, name.groups()), "")) if name else "",
    )


def _rule(walk: _Walk, token: Token) -> None:
    walk.put_marker()
    walk.put(RULE, ())


def _open_table(walk: _Walk, token: Token) -> None:
    walk.table = Table()


def _open_row(walk: _Walk, token: Token) -> None:
    if walk.table:
        walk.table.rows.append([])


def _open_cell(walk: _Walk, token: Token) -> None:
    if walk.table and len(walk.table.rows) == 1:
        walk.table.alignments.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))


def _close_table(walk: _Walk, token: Token) -> None:
    if walk.table:
        walk.put_code(walk.table.text(walk.widest_table), table=walk.table)
    walk.items += walk.beneath_table
    walk.table, walk.beneath_table = None, []


def _inline(walk: _Walk, token: Token) -> None:
    children = token.children or []
    if walk.table:
        walk.table.rows[-1].append(" ".join("".join(_cell(children)).split()))
        walk.beneath_table += (PicturePart(source(t), alt(t)) for t in children if t.type == "image")
        return
    if not children:  # a heading without words leaves the marker of its list item to what follows
        return
    walk.start(_prefix(walk, children), tight=bool(walk.marker))
    walk.marker = ""
    for style in walk.heading:
        walk.begin(style)
    for child in children:
        INLINE[child.type](walk, child)
    for _ in walk.heading:
        walk.finish()
    walk.emit()


def _prefix(walk: _Walk, children: list[Token]) -> str:
    """What stands before an item's words; a check box takes the place of a bullet."""
    if not walk.marker:
        return walk.indent() + INDENT if walk.lists else ""
    checked = children and children[0].content in CHECK_BOXES
    return walk.marker.removesuffix(BULLET) if checked else walk.marker


def _cell(children: list[Token]) -> Iterator[str]:
    """A cell's words, where no link can stand behind them, so that its target follows."""
    url = ""
    for token in children:
        if token.type == "link_open":
            url = str(token.attrs["href"])
        elif token.type == "link_close" and url:
            yield f" ({url})"
        elif token.type == "image":
            yield alt(token)
        else:
            yield " " if token.type.endswith("break") else token.content
        url = "" if token.content == url else url


def _picture(walk: _Walk, token: Token) -> None:
    walk.emit()
    walk.items.append(PicturePart(source(token), alt(token)))


Step = Callable[[_Walk, Token], None]

INLINE: dict[str, Step] = {
    "text": lambda walk, token: walk.add(token.content),
    "softbreak": lambda walk, token: walk.add("\n"),
    "hardbreak": lambda walk, token: walk.add("\n"),
    "code_inline": lambda walk, token: walk.add(token.content, Style.CODE),
    "strong_open": lambda walk, token: walk.begin(Style.BOLD),
    "em_open": lambda walk, token: walk.begin(Style.ITALIC),
    "s_open": lambda walk, token: walk.begin(Style.STRIKE),
    "link_open": lambda walk, token: walk.begin(Style.LINK, str(token.attrs["href"])),
    "strong_close": lambda walk, token: walk.finish(),
    "em_close": lambda walk, token: walk.finish(),
    "s_close": lambda walk, token: walk.finish(),
    "link_close": lambda walk, token: walk.finish(),
    "image": _picture,
}
STEPS: dict[str, Step] = {
    "bullet_list_open": _open_list,
    "ordered_list_open": _open_list,
    "bullet_list_close": _close_list,
    "ordered_list_close": _close_list,
    "list_item_open": _open_item,
    "list_item_close": lambda walk, token: walk.put_marker(),
    "blockquote_open": _open_quote,
    "blockquote_close": _close_quote,
    "heading_open": _open_heading,
    "heading_close": _close_heading,
    "fence": _code,
    "code_block": _code,
    "hr": _rule,
    "table_open": _open_table,
    "tr_open": _open_row,
    "th_open": _open_cell,
    "td_open": _open_cell,
    "table_close": _close_table,
    "inline": _inline,
}
