"""Our Markdown on a terminal, or as plain text where there is none."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType

import click

PLAIN = re.compile(r"(?:[^\W_]|[ .,:;…’()/%·-])*")
"""What looks the same drawn."""
NONE: Mapping[str, str] = MappingProxyType({})
NO_LIMIT = 1_000_000
"""Columns of a file or a pipe."""


def say(markdown: str) -> None:
    """A sentence for the person, on stderr; where nobody can be told, the work goes on."""
    if markdown:
        with suppress(OSError):
            click.echo(drawn(markdown, terminal=sys.stderr.isatty()), err=True)


def put(markdown: str) -> None:
    """What was asked for, on stdout."""
    click.echo(drawn(markdown, terminal=sys.stdout.isatty()))


def drawn(markdown: str, *, terminal: bool, pictures: Mapping[str, str] = NONE) -> str:
    """*markdown* as a *terminal* shows it, else as plain text; a picture in *pictures* (src → path) is its
    path."""
    if PLAIN.fullmatch(markdown):
        return markdown
    # The parser is heavy, and many a command never draws a thing.
    from bot.markup.terminal import TextPart, render

    width = shutil.get_terminal_size().columns if terminal else NO_LIMIT
    parts = render(markdown, width=width, pictures=pictures, colour=terminal)
    return "\n\n".join(part.text if isinstance(part, TextPart) else pictures[part.src] for part in parts)
