"""What follows a turn that failed: the table of behaviour §3, as a pure decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.engines.port import Failure
from core.model.events import Recovering, Retrying
from core.model.reasons import SET_ASIDE

WaitReason = Literal["rate_limit", "thread_writer", "busy"]
Cause = WaitReason | Literal["usage_limit", "session_gone", "interrupted", "never_started", "transport"]

WAITS: dict[WaitReason, tuple[float, ...]] = {
    "rate_limit": (15.0, 45.0, 120.0),
    "thread_writer": (2.0, 5.0, 15.0, 30.0),
    "busy": (2.0, 5.0, 15.0),
}
"""Seconds before each further try."""

LIMIT_WAITS = 3
"""How often a prompt waits for its account's allowance: an engine that names a wrong time is asked again."""
LIMIT_SHORTEST, LIMIT_LONGEST = 15.0, 8 * 86_400.0
"""Seconds: a reset that is past, by a clock that is wrong, is waited for all the same; one that is further
off than a week and a day is no reset of any known plan."""
LIMIT_LOOK = 60.0
"""Seconds between looks at the wall clock: a machine that slept, or whose clock was set, goes on in time."""

MOST = {"session_gone": 1, "interrupted": 1, "never_started": 2, "transport": 1}
"""How often a prompt goes on after each, before a person has to decide."""


@dataclass(frozen=True, slots=True)
class Again:
    """Another turn follows after *delay* seconds. *words*: the whole message is sent, else a fixed
    «carry on»."""

    cause: Cause
    event: Retrying | Recovering
    words: bool
    delay: float = 0.0

    @property
    def until(self) -> float:
        """When the wait is over by the wall clock, should that be earlier; 0 where it doesn't matter."""
        return self.event.until if isinstance(self.event, Retrying) else 0.0

    @property
    def pauses(self) -> Iterator[float]:
        """The delay, in pieces between which the wall clock is looked at where it matters."""
        left, longest = self.delay, LIMIT_LOOK if self.until else self.delay
        while left > 0:
            yield min(left, longest)
            left -= longest

    @property
    def drop_session(self) -> bool:
        return self.cause == "session_gone"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The prompt fails; *reason* is a key into the locales."""

    reason: str


CAUSES: dict[Failure, Cause] = {
    Failure.RATE_LIMIT: "rate_limit",
    Failure.THREAD_WRITER: "thread_writer",
    Failure.BUSY: "busy",
    Failure.SESSION_GONE: "session_gone",
}
REASONS = {
    Failure.RATE_LIMIT: "engine.rate_limit",
    Failure.THREAD_WRITER: "engine.thread_writer",
    Failure.BUSY: "engine.busy",
    Failure.SESSION_GONE: "engine.session_gone",
    Failure.LOGIN: "engine.login",
    Failure.USAGE_LIMIT: "engine.usage_limit",
    Failure.CONTEXT_FULL: "engine.context_full",
    Failure.MODEL: "engine.model",
    Failure.SERVICE: "engine.service",
    Failure.VERSION: "engine.version",
    Failure.ROOT: "engine.root",
    Failure.OTHER: "engine.failed",
}
COMPACTABLE = "engine.context_compact"
"""In place of `engine.context_full`, where the engine can make its context smaller."""


def after_failure(failure: Failure, outcomes: Sequence[str], *, taken: bool) -> Again | GiveUp:
    """*outcomes* are those of the prompt's earlier turns; *taken*: a session has the words already."""
    cause = CAUSES.get(failure)
    again = _again(cause, outcomes.count(cause), taken=taken) if cause else None
    return again or GiveUp(REASONS[failure])


def after_limit(until: float, outcomes: Sequence[str], *, taken: bool, now: float) -> Again | None:
    """The account is used up, and the engine says that it is renewed at *until*: it is waited for, if that
    is in sight. *now* and *until* are seconds since the epoch."""
    tried, delay = outcomes.count("usage_limit"), max(LIMIT_SHORTEST, until - now)
    if not until or tried >= LIMIT_WAITS or delay > LIMIT_LONGEST:
        return None
    event = Retrying("usage_limit", delay, tried + 1, LIMIT_WAITS, until)
    return Again("usage_limit", event, words=not taken, delay=delay)


def is_limit(failure: Failure, until: float, *, now: float) -> bool:
    """Whether the account is used up, rather than asked too often: then it takes minutes at most."""
    minutes = sum(WAITS["rate_limit"])
    return failure is Failure.USAGE_LIMIT or (failure is Failure.RATE_LIMIT and until - now > minutes)


def after_interruption(
    cause: Literal["interrupted", "never_started"], outcomes: Sequence[str], *, taken: bool
) -> Again | GiveUp:
    """The machine went down with the agent, or Roost died before the agent began: on in the same session,
    but not for ever."""
    return _again(cause, outcomes.count(cause), taken=taken) or GiveUp(SET_ASIDE)


def another_way() -> Again:
    """The first way to the program failed before the words were given: the same message goes the other."""
    return Again("transport", Recovering("transport"), words=True)


def pending(
    outcomes: Sequence[str], *, taken: bool, waiting: Retrying | None = None, now: float = 0.0
) -> Again | None:
    """The decision that was stored with the newest turn, if its next turn has not begun. Of a limit that
    was *waiting* for, the rest is waited."""
    if outcomes[-1] == "usage_limit" and waiting:
        rest = min(waiting.delay, max(0.0, waiting.until - now))
        return Again("usage_limit", waiting, words=not taken, delay=rest)
    cause = _cause(outcomes[-1])
    return _again(cause, outcomes.count(cause) - 1, taken=taken) if cause else None


def _again(cause: Cause, tried: int, *, taken: bool) -> Again | None:
    if cause == "usage_limit":
        return None
    if cause == "rate_limit" or cause == "thread_writer" or cause == "busy":
        waits = WAITS[cause]
        if tried >= len(waits):
            return None
        event = Retrying(cause, waits[tried], tried + 1, len(waits))
        return Again(cause, event, words=not taken, delay=waits[tried])
    if tried >= MOST[cause]:
        return None
    return Again(cause, Recovering(cause), words=not taken or cause == "session_gone")


def _cause(outcome: str) -> Cause | None:
    known: tuple[Cause, ...] = (*WAITS, "session_gone", "interrupted", "never_started", "transport")
    return next((cause for cause in known if cause == outcome), None)
