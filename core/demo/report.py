"""A look at the project: what it holds, in a few words, a picture and a table."""

from __future__ import annotations

import errno
import itertools
import os
from typing import BinaryIO

from core.demo.chart import COLOURS, Bar, draw
from core.demo.memory import Session
from core.demo.speech import Speech
from core.demo.survey import MOST_FILES, OTHER, Share, Survey, survey
from core.demo.words import Words

ROWS = len(COLOURS) - 1
"""Languages that are shown by themselves; the others share one row."""
FOLDER = "output"
NAMED = 4
"""Folders that are told by name of those that were passed over."""
CLOSED = (errno.EEXIST, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS)
"""Nothing can be put there; a disk that is full is other trouble."""


def report(
    speech: Speech, words: Words, session: Session, *, writable: bool, most: int = MOST_FILES
) -> tuple[str, str]:
    """The answer and its title. No more than *most* files are looked at."""
    speech.plan(words.plan, 0)
    speech.pause(0.3)
    found = _look(speech, words, most)
    speech.plan(words.plan, 1)
    shares = _rows(found.shares)
    drawn = _drawn(speech, words, found, shares) if writable and shares else ""
    speech.plan(words.plan, 2)
    undrawn = "" if drawn or not shares else words.no_picture if writable else words.read_only
    closing = " ".join(filter(None, [_largest(words, found), undrawn]))
    parts = [_summary(words, found, shares), drawn, _table(words, shares), closing]
    if session.turns:
        parts.append(words.before.format(turn=session.turns + 1, said=_plain(session.said[-1])))
    parts.append(f"*{words.signature}*")
    speech.plan(words.plan, len(words.plan))
    return "\n\n".join(filter(None, parts)), words.title.format(name=_shown(found.name))


def _look(speech: Speech, words: Words, most: int) -> Survey:
    name = os.path.basename(os.getcwd())
    with speech.step("search", f"{_shown(name)}/") as step:
        found = survey(os.getcwd(), most)
        speech.pause(0.6)
        step.output = _files(words, found)
    if found.readme:
        with speech.step("read", _shown(found.readme)) as step:
            step.paths = (_shown(found.readme),)
            speech.pause(0.4)
            step.output = _beginning(found.readme)
    return found


def _beginning(path: str) -> str:
    """Nothing of what is not ours to read."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            return file.read(400).decode("utf-8", "replace")
    except (PermissionError, FileNotFoundError):
        return ""


def _rows(shares: tuple[Share, ...]) -> list[Share]:
    """The largest languages, and one row for all others."""
    named = [share for share in shares if share.language != OTHER]
    others = [share for share in shares if share.language == OTHER] + named[ROWS:]
    if not others:
        return named
    rest = Share(OTHER, sum(share.files for share in others), sum(share.size for share in others))
    return [*named[:ROWS], rest]


def _drawn(speech: Speech, words: Words, found: Survey, shares: list[Share]) -> str:
    """The picture as Markdown; nothing where it can't be put into the project's own `output`."""
    try:
        os.makedirs(FOLDER, exist_ok=True)
        return "" if os.path.islink(FOLDER) else _picture(speech, words, found, shares)
    except OSError as error:
        if error.errno not in CLOSED:
            raise
        return ""


def _picture(speech: Speech, words: Words, found: Survey, shares: list[Share]) -> str:
    path, file = _fresh()
    with file, speech.step("edit", path) as step:
        bars = [
            Bar(words.kind(share.language), share.size, words.size(share.size), share.language == OTHER)
            for share in shares
        ]
        name, told = _shown(found.name), f"{_files(words, found)} · {words.size(found.size)}"
        draw(words.picture.format(name=name), told, bars, file)
        step.paths = (path,)
        speech.pause(0.6)
    return f"![{words.caption.format(name=_plain(found.name))}]({path})"


def _fresh() -> tuple[str, BinaryIO]:
    """A file that nobody has yet: pictures in earlier answers stay what they are."""
    for number in itertools.count(1):
        path = f"{FOLDER}/project-{number}.webp"
        try:
            return path, open(path, "xb")
        except FileExistsError:
            continue
    raise AssertionError("numbers do not end")


def _summary(words: Words, found: Survey, shares: list[Share]) -> str:
    name = _plain(found.name)
    unseen = [words.passed_over.format(names=_named(found.passed_over))] if found.passed_over else []
    unseen += [words.unread.format(folders=words.counted(found.unread, words.folder))] if found.unread else []
    if not found.files:
        return " ".join([(words.nothing if unseen else words.empty).format(name=name), *unseen])
    within = words.within.format(folders=words.counted(found.folders, words.folder)) if found.folders else ""
    files, size = _files(words, found), words.size(found.size)
    text = words.summary.format(name=name, files=files, within=within, size=size)
    cut = words.cut if found.cut else ""
    return " ".join(filter(None, [text, cut, _most(words, found, shares), *unseen]))


def _files(words: Words, found: Survey) -> str:
    files = words.counted(found.files, words.file)
    return words.over.format(files=files) if found.cut else files


def _most(words: Words, found: Survey, shares: list[Share]) -> str:
    """What the largest part is, where that has a name."""
    largest = max(shares, key=lambda share: share.size)
    if not largest.size or largest.language == OTHER:
        return ""
    said = words.mostly if 2 * largest.size > found.size else words.largest_part
    return said.format(language=words.kind(largest.language), share=f"{100 * largest.size / found.size:.0f}")


def _named(names: tuple[str, ...]) -> str:
    """The first few, as code."""
    shown = [f"`{_shown(name).replace('`', chr(39))}`" for name in names[:NAMED]]
    return ", ".join([*shown, *(["…"] if len(names) > NAMED else [])])


def _table(words: Words, shares: list[Share]) -> str:
    if not shares:
        return ""
    rows = [
        f"| {words.kind(share.language)} | {share.files} | {words.size(share.size)} |" for share in shares
    ]
    return "\n".join([words.columns, "| --- | ---: | ---: |", *rows])


def _largest(words: Words, found: Survey) -> str:
    """Nothing where there is none to compare it with."""
    if not found.largest or found.files == 1 or not found.largest.size:
        return ""
    path = _shown(found.largest.path).replace("`", "'")
    said = words.largest_seen if found.cut else words.largest
    return said.format(path=path, size=words.size(found.largest.size))


def _shown(name: str) -> str:
    """*name* as one line of signs that can be read; a file may be called anything."""
    text = os.fsencode(name).decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _plain(name: str) -> str:
    """*name* where Markdown would read signs into it."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>" else sign for sign in _shown(name))
