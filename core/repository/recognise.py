"""The files that a project holds for agents become a list of what is in them, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice

from core.model.repository import Order, OrderKind, WatchedFile
from core.repository import gits, settings
from core.repository.places import SAMPLE, Form, form_of

Finding = tuple[OrderKind, str]
WORDS_MOST = 500
"""Characters that are kept of what one order says; whether it has changed is asked of all of it."""
PER_FILE_MOST = 50
WHOLE = (Form.HOOK, Form.PROGRAM, Form.WORDS)
"""Files that have changed when any of their bytes has, and not only what is told of them."""


def recognise(files: Iterable[WatchedFile]) -> dict[str, Order]:
    """Every order once, the gravest first. Its key is another as soon as anything behind it has changed.
    Nothing is raised, whatever the files hold."""
    found = [one for file in files for one in _orders(file)]
    return dict(sorted(found, key=lambda one: list(OrderKind).index(one[1].kind)))


def _orders(file: WatchedFile) -> Iterator[tuple[str, Order]]:
    for kind, words in islice(_findings(file), PER_FILE_MOST):
        behind = file.mark if file.data is None else file.data.hex() if form_of(file.path) in WHOLE else words
        key = sha256(f"{kind}\0{file.path}\0{behind}".encode("utf-8", "surrogatepass")).hexdigest()
        yield key, Order(kind, plain(file.path), plain(words))


def _findings(file: WatchedFile) -> list[Finding]:
    if file.data is None:
        return [(OrderKind.UNREADABLE, "")]
    try:
        return list(READERS[form_of(file.path)](file, file.data))
    except (ValueError, RecursionError):  # bad UTF-8 is a ValueError as well
        return [(OrderKind.UNREADABLE, "")]


def _settings(file: WatchedFile, data: bytes) -> Iterable[Finding]:
    return settings.findings(file.path, data)


def _hook(file: WatchedFile, data: bytes) -> Iterator[Finding]:
    """git runs what may be executed; its first line that is no comment stands for it."""
    if file.runs and not file.path.endswith(SAMPLE):
        yield OrderKind.GIT, first_line(data)


def _program(file: WatchedFile, data: bytes) -> Iterator[Finding]:
    yield OrderKind.RUNS, first_line(data)


def _words(file: WatchedFile, data: bytes) -> Iterator[Finding]:
    yield OrderKind.WORDS, ""


def _text(reader: Callable[[str], Iterable[Finding]]) -> Callable[[WatchedFile, bytes], Iterable[Finding]]:
    return lambda _, data: reader(data.decode("utf-8", "replace"))


READERS: Mapping[Form, Callable[[WatchedFile, bytes], Iterable[Finding]]] = {
    Form.SETTINGS: _settings,
    Form.GIT_CONFIG: _text(gits.config),
    Form.ATTRIBUTES: _text(gits.attributes),
    Form.GIT_LINK: _text(gits.link),
    Form.HOOK: _hook,
    Form.PROGRAM: _program,
    Form.WORDS: _words,
}


def first_line(data: bytes) -> str:
    """The first line of a program that says something."""
    lines = (line.strip() for line in data[:4096].decode("utf-8", "replace").splitlines())
    return next((line for line in lines if line and not line.startswith(("#", "//", "/*"))), "")


def plain(text: str) -> str:
    """One line without a sign that hides, turns or breaks anything; bounded."""
    shown = "".join(
        letter if letter.isprintable() else "�" for letter in text[:WORDS_MOST].replace("\n", " ")
    )
    return shown if len(text) <= WORDS_MOST else f"{shown}…"
