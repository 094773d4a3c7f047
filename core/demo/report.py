"""A look at the project: what it holds, in a few words, a picture and a table."""

from __future__ import annotations

import itertools
import os
from typing import BinaryIO

from core.demo.chart import COLOURS, Bar, draw
from core.demo.memory import Session
from core.demo.speech import Speech
from core.demo.survey import OTHER, Share, Survey, survey
from core.demo.words import Words

ROWS = len(COLOURS) - 1
"""Languages that are shown by themselves; the others share one row."""
FOLDER = "output"


def report(speech: Speech, words: Words, session: Session, *, writable: bool) -> tuple[str, str]:
    """The answer and its title."""
    speech.plan(words.plan, 0)
    speech.pause(0.3)
    found = _look(speech, words)
    speech.plan(words.plan, 1)
    shares = _rows(found.shares)
    picture = _picture(speech, words, found, shares) if writable and shares else ""
    speech.plan(words.plan, 2)
    parts = [_summary(words, found), picture, _table(words, shares), _closing(words, found, writable)]
    if session.turns:
        parts.append(words.before.format(turn=session.turns + 1, said=session.said[-1]))
    parts.append(f"*{words.signature}*")
    speech.plan(words.plan, len(words.plan))
    return "\n\n".join(filter(None, parts)), words.title.format(name=found.name)


def _look(speech: Speech, words: Words) -> Survey:
    name = os.path.basename(os.getcwd())
    with speech.step("search", f"{name}/") as step:
        found = survey(os.getcwd())
        speech.pause(0.6)
        step.output = words.counted(found.files, words.file)
    if found.readme:
        with speech.step("read", found.readme) as step:
            step.paths = (found.readme,)
            speech.pause(0.4)
            with open(os.open(found.readme, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                step.output = file.read(400).decode("utf-8", "replace")
    return found


def _rows(shares: tuple[Share, ...]) -> list[Share]:
    """The largest languages, and one row for all others."""
    named = [share for share in shares if share.language != OTHER]
    others = [share for share in shares if share.language == OTHER] + named[ROWS:]
    if not others:
        return named
    rest = Share(OTHER, sum(share.files for share in others), sum(share.size for share in others))
    return [*named[:ROWS], rest]


def _picture(speech: Speech, words: Words, found: Survey, shares: list[Share]) -> str:
    """The picture as Markdown, nothing where the project's own `output` is not a directory."""
    os.makedirs(FOLDER, exist_ok=True)
    if os.path.islink(FOLDER):
        return ""
    path, file = _fresh()
    with file, speech.step("edit", path) as step:
        bars = [
            Bar(words.kind(share.language), share.size, words.size(share.size), share.language == OTHER)
            for share in shares
        ]
        files = words.counted(found.files, words.file)
        draw(words.picture.format(name=found.name), f"{files} · {words.size(found.size)}", bars, file)
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


def _summary(words: Words, found: Survey) -> str:
    name = _plain(found.name)
    if not found.files:
        return words.empty.format(name=name)
    files, folders = words.counted(found.files, words.file), words.counted(found.folders, words.folder)
    text = words.summary.format(name=name, files=files, folders=folders, size=words.size(found.size))
    if found.shares[0].language != OTHER:
        text += words.mostly.format(language=words.kind(found.shares[0].language))
    return text + words.cut if found.cut else text


def _table(words: Words, shares: list[Share]) -> str:
    if not shares:
        return ""
    rows = [
        f"| {words.kind(share.language)} | {share.files} | {words.size(share.size)} |" for share in shares
    ]
    return "\n".join([words.columns, "| --- | ---: | ---: |", *rows])


def _closing(words: Words, found: Survey, writable: bool) -> str:
    if not found.largest:
        return ""
    path, size = found.largest.path.replace("`", "'"), words.size(found.largest.size)
    largest = words.largest.format(path=path, size=size)
    return largest if writable else f"{largest} {words.read_only}"


def _plain(name: str) -> str:
    """*name* where Markdown would read signs into it."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>" else sign for sign in name)
