"""What `codex exec --json` says, line by line (recorded with codex-cli 0.171)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from core.model.events import (
    EngineEvent,
    Malformed,
    Notice,
    Progress,
    SessionStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unrecognised,
    Usage,
)
from core.model.ids import SessionId
from core.wire.codex_items import ITEMS, ItemLine, Trouble
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT, Line
from core.wire.shapes import KIND_KEPT, Handler, Named, SessionName, Shape, decode, reads


class ThreadStarted(Shape, frozen=True, gc=False):
    thread_id: SessionName


class Tokens(Shape, frozen=True, gc=False):
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_output_tokens: int = 0


class Completed(Shape, frozen=True, gc=False):
    usage: msgspec.Raw = msgspec.Raw(b"null")


class Failed(Shape, frozen=True, gc=False):
    error: Trouble


def thread_started(line: ThreadStarted) -> Iterator[EngineEvent]:
    yield SessionStarted(SessionId(line.thread_id))


def turn_started(_: Shape) -> Iterator[EngineEvent]:
    yield TurnStarted()


def turn_completed(line: Completed) -> Iterator[EngineEvent]:
    """The tokens are the thread's running total, also across resume; no count of them costs the answer."""
    with suppress(msgspec.ValidationError):
        used = _TOKENS.decode(line.usage)
        yield Usage(
            input=used.input_tokens,
            cached=used.cached_input_tokens,
            output=used.output_tokens,
            reasoning=used.reasoning_output_tokens,
            cumulative=True,
        )
    yield TurnCompleted()


def turn_failed(line: Failed) -> Iterator[EngineEvent]:
    yield TurnFailed(line.error.message)


def error(line: Trouble) -> Iterator[EngineEvent]:
    yield Notice(line.message)


_TOKENS = msgspec.json.Decoder(Tokens)
_ITEM_NAMED = msgspec.json.Decoder(ItemLine[Named])


def items(event: str, reached: Progress) -> Handler:
    """The handler of one `item.*` event: a table of its own, by the item's type."""
    handlers = {kind: row(reached) for kind, row in ITEMS.items()}

    def tell(line: bytes) -> Iterable[EngineEvent]:
        kind = _ITEM_NAMED.decode(line).item.type
        handler = handlers.get(kind)
        return handler(line) if handler else [Unrecognised(f"{event}/{kind}"[:KIND_KEPT])]

    return tell


HANDLERS: dict[str, Handler] = {
    "thread.started": reads(ThreadStarted, thread_started),
    "turn.started": reads(Shape, turn_started),
    "turn.completed": reads(Completed, turn_completed),
    "turn.failed": reads(Failed, turn_failed),
    "error": reads(Trouble, error),
    "item.started": items("item.started", Progress.IN_PROGRESS),
    "item.updated": items("item.updated", Progress.IN_PROGRESS),
    "item.completed": items("item.completed", Progress.COMPLETED),
}

PASSING = "Reconnecting..."
"""How a warning begins that is never the turn's end, so that it can be shown at once."""


class CodexExecDecoder(LineDecoder):
    """Codex says why a turn failed in an `error` line, then once more in `turn.failed`. So a warning is
    held until the next line tells whether it was that; meanwhile `consumed` stays before its line."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        super().__init__(lambda line: decode(line, HANDLERS), limit)
        self._held: Notice | None = None
        self._held_at = 0
        self._read = 0

    @property
    def consumed(self) -> int:
        return self._held_at if self._held else self._read

    def finish(self) -> list[EngineEvent]:
        events = super().finish()
        held, self._held = self._held, None
        return [*events, held] if held else events

    def _events(self, line: Line) -> list[EngineEvent]:
        start, self._read = self._read, super().consumed
        events = super()._events(line)
        if all(isinstance(event, Unrecognised | Malformed) for event in events):
            return events
        held, self._held = self._held, None
        if held and TurnFailed(held.text) not in events:
            events.insert(0, held)
        if events and isinstance(last := events[-1], Notice) and not last.text.startswith(PASSING):
            self._held, self._held_at = last, start
            events.pop()
        return events
