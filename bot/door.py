"""What people whom nobody let in may do: so many tries with each code, and one word once in a while."""

from __future__ import annotations

from collections import Counter, deque

TRIES_EACH = 5
"""Wrong codes of one person; then whatever they say is not looked at until there is a new code. Counted by
id, which nobody chooses, so that nobody uses up the tries of somebody else."""
TOLD_EVERY = 3_600.0
TOLD_MOST = 30
"""Seconds between two words to one person, and how many persons are told within them."""


class Door:
    """Kept in memory alone: a restart gives everybody a few tries more, and what all of them may try together
    the store counts."""

    def __init__(self) -> None:
        self._code = 0
        self._wrong: Counter[str] = Counter()
        self._told: deque[tuple[float, str]] = deque()

    def may_try(self, code: int, person: str) -> bool:
        """Whether somebody may still try the code of this number."""
        return code != self._code or self._wrong[person] < TRIES_EACH

    def tried(self, code: int, person: str) -> None:
        """What somebody said was another code. As many are remembered as the store lets try at all."""
        if code != self._code:
            self._code, self._wrong = code, Counter()
        self._wrong[person] += 1

    def tells(self, person: str, *, now: float) -> bool:
        """Whether somebody is to be told that nobody owns this yet; counted as told, if so. *now* only ever
        grows (monotonic)."""
        while self._told and now - self._told[0][0] >= TOLD_EVERY:
            self._told.popleft()
        if len(self._told) >= TOLD_MOST or any(person == told for _, told in self._told):
            return False
        self._told.append((now, person))
        return True
