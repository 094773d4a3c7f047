"""What happened and was not yet confirmed, and the one who waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.telegram.server.errors import TWO_POLLERS, WEBHOOK_SET, conflict, unauthorized
from tests.telegram.server.model import Json

KEPT_SECONDS = 24 * 3600.0
MOST = 100
LONGEST_POLL = 50.0
NOT_BY_DEFAULT = ("chat_member", "message_reaction", "message_reaction_count")


@dataclass(slots=True)
class Updates:
    """*allowed* is empty for the default kinds; *handed* tells when each update was first given out."""

    clock: Callable[[], float]
    last_id: int = 1000
    allowed: tuple[str, ...] = ()
    webhook: str = ""
    secret: str = ""
    error: str = ""
    error_at: float = 0.0
    pending: list[tuple[float, Json]] = field(default_factory=list)
    handed: dict[int, float] = field(default_factory=dict)
    confirmed: int = 0
    _pollers: int = 0
    _revoked: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, kind: str, what: Json) -> int:
        """The update's id; 0 where nobody asked for its kind."""
        wanted = kind in self.allowed if self.allowed else kind not in NOT_BY_DEFAULT
        if not wanted:
            return 0
        self.deliver({"update_id": self.last_id + 1, kind: what})
        return self.last_id

    def deliver(self, update: Json) -> None:
        """As it is, whatever its id and kind."""
        self.last_id = max(self.last_id, update["update_id"])
        self.pending.append((self.clock(), update))
        self._wake()

    async def get(self, offset: int, limit: int, timeout: float, allowed: Sequence[str] | None) -> list[Json]:
        """Everything below *offset* is confirmed by this; at most *timeout* seconds are waited.

        Errors: 409 where a webhook is set, and for who waits here when another one comes; 401."""
        if self.webhook:
            raise conflict(WEBHOOK_SET)
        if allowed is not None:
            self.allowed = tuple(allowed)
        self._revoked = False
        self._pollers += 1
        me = self._pollers
        self._wake()
        self._confirm(offset)
        loop = asyncio.get_running_loop()
        until = loop.time() + min(timeout, LONGEST_POLL)
        while not (found := self._batch(limit)) and (left := until - loop.time()) > 0:
            await self._wait(left)
            if me != self._pollers:
                raise unauthorized() if self._revoked else conflict(TWO_POLLERS)
        return found

    def brought(self, update_id: int) -> None:
        """The webhook has it."""
        self.pending = [one for one in self.pending if one[1]["update_id"] != update_id]
        self.handed.setdefault(update_id, self.clock())

    def failed(self, why: str) -> None:
        """The webhook has not got what it was brought."""
        self.error, self.error_at = why, self.clock()

    def drop(self) -> None:
        self.pending.clear()

    def revoke(self) -> None:
        """Whoever waits here is sent away, with 401."""
        self._revoked = True
        self.interrupt()

    def interrupt(self) -> None:
        """Whoever waits here is sent away."""
        self._pollers += 1
        self._wake()

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self.pending = self.pending[offset:]
        elif offset:
            self.confirmed = max(self.confirmed, offset - 1)
            self.pending = [one for one in self.pending if one[1]["update_id"] >= offset]

    def _batch(self, limit: int) -> list[Json]:
        now = self.clock()
        self.pending = [one for one in self.pending if one[0] > now - KEPT_SECONDS]
        found = [update for _, update in self.pending[: min(limit or MOST, MOST)]]
        for update in found:
            self.handed.setdefault(update["update_id"], now)
        return found

    async def _wait(self, seconds: float) -> None:
        news = self._news
        try:
            await asyncio.wait_for(news.wait(), seconds)
        except TimeoutError:
            return

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
