"""Agents that are spoken to and have just ended a turn: kept for the next one of their conversation."""

from __future__ import annotations

from dataclasses import dataclass

from core.dispatch.clock import Clock
from core.hosts.port import Host
from core.model.ids import AgentId, ConversationId


@dataclass(frozen=True, slots=True)
class Idle:
    """An agent that waits for words. Its spool has been read up to *offset*. *fixed* is what can't change
    while it lives: another turn fits it only if that is the same."""

    agent: AgentId
    host: Host
    offset: int
    fixed: tuple[object, ...]


class Warm:
    """At most *most* agents, each for at most *seconds*, none with 0. What goes is the caller's to end."""

    def __init__(self, clock: Clock, *, seconds: float, most: int) -> None:
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._idle: dict[ConversationId, tuple[float, Idle]] = {}

    @property
    def wanted(self) -> bool:
        return self._seconds > 0 and self._most > 0

    @property
    def any(self) -> bool:
        """Whether somebody is kept at all."""
        return bool(self._idle)

    def keep(self, conversation: ConversationId, idle: Idle) -> None:
        """The newest is the last that goes."""
        self._idle.pop(conversation, None)
        self._idle[conversation] = (self._clock.monotonic(), idle)

    def take(self, conversation: ConversationId) -> Idle | None:
        """The agent of *conversation*, from now on the caller's."""
        found = self._idle.pop(conversation, None)
        return found[1] if found else None

    def spare(self, *, short: bool = False) -> list[Idle]:
        """Those whose time is over, and the oldest that are too many, where memory is *short* one at the
        least: from now on the caller's."""
        now = self._clock.monotonic()
        surplus = max(len(self._idle) - self._most, int(short))
        gone = [
            conversation
            for at, (conversation, (since, _)) in enumerate(self._idle.items())
            if at < surplus or now - since >= self._seconds
        ]
        return [self._idle.pop(conversation)[1] for conversation in gone]

    def everybody(self) -> list[Idle]:
        """All of them: from now on the caller's."""
        idle = [one for _, one in self._idle.values()]
        self._idle.clear()
        return idle


async def see_off(idle: Idle, *, grace: float) -> None:
    """End an agent that nobody needs any more."""
    await idle.host.stop(idle.agent, grace=grace)
    await idle.host.discard(idle.agent)
