"""What an ACP turn used: tokens, context and cost, each told at another place."""

from __future__ import annotations

from core.model.events import Usage
from core.wire import acp_shapes as shapes
from core.wire.acp_rpc import glean

DOLLAR = "USD"


class Meter:
    """Adds up what a turn's `usage_update`s and its end say. The cost that agents tell is the session's: the
    turn's is what it grew by, and unknown where nobody knows what it was before."""

    def __init__(self, *, known: bool) -> None:
        self._cost = 0.0 if known else None
        self._last = Usage(0, 0, 0)

    @property
    def context(self) -> int:
        return self._last.context

    def before(self, gauge: shapes.Gauge) -> None:
        """Told before the prompt."""
        self._cost = _dollars(gauge)

    def gauge(self, gauge: shapes.Gauge) -> Usage:
        cost = _dollars(gauge) - self._cost if self._cost is not None else 0.0
        self._last = Usage(0, 0, 0, window=gauge.size, context=gauge.used, cost=max(cost, 0.0))
        return self._last

    def total(self, end: shapes.Prompted) -> Usage | None:
        """None where the agent tells nothing at the end."""
        told = glean(shapes.TOKENS, end.usage, shapes.Tokens())
        count = glean(shapes.COUNTED, end.meta, shapes.Counted()).quota.token_count
        usage = Usage(
            input=told.input_tokens or count.input_tokens,
            cached=told.cached_read_tokens or 0,
            output=told.output_tokens or count.output_tokens,
            reasoning=told.thought_tokens or 0,
            window=self._last.window,
            context=self._last.context,
            cost=self._last.cost,
        )
        return usage if usage != self._last else None


def _dollars(gauge: shapes.Gauge) -> float:
    return gauge.cost.amount if gauge.cost and gauge.cost.currency == DOLLAR else 0.0
