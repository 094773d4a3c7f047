"""What `claude -p --output-format stream-json` says of the one turn that it was started for."""

from __future__ import annotations

from collections.abc import Iterator

from core.model.events import EngineEvent, TurnCompleted, TurnFailed
from core.wire.claude_lines import Result
from core.wire.claude_reading import Reading
from core.wire.decoder import LineDecoder
from core.wire.lines import LINE_LIMIT, Line
from core.wire.shapes import decode, reads


class ClaudeDecoder(LineDecoder):
    """A turn may have several results: what it started in the background makes it speak again. Where
    sub-agents have still to report, the turn goes on until the program says that it is idle, or ends;
    meanwhile `consumed` stays before the line of the result."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._reading = Reading()
        handlers = {**self._reading.handlers, "result": reads(Result, self._result)}
        super().__init__(lambda line: decode(line, handlers), limit)
        self._outcome: TurnCompleted | TurnFailed | None = None
        self._outcome_at = 0
        self._read = 0
        self._held = self._over = False

    @property
    def consumed(self) -> int:
        return self._outcome_at if self._outcome else self._read

    def finish(self) -> list[EngineEvent]:
        return [*super().finish(), *self._end()]

    def _events(self, line: Line) -> list[EngineEvent]:
        start, self._read = self._read, super().consumed
        if self._over:
            return []
        held = self._outcome
        events = super()._events(line)
        if self._outcome and not held:
            self._outcome_at = start
        if isinstance(self._outcome, TurnFailed) or not (self._held and self._reading.busy):
            events += self._end()
        return events

    def _result(self, line: Result) -> Iterator[EngineEvent]:
        yield from self._reading.result(line)
        self._held = self._held or self._reading.awaits_agents
        self._outcome = self._reading.outcome(line)

    def _end(self) -> Iterator[EngineEvent]:
        outcome, self._outcome = self._outcome, None
        if outcome:
            self._over = True
            yield outcome
