"""A message of ours as lines for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.chat import Button, Outgoing, Text
from bot.markup.terminal import TextPart, filled, render
from bot.replies.marks import one_line
from bot.terminal.choosing import choices
from bot.terminal.pixels import Colours, picture
from core.model.answer import Placed

ENDLESS = 1_000_000
"""Columns where lines are not to be broken: whoever reads them is a program."""
DATA_URL = "data: …"
DIM = "\x1b[2m"
RESET = "\x1b[0m"
CODES = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True, slots=True)
class Paper:
    """What is drawn on: *columns* wide and *rows* high, with *colours* or none. *media* gives the path of a
    kept file by the name that people see, which may be empty; those in *home* are named from there. *colon*
    is as the reader's language writes it."""

    media: Callable[[str, str], Path]
    columns: int = ENDLESS
    rows: int = 24
    colours: Colours = Colours.NONE
    home: Path | None = None
    colon: str = ": "

    @property
    def coloured(self) -> bool:
        return self.colours is not Colours.NONE


def drawn(what: Outgoing, paper: Paper) -> str:
    """Without a newline at its end."""
    match what:
        case Text(markdown, buttons, placed=placed):
            parts = [*_text(markdown, placed, paper)]
        case _:
            parts = [*_text(what.caption, (), paper), _shown(what.media, "", paper, called=what.name)]
            buttons = what.buttons
    said = "\n\n".join(part for part in parts if part.strip())
    return "\n".join(filter(None, (said, _typed(buttons, said, paper))))


def _text(markdown: str, placed: Iterable[Placed], paper: Paper) -> Iterable[str]:
    files = {one.src: one.original or one.media for one in placed}
    names = {one.src: one_line(one.src) for one in placed if not one.src.lower().startswith("data:")}
    parts = render(markdown, width=paper.columns, pictures=files, data_note=DATA_URL, colour=paper.coloured)
    for part in parts:
        yield (
            part.text
            if isinstance(part, TextPart)
            else _shown(files[part.src], names.get(part.src, ""), paper)
        )


def _shown(media: str, name: str, paper: Paper, *, called: str = "") -> str:
    """A picture's blocks, and beneath them the file as the agent named it, else the path of what was kept,
    *called* that."""
    path = paper.media(media, called)
    blocks = picture(path, columns=paper.columns, rows=paper.rows, colours=paper.colours)
    return "\n".join(filter(None, (blocks, dim(name or _named(path, paper), paper))))


def _named(path: Path, paper: Paper) -> str:
    """As a person writes it, where one reads."""
    home = paper.home
    return f"~/{path.relative_to(home)}" if home and path.is_relative_to(home) else str(path)


def _typed(buttons: Iterable[Button], said: str, paper: Paper) -> str:
    """What is typed in place of pressing a button; a choice that was listed by its number is not again."""
    listed = {line.partition(" ")[0] for line in CODES.sub("", said).split("\n")}
    offered = (one for one in choices(buttons) if one.number not in listed - {""})
    lines = filled([one.shown(said, paper.colon) for one in offered], paper.columns)
    return "\n".join(dim(line, paper) for line in lines)


def dim(text: str, paper: Paper) -> str:
    return f"{DIM}{text}{RESET}" if text and paper.coloured else text
