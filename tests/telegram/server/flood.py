"""Flood control: a message a second, 20 a minute in a group, 30 a second in all; insisting makes it worse."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.telegram.server.errors import flood

BURST = 5
"""Messages to one chat that pass at once, after a while of silence."""
PER_MINUTE = 20
PER_SECOND = 30
SHUT_SECONDS = 3
LONGEST_SECONDS = 6 * 3600
IN_FLIGHT_SECONDS = 0.3
"""Calls that were on their way when a chat was shut are refused, but not held against the bot."""
COUNTED = ("send", "edit", "copy", "forward")
NOT_COUNTED = ("sendchataction",)


@dataclass(slots=True)
class Gate:
    """One chat's: *room* messages could still pass at *since*; it was shut at *shut*, for *seconds*."""

    room: float = BURST
    since: float = -math.inf
    minute: deque[float] = field(default_factory=deque)
    until: float = -math.inf
    shut: float = -math.inf
    seconds: int = 0


@dataclass(slots=True)
class Flood:
    """*enforced* switches the limits; a chat shut by hand stays shut either way, at most *longest* seconds.
    *offences*: calls into a shut chat, as (time, chat, method)."""

    clock: Callable[[], float]
    enforced: bool = False
    longest: int = LONGEST_SECONDS
    offences: list[tuple[float, int, str]] = field(default_factory=list)
    _gates: dict[int, Gate] = field(default_factory=dict)
    _all: deque[float] = field(default_factory=deque)

    def shut(self, chat: int, seconds: int) -> None:
        gate, now = self._gate(chat), self.clock()
        gate.until, gate.shut, gate.seconds = now + seconds, now, seconds

    def pass_or_refuse(self, chat: int, method: str, *, group: bool) -> None:
        """Errors: 429."""
        gate, now = self._gate(chat), self.clock()
        if now < gate.until:
            self._refuse_early(gate, chat, method, now)
        counted = method.startswith(COUNTED) and method not in NOT_COUNTED
        if self.enforced and counted and not self._has_room(gate, now, group=group):
            self.shut(chat, max(SHUT_SECONDS, self._minute_frees(gate, now) if group else 0))
            raise flood(gate.seconds)

    def _gate(self, chat: int) -> Gate:
        return self._gates.setdefault(chat, Gate())

    def _refuse_early(self, gate: Gate, chat: int, method: str, now: float) -> None:
        if now > gate.shut + IN_FLIGHT_SECONDS:
            self.offences.append((now, chat, method))
            gate.seconds = min(gate.seconds * 2, self.longest)
            gate.until = now + gate.seconds
        raise flood(math.ceil(gate.until - now))

    def _has_room(self, gate: Gate, now: float, *, group: bool) -> bool:
        gate.room = min(BURST, gate.room + max(0.0, now - gate.since) if gate.since > -math.inf else BURST)
        gate.since = now
        _forget(gate.minute, now - 60)
        _forget(self._all, now - 1)
        full = group and len(gate.minute) >= PER_MINUTE
        if gate.room < 1 or full or len(self._all) >= PER_SECOND:
            return False
        gate.room -= 1
        gate.minute.append(now)
        self._all.append(now)
        return True

    @staticmethod
    def _minute_frees(gate: Gate, now: float) -> int:
        return math.ceil(gate.minute[0] + 60 - now) if len(gate.minute) >= PER_MINUTE else 0


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
