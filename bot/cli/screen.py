"""Our Markdown on a terminal, or as plain text where there is none."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from typing import TextIO

import click

PLAIN = re.compile(r"[\w .,:;…’()/%·-]*")
"""What looks the same drawn."""
NO_LIMIT = 1_000_000
"""Columns of a file or a pipe."""


def say(markdown: str) -> None:
    """A sentence for the person, on stderr."""
    if markdown:
        click.echo(drawn(markdown, sys.stderr), err=True)


def put(markdown: str) -> None:
    """What was asked for, on stdout."""
    click.echo(drawn(markdown, sys.stdout))


def drawn(markdown: str, stream: TextIO, pictures: Mapping[str, str] | None = None) -> str:
    """*markdown* as *stream* can show it; a picture in *pictures* (src → path) is its path."""
    if PLAIN.fullmatch(markdown):
        return markdown
    # The parser is heavy, and many a command never draws a thing.
    from bot.markup.terminal import TextPart, render

    pictures = pictures or {}
    terminal = stream.isatty()
    width = shutil.get_terminal_size().columns if terminal else NO_LIMIT
    parts = render(markdown, width=width, pictures=pictures, colour=terminal)
    return "\n\n".join(part.text if isinstance(part, TextPart) else pictures[part.src] for part in parts)
