"""What no phone shows as text: long answers, long code and wide tables, each with its beginning."""

from __future__ import annotations

from pathlib import PurePosixPath

from bot.drawing import sheet
from bot.markup.cutting import utf16_units
from bot.markup.long_tables import NAME
from bot.markup.tables import Table
from bot.markup.telegram import Entity
from bot.telegram.part import Part

HEAD_UNITS = 1200
"""A phone's screen: 30 lines of 40 signs."""
HEAD_LINES = 12
"""Of code, whose lines a phone wraps."""
MORE = "\n…"
LIST_MESSAGES = 2
"""Of a table that is shown as a list; a longer one is a file."""
ENDINGS = {
    "bash": "sh", "c++": "cpp", "c#": "cs", "console": "txt", "csharp": "cs", "golang": "go", "haskell": "hs",
    "javascript": "js", "kotlin": "kt", "markdown": "md", "python": "py", "python3": "py", "ruby": "rb",
    "rust": "rs", "shell": "sh", "text": "txt", "typescript": "ts", "yaml": "yml", "": "txt",
}  # fmt: skip
"""Of the files of languages whose names are no ending themselves."""


def as_file(head: Part, name: str, content: str) -> list[Part]:
    """The beginning of something, and all of it as a file."""
    text = head.text + MORE
    return [Part(text, head.entities), Part(name=name, content=content)]


def code(text: str, language: str, name: str) -> list[Part]:
    shown = "\n".join(text.split("\n")[:HEAD_LINES])[:HEAD_UNITS]
    head = Part(shown, (Entity("pre", 0, utf16_units(shown), language=language or None),))
    ending = ENDINGS.get(language.lower(), language.lower())
    return as_file(head, PurePosixPath(name).name.lstrip(".") or f"code.{ending}", text)


def table(found: Table, listed: list[Part], *, caption: int) -> list[Part]:
    """A picture with the table's words folded up beneath it, or as a file where they are too many for that;
    what can't be drawn is *listed*."""
    fits = len(listed) == 1 and utf16_units(listed[0].text) <= caption
    file = Part(name=NAME, content=found.csv())
    if sheet(found) is None:
        return listed if len(listed) <= LIST_MESSAGES else as_file(listed[0], file.name, file.content)
    if not fits:
        return [Part(table=found, photo=True), file]
    words = listed[0].text
    return [Part(words, (Entity("expandable_blockquote", 0, utf16_units(words)),), table=found, photo=True)]
