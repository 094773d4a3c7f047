"""The decoder that every protocol of one JSON event a line shares."""

from __future__ import annotations

from collections.abc import Callable

from core.errors import MalformedLine
from core.model.events import EngineEvent, Malformed
from core.wire.lines import LINE_LIMIT, Line, Lines, Overlong
from core.wire.shapes import head


class LineDecoder:
    """Bytes in, events out (`core.engines.port.Decoder`). *decode* may raise MalformedLine only."""

    def __init__(self, decode: Callable[[bytes], list[EngineEvent]], limit: int = LINE_LIMIT) -> None:
        self._decode = decode
        self._lines = Lines(limit)

    @property
    def consumed(self) -> int:
        return self._lines.consumed

    def feed(self, data: bytes) -> list[EngineEvent]:
        return [event for line in self._lines.feed(data) for event in self._events(line)]

    def finish(self) -> list[EngineEvent]:
        return [event for line in self._lines.finish() for event in self._events(line)]

    def _events(self, line: Line) -> list[EngineEvent]:
        if isinstance(line, Overlong):
            return [Malformed(head(line.head), f"a line of {line.size} bytes")]
        try:
            return self._decode(line)
        except MalformedLine as error:
            return [Malformed(error.fields["head"], error.fields["why"])]
