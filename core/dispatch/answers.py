"""The agent's final text becomes an answer: title off, secrets masked, its pictures kept."""

from __future__ import annotations

import asyncio
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkstemp

from core.answers.markdown import images
from core.answers.pictures import Broken, FileInstead, Kind, Picture, data_url, fit, named, sniff
from core.answers.title import take_title
from core.dispatch.progress import Mask
from core.errors import NO_ROOM, DiskFull, FileRefused, HostError
from core.hosts.port import Host, HostFile
from core.model.answer import Placed

FOLDER = "media"
PICTURES_MOST = 30
"""Pictures of one answer that are looked at; the rest stays as text."""
SHORT = 200
"""Signs that are kept of a source that is shown as words: it may be a whole picture."""
READ_MOST = 500_000
"""Characters of an answer that is looked through for pictures; a longer one is text alone."""
ELSEWHERE = ("http:", "https:", "mailto:", "tg:")


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


async def compose(text: str, *, root: str, host: Host, media: Media, mask: Mask) -> Answer:
    """The answer that *text* stands for. A picture that cannot be shown never costs the text: it is
    refused with its reason. Errors: `DiskFull`, when it cannot be kept."""
    title, rest, wanted = await asyncio.to_thread(_read, text, mask)
    placed = [await _place(src, root, host, media) for src in wanted[:PICTURES_MOST]]
    return Answer(rest, tuple(placed), title)


def _read(text: str, mask: Mask) -> tuple[str, str, list[str]]:
    """Title, text and the images that are ours to find. It may take its time: never in the event loop."""
    title, rest = take_title(text)
    rest = mask(rest)
    sources = dict.fromkeys(link.src for link in images(rest)) if len(rest) <= READ_MOST else {}
    return mask(title or ""), rest, [src for src in sources if not src.lower().startswith(ELSEWHERE)]


async def _place(src: str, root: str, host: Host, media: Media) -> Placed:
    short = src[:SHORT]
    try:
        file = await _fetch(src, root, host)
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


async def _fetch(src: str, root: str, host: Host) -> HostFile:
    if not src.lower().startswith("data:"):
        return await host.open(root, src)
    data = data_url(src)
    if data is None:
        raise FileRefused("picture.no_picture")
    return HostFile("", data)
