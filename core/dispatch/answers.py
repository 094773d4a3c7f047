"""The agent's final text becomes an answer: title off, secrets masked, its pictures kept."""

from __future__ import annotations

import asyncio
import hashlib
import math
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path, PurePath
from tempfile import mkstemp
from typing import TypeAlias

from core.answers.markdown import images, links
from core.answers.pictures import Broken, FileInstead, Kind, Picture, data_url, fit, named, sniff
from core.answers.title import take_title
from core.dispatch.progress import Mask
from core.errors import NO_ROOM, DiskFull, FileRefused, HostError, ProjectMoved
from core.hosts.names import safe
from core.hosts.port import HostFile
from core.model.answer import Placed

FOLDER = "media"
PICTURES_MOST = 30
"""Pictures of one answer that are looked at; the rest stays as text."""
SHORT = 200
"""Signs that are kept of a source that is shown as words: it may be a whole picture."""
READ_MOST = 500_000
"""Characters of an answer that is looked through for pictures; a longer one is text alone."""
ELSEWHERE = ("http:", "https:", "mailto:", "tg:")
LINKS_MOST = 8
"""Files to which an answer links that are looked at: each may be a button."""
MADE = "output/"
"""The folder that agents are told to put into what is for people."""
ADDRESS = re.compile(r"#|[a-z][a-z0-9+.-]{1,15}:(?!\d)", re.IGNORECASE)
"""How what is no file begins; but `file:` is one."""
LINE = re.compile(r":\d+(?::\d+|-\d+)?\Z")
"""What some agents write behind a file's name."""
Find: TypeAlias = Callable[[str], Awaitable[HostFile]]
"""A file of the project, by what an answer calls it. Errors: `FileRefused`, `ProjectMoved`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """*text* is Markdown, complete; each image in it that is not a web link has its `Placed`."""

    text: str
    placed: tuple[Placed, ...]
    title: str


class Media:
    """The folder of pictures and files that stand in answers, each named by its content."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        return self._folder / name

    def called(self, media: str, name: str) -> Path:
        """What was kept as *media*, in a file that people see as *name*: it stays as long. Where none can be
        made, or without a name, it is the one that was kept."""
        kept = self.path(media)
        if not name:
            return kept
        file = kept.with_suffix("") / safe(name)
        try:
            file.parent.mkdir(mode=0o700, exist_ok=True)
            if not (file.exists() and file.samefile(kept)):
                file.unlink(missing_ok=True)
                file.hardlink_to(kept)
                file.chmod(0o400)  # whoever opens it must not change what was kept
        except OSError:
            return kept
        return file

    async def keep(self, data: bytes, kind: Kind) -> str:
        """The name under which *data* is on the disk when this returns. Errors: `DiskFull`, `HostError`."""
        return await asyncio.to_thread(self._keep, data, kind)

    def _keep(self, data: bytes, kind: Kind) -> str:
        target = self.path(f"{hashlib.sha256(data).hexdigest()[:32]}.{kind.value or Kind.OTHER.value}")
        if not target.exists():
            try:
                self._put(data, target)
            except OSError as error:
                raise (DiskFull() if error.errno in NO_ROOM else HostError(why=error.strerror)) from error
        return target.name

    def _put(self, data: bytes, target: Path) -> None:
        """Whole or not at all, also when two answers show the same picture at once."""
        handle, part = mkstemp(".part", dir=self._folder)
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.replace(part, target)
        finally:
            Path(part).unlink(missing_ok=True)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name, too
        finally:
            os.close(folder)


async def compose(text: str, find: Find, *, media: Media, mask: Mask, since: float = math.inf) -> Answer:
    """The answer that *text* stands for, begun at *since* (epoch). A picture that cannot be shown never costs
    the text: it is refused with its reason. Errors: `DiskFull`, when it cannot be kept."""
    found = await asyncio.to_thread(_read, text, mask)
    placed = [await _place(src, find, media) for src in found.images[:PICTURES_MOST]]
    linked = [await _link(ref, find, media, since) for ref in found.links[:LINKS_MOST]]
    return Answer(found.text, (*placed, *filter(None, linked)), found.title)


@dataclass(frozen=True, slots=True)
class _Found:
    """*images* and *links* are those that are ours to find."""

    title: str
    text: str
    images: list[str]
    links: list[str]


def _read(text: str, mask: Mask) -> _Found:
    """It may take its time: never in the event loop."""
    title, rest = take_title(text)
    rest = mask(rest)
    if len(rest) > READ_MOST:
        return _Found(mask(title or ""), rest, [], [])
    pictures = dict.fromkeys(link.src for link in images(rest))
    ours = [src for src in pictures if not src.lower().startswith(ELSEWHERE)]
    files = [ref for ref in links(rest) if ref.lower().startswith("file:") or not ADDRESS.match(ref)]
    return _Found(mask(title or ""), rest, ours, files)


async def _link(ref: str, find: Find, media: Media, since: float) -> Placed | None:
    """A file that was made for people while this was answered is sent; another one is to be had for the
    asking, a secret by an owner. None for what is no file of the project."""
    try:
        file = await _found(LINE.sub("", ref), find)
    except FileRefused as refusal:
        is_secret = refusal.key == "file.secret"
        return Placed(ref, "linked", name=PurePath(ref).name, reason=refusal.key) if is_secret else None
    if not file.data or not file.path.startswith(MADE) or file.changed < since:
        return Placed(file.path, "linked", name=file.name)
    kept = await media.keep(file.data, sniff(file.data))
    return Placed(file.path, "made", kept, name=named(file.name, file.data))


async def _place(src: str, find: Find, media: Media) -> Placed:
    short = src[:SHORT]
    try:
        file = await _fetch(src, find)
    except FileRefused as refusal:
        return Placed(short, "refused", name=short, reason=refusal.key)
    match await asyncio.to_thread(fit, file.data):
        case Picture(data, kind, scaled=scaled):
            original = await media.keep(file.data, sniff(file.data)) if scaled else ""
            return Placed(src, "photo", await media.keep(data, kind), original, file.name)
        case FileInstead(data, kind, reason):
            return Placed(
                src, "file", await media.keep(data, kind), name=named(file.name, data), reason=reason
            )
        case Broken(reason):
            return Placed(short, "refused", name=file.name, reason=reason)


async def _fetch(src: str, find: Find) -> HostFile:
    if not src.lower().startswith("data:"):
        return await _found(src, find)
    data = data_url(src)
    if data is None:
        raise FileRefused("picture.no_picture")
    return HostFile("", data)


async def _found(ref: str, find: Find) -> HostFile:
    """Errors: `FileRefused`."""
    try:
        return await find(ref)
    except ProjectMoved as moved:
        raise FileRefused("file.moved") from moved
