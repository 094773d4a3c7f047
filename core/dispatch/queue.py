"""Who may start next: a pure decision over who waits and who holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.model.ids import PromptId
from core.model.slots import (
    BlockedByCap,
    BlockedByKey,
    Caps,
    Holder,
    HostAway,
    NotReady,
    Start,
    Verdict,
    Waiting,
)


def decide(waiting: Sequence[Waiting], holders: Sequence[Holder], caps: Caps) -> dict[PromptId, Verdict]:
    """A verdict for each of *waiting* (the first of each conversation, in order of the queue).

    Keys are taken all or none. A prompt that one holder alone keeps from starting reserves its other
    keys against younger ones; so does the oldest of all, whoever keeps it: therefore nobody starves, and
    a long turn in one group does not freeze a convoy of others. A prompt that cannot run for its own
    reasons (host away, attachment still on its way) reserves nothing, and neither does one that waits for
    somebody who has given up its place: that may take days. Places under a cap are not reserved for a prompt
    that waits for a key: they would stand idle.
    """
    table = _Table.of(holders, caps)
    verdicts: dict[PromptId, Verdict] = {}
    oldest = next((candidate.prompt for candidate in waiting if table.able(candidate)), None)
    for candidate in waiting:
        verdict = verdicts[candidate.prompt] = table.judge(candidate)
        if isinstance(verdict, Start):
            table.seat(candidate)
        elif candidate.prompt == oldest or table.nearly_free(candidate):
            table.reserve(candidate)
    return verdicts


@dataclass(slots=True)
class _Table:
    """Who has which key, and how many sit at it, while one decision is made."""

    caps: Caps
    held: dict[str, PromptId] = field(default_factory=dict)
    reserved: dict[str, PromptId] = field(default_factory=dict)
    seats: dict[PromptId, tuple[str, str]] = field(default_factory=dict)
    """Engine and host of everybody who has a place."""
    aside: set[PromptId] = field(default_factory=set)
    """Who holds keys and has none."""

    @classmethod
    def of(cls, holders: Sequence[Holder], caps: Caps) -> _Table:
        table = cls(caps)
        for holder in holders:
            table.held |= dict.fromkeys(holder.keys, holder.prompt)
            if holder.seated:
                table.seats[holder.prompt] = (holder.engine, holder.host)
            else:
                table.aside.add(holder.prompt)
        return table

    def judge(self, candidate: Waiting) -> Verdict:
        if not candidate.claimable:
            return NotReady()
        if not candidate.host_up:
            return HostAway(candidate.host)
        for claims, reserved in ((self.held, False), (self.reserved, True)):
            taken = sorted(candidate.keys & claims.keys())
            if taken:
                return BlockedByKey(taken[0], claims[taken[0]], reserved)
        return self._capped(candidate) or Start()

    def _capped(self, candidate: Waiting) -> BlockedByCap | None:
        kind = (candidate.engine, candidate.host)
        same = tuple(prompt for prompt, seat in self.seats.items() if seat == kind)
        if len(same) >= self.caps.per_engine:
            return BlockedByCap(self.caps.per_engine, candidate.engine, same)
        if self.caps.total and len(self.seats) >= self.caps.total:
            return BlockedByCap(self.caps.total, "", tuple(self.seats))
        return None

    def seat(self, candidate: Waiting) -> None:
        self.held |= dict.fromkeys(candidate.keys, candidate.prompt)
        self.seats[candidate.prompt] = (candidate.engine, candidate.host)
        self.aside.discard(candidate.prompt)

    def able(self, candidate: Waiting) -> bool:
        """Whether it will run before long, once the keys that it waits for are free."""
        behind = {self.held[key] for key in candidate.keys & self.held.keys()}
        return candidate.claimable and candidate.host_up and not behind & self.aside

    def nearly_free(self, candidate: Waiting) -> bool:
        """Whether one holder at most, and no reservation, keeps it from its keys."""
        holders = Counter(self.held[key] for key in candidate.keys & self.held.keys())
        return self.able(candidate) and len(holders) <= 1 and not candidate.keys & self.reserved.keys()

    def reserve(self, candidate: Waiting) -> None:
        for key in candidate.keys:
            self.reserved.setdefault(key, candidate.prompt)
