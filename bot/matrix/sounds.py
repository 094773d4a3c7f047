"""What clients want to know of a sound beforehand: its kind, and of a voice message how long it is."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass

OGG, OPUS = b"OggS", b"OpusHead"
"""What each page of such a file begins with, and what its first one holds (RFC 3533, RFC 7845)."""
GRANULES = 48
"""Of an Opus stream in a millisecond, whatever it was recorded at."""


@dataclass(frozen=True, slots=True)
class Sound:
    """*milliseconds*: 0 where that is not known. *spoken*: a voice message as clients record one (MSC3245),
    which is Opus on one channel."""

    mime: str
    milliseconds: int = 0
    spoken: bool = False


def listen(data: bytes, name: str) -> Sound | None:
    """None for what is no sound, going by its name unless it says itself what it is."""
    head = data.find(OPUS, 0, 64)
    if data.startswith(OGG) and head > 0:
        channels, skipped = data[head + 9 : head + 10], data[head + 10 : head + 12]
        length = (_granules(data) - int.from_bytes(skipped, "little")) // GRANULES
        return Sound("audio/ogg", max(length, 0), spoken=channels == b"\x01")
    mime = mimetypes.guess_type(name)[0] or ""
    return Sound(mime) if mime.startswith("audio/") else None


def _granules(data: bytes) -> int:
    """Where the last page ends."""
    last = data.rfind(OGG)
    return int.from_bytes(data[last + 6 : last + 14], "little", signed=True)
