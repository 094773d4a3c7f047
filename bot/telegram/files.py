"""The bytes of what we send, as a document if need be."""

from __future__ import annotations

import io
from pathlib import Path, PurePath

from bot.chat import Refused, Why
from core.answers.pictures import MOST_PIXELS, Kind, named, sniff

LARGEST_PHOTO = 10 * 1024 * 1024
LARGEST_DOWNLOAD = 20 * 1024 * 1024
SLOWEST = 50_000
"""Bytes per second; a line that is slower gives up."""


def seconds_for(size: int) -> float:
    """How long *size* bytes may be on their way."""
    return size / SLOWEST


def read(path: Path) -> bytes:
    """Errors: `Refused` where nothing is there to send."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused(error.strerror or "unreadable", Why.MEDIA) from error
    if not data:
        raise Refused("empty", Why.MEDIA)
    return data


def as_document(data: bytes, name: str) -> tuple[bytes, str]:
    """Telegram would show a WebP document as a sticker, so it goes as PNG."""
    if sniff(data) is not Kind.WEBP:
        return data, named(name, data)
    from PIL import Image

    held = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        if image.width * image.height > MOST_PIXELS:
            return data, name
        image.save(held, "PNG")
    return held.getvalue(), str(PurePath(name).with_suffix(".png"))
