"""An answer as the HTML of one message that has headings and tables."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from markdown_it.renderer import RendererHTML

from bot.markup.matrix import OPTIONS
from bot.markup.settle import Terms, settled


def html(markdown: str, *, linkable: Callable[[str], bool], data_note: str) -> str:
    """What looks like a tag in it is words there, too."""
    tokens = settled(markdown, Terms(linkable, (), data_note))
    return RendererHTML().render(tokens, OPTIONS, {}).strip()


def paragraph(words: str) -> str:
    return f"<p>{escape(words, quote=False)}</p>\n"
