"""How full the context is, what is left of the account, and how a failure is worded, as Codex counts them."""

from __future__ import annotations

from collections.abc import Iterator

from core.model.events import Compacted, EngineEvent, LimitsUpdated, LimitWindow, TurnFailed, Usage
from core.wire.codex_rpc import Camel


class Tokens(Camel, frozen=True, gc=False):
    total_tokens: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    reasoning_output_tokens: int = 0


class TokenUsage(Camel, frozen=True, gc=False):
    total: Tokens
    last: Tokens
    model_context_window: int | None = None


class TokensLine(Camel, frozen=True, gc=False):
    thread_id: str
    turn_id: str
    token_usage: TokenUsage


class Window(Camel, frozen=True, gc=False):
    used_percent: float
    window_duration_mins: float | None = None
    resets_at: float | None = None


class Limits(Camel, frozen=True, gc=False):
    primary: Window | None = None
    secondary: Window | None = None


class LimitsLine(Camel, frozen=True, gc=False):
    rate_limits: Limits


class TurnError(Camel, frozen=True, gc=False):
    message: str
    codex_error_info: str | dict[str, object] | None = None


class Gauge:
    """*fresh*: the session is new, so that its totals are this turn's. `total` also counts turns before;
    after a full context it no longer adds up, so that the gauge is drawn from `last`."""

    def __init__(self, *, fresh: bool) -> None:
        self._before = Tokens() if fresh else None
        self._context = 0
        self._uncompacted = 0
        self._usage: Usage | None = None
        self._limits = LimitsUpdated(())

    def count(self, used: TokenUsage, *, ours: bool) -> Iterator[EngineEvent]:
        """What the session has used; an update that is not of our turn is of one before it."""
        self._context = used.last.total_tokens
        if not ours:
            self._before = used.total
            return
        self._before = before = self._before or _less(used.total, used.last)
        spent = _less(used.total, before)
        usage = Usage(
            input=spent.input_tokens,
            cached=spent.cached_input_tokens,
            output=spent.output_tokens,
            reasoning=spent.reasoning_output_tokens,
            window=used.model_context_window or 0,
            context=used.last.total_tokens,
        )
        if usage != self._usage:
            self._usage = usage
            yield usage

    def limit(self, line: LimitsLine) -> Iterator[EngineEvent]:
        windows = (line.rate_limits.primary, line.rate_limits.secondary)
        limits = LimitsUpdated(
            tuple(
                LimitWindow(w.used_percent, (w.window_duration_mins or 0.0) * 60, w.resets_at or 0.0)
                for w in windows
                if w
            )
        )
        if limits.windows and limits != self._limits:
            self._limits = limits
            yield limits

    def compaction(self, *, ended: bool) -> Iterator[EngineEvent]:
        """The new size is an estimate of the engine's, told just before the compaction completes."""
        if ended:
            after = self._context if self._context != self._uncompacted else 0
            yield Compacted(self._uncompacted, after)
        else:
            self._uncompacted = self._context

    def failed(self, error: TurnError) -> TurnFailed:
        used_up = [window for window in self._limits.windows if window.percent >= 100]
        limited = error.codex_error_info == "usageLimitExceeded"
        until = max((window.resets_at for window in used_up), default=0.0) if limited else 0.0
        return TurnFailed(worded(error), until)


MEANT = {
    "usageLimitExceeded": "usage limit",
    "contextWindowExceeded": "context window",
    "rateLimitExceeded": "rate limit exceeded",
    "unauthorized": "401",
}


def worded(error: TurnError) -> str:
    """The engine's own words; where only its code says what they are about, that is added."""
    match error.codex_error_info:
        case str(kind):
            meant = MEANT.get(kind, "")
        case dict(kinds):
            codes = [kind.get("httpStatusCode") for kind in kinds.values() if isinstance(kind, dict)]
            meant = next((str(code) for code in codes if code in (401, 429)), "")
        case _:
            meant = ""
    return error.message if meant in error.message.lower() else f"{error.message} ({meant})"


def _less(total: Tokens, part: Tokens) -> Tokens:
    return Tokens(*(max(0, getattr(total, name) - getattr(part, name)) for name in Tokens.__struct_fields__))
