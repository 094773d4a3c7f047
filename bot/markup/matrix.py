"""An answer as Matrix messages: HTML with a plain body, and pictures between."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from bot.markup.blocks import Block, PicturePart, Span, Style, joined
from bot.markup.cutting import pieces
from bot.markup.settle import Terms, settled
from bot.markup.walk import blocks

# Body and HTML together, in bytes of JSON. An event may have 65,536: an edit holds both twice, and encryption
# adds a third (measured on Synapse 1.163: 12.0k of each is what an encrypted edit can hold).
LARGEST_MESSAGE = 24_000
GAP_SIZE = 6  # two newlines in the body and one in the HTML, in JSON

LINKABLE = ("https://", "http://", "mailto:", "magnet:", "ftp://")
URL_SCHEMES = {"http", "https", "mailto", "magnet", "ftp"}

# The tags of the client-server API that our HTML can hold.
TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "pre", "hr", "br", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td", "a", "code", "strong", "em", "u", "s", "del"),
}
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "code": {"class"}}
WRAPS = {
    Style.BOLD: ("<strong>", "</strong>"),
    Style.ITALIC: ("<em>", "</em>"),
    Style.UNDERLINE: ("<u>", "</u>"),
    Style.STRIKE: ("<del>", "</del>"),
    Style.CODE: ("<code>", "</code>"),
}


class Gap(Enum):
    """What stands before a piece of text: a piece of a cut word or code line begins a message of its own."""

    PARAGRAPH = "\n\n"
    LINE = "\n"
    MESSAGE = ""


@dataclass(frozen=True, slots=True)
class TextPart:
    """One message: its `body`, and its `formatted_body` of format `org.matrix.custom.html`."""

    body: str
    html: str

    @property
    def size(self) -> int:
        """Bytes of JSON, which escapes what is not ASCII."""
        return len(json.dumps(self.body)) + len(json.dumps(self.html)) - 4

    def followed_by(self, other: TextPart, gap: Gap) -> TextPart:
        body = self.body + gap.value + other.body
        if gap is Gap.LINE and self.html.endswith("</p>") and other.html.startswith("<p>"):
            return TextPart(body, f"{self.html.removesuffix('</p>')}<br>{other.html.removeprefix('<p>')}")
        return TextPart(body, f"{self.html}\n{other.html}")


Part = TextPart | PicturePart


def render(
    markdown: str, *, pictures: Collection[str] = (), data_note: str = "", limit: int = LARGEST_MESSAGE
) -> list[Part]:
    """The messages that show this text, each of a `size` of at most `limit`, which is 1,000 or more."""
    terms = Terms(lambda url: url.lower().startswith(LINKABLE), pictures, data_note)
    parts: list[Part] = []
    size = 0
    for part, gap in _fitting(_top_level(settled(markdown, terms)), limit):
        last = parts[-1] if parts and gap is not Gap.MESSAGE else None
        more = part.size + GAP_SIZE if isinstance(part, TextPart) else 0
        if isinstance(part, TextPart) and isinstance(last, TextPart) and size + more <= limit:
            parts[-1] = last.followed_by(part, gap)
            size += more
        else:
            parts.append(part)
            size = more
    return parts


def _top_level(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens of one block after the other."""
    start = 0
    for place, token in enumerate(tokens, start=1):
        if token.level == 0 and token.nesting <= 0:
            yield tokens[start:place]
            start = place


def _fitting(groups: Iterable[Sequence[Token]], limit: int) -> Iterator[tuple[Part, Gap]]:
    """Each block in full HTML; one that is too big for a message, or holds pictures, in the plainer form."""
    for group in groups:
        items = blocks(group)
        texts = [item for item in items if isinstance(item, Block)]
        whole = TextPart(joined(texts).text, _html(group)) if len(texts) == len(items) else None
        if whole and whole.size <= limit:
            yield from [(whole, Gap.PARAGRAPH)] if texts else []
        else:
            for item in items:
                yield from _plainer(item, limit)


def _plainer(item: Block | PicturePart, limit: int) -> Iterator[tuple[Part, Gap]]:
    if isinstance(item, PicturePart):
        yield item, Gap.MESSAGE
        return
    # An address that alone could fill a message, `&` written as five signs, would leave nothing to cut.
    item = replace(item, spans=tuple(span for span in item.spans if len(span.value) * 6 < limit))
    part = TextPart(item.text, _block_html(item))
    gap = Gap.LINE if item.tight else Gap.PARAGRAPH
    if part.size <= limit:
        yield part, gap
        return
    share = limit / part.size * 0.9  # signs differ in size, so a piece may need another cut
    units, spans = int(len(item.text) * share), int(len(item.spans) * share)
    for piece in pieces(item, units=max(1, units), spans=spans + 1):
        for smaller, _ in _plainer(piece, limit):
            yield smaller, gap
            gap = Gap.MESSAGE


def _html(tokens: Sequence[Token]) -> str:
    return _safe(RendererHTML().render(tokens, OPTIONS, {}).rstrip("\n"))


def _safe(html: str) -> str:
    """Only what Matrix allows: with raw HTML never parsed, this is the second lock."""
    import nh3

    return nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=URL_SCHEMES, link_rel=None)


def _block_html(block: Block) -> str:
    code = next((span for span in block.spans if span.style is Style.PRE), None)
    if code:
        language = f' class="language-{escape(code.value)}"' if code.value else ""
        html = f"<pre><code{language}>{escape(block.text)}\n</code></pre>"
    else:
        html = f"<p>{''.join(_stretch_html(text, spans) for text, spans in block.segments())}</p>"
    return _safe(f"<blockquote>\n{html}\n</blockquote>" if block.quote else html)


def _stretch_html(text: str, spans: Iterable[Span]) -> str:
    html = escape(text, quote=False).replace("\n", "<br>")
    for span in sorted(spans, key=lambda span: span.style.value, reverse=True):
        before, after = WRAPS.get(span.style) or (f'<a href="{escape(span.value)}">', "</a>")
        html = f"{before}{html}{after}"
    return html


OPTIONS = OptionsDict(
    {
        "maxNesting": 20,
        "html": False,
        "linkify": False,
        "typographer": False,
        "quotes": "",
        "xhtmlOut": False,
        "breaks": True,  # a line of an answer is a line in every chat
        "langPrefix": "language-",
        "highlight": None,
    }
)
