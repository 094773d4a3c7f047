"""Chunks of bytes in, whole lines out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LINE_LIMIT = 16 * 1024 * 1024
"""Bytes of the longest line that is read; a longer one is dropped as a whole, never shortened."""
HEAD_KEPT = 1_000
"""Bytes; the log keeps fewer (`core.model.events`), once secrets are masked in them."""
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line that was dropped: its first `HEAD_KEPT` bytes and how many it had."""

    head: bytes
    size: int


Line = bytes | Overlong


class Lines:
    """Cuts a stream at its line feeds, however it arrives. Blank lines, `\\r` and byte order marks are
    no part of a line. Only the line under way is kept, at most *limit* bytes of it."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._open = bytearray()
        self._size = 0
        self.consumed = 0
        """Bytes of the stream up to the end of the last line that was given out."""

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines that *data* completes; `consumed` moves on with each of them."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            yield from self._close(data[start:end], 1)
            start = end + 1
        self._hold(data[start:])

    def finish(self) -> Iterator[Line]:
        """The last line, if the stream ended without a line feed."""
        yield from self._close(b"", 0)

    def _close(self, tail: bytes, feed: int) -> Iterator[Line]:
        if not self._size and len(tail) <= self._limit:
            line: Line = tail
            self.consumed += len(tail) + feed
        else:
            self._hold(tail)
            whole, size = bytes(self._open), self._size
            line = whole if size <= self._limit else Overlong(whole, size)
            self._open, self._size = bytearray(), 0
            self.consumed += size + feed
        if isinstance(line, Overlong) or (line := line.removeprefix(BOM).strip()):
            yield line

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._open += piece
        else:
            self._open = (self._open + piece[:HEAD_KEPT])[:HEAD_KEPT]
