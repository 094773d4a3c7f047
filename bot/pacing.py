"""When a room may be sent to, and which of the turns that it shows comes next."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.chat import Flood, NotSent, RoomAddress, Text, Unknown
from core.model.ids import PromptId, RoomId

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 60.0
"""Seconds between two tries to reach a room that could not be reached."""
DOUBLINGS = 7
"""From the first pause to the longest."""


@dataclass(slots=True)
class Shown:
    """What the message that shows a turn is to say, and what it *said* last. *edited*: when, monotonic.
    *slower*: the pace times this, once the room was closed to us. *lost*: there is no message to edit."""

    text: Text
    elapsed: float
    said: Text | None = None
    edited: float = float("-inf")
    slower: float = 1.0
    lost: bool = False

    @property
    def new(self) -> bool:
        return self.text != self.said and not self.lost


@dataclass(slots=True)
class Room:
    """A room with something to send. Nothing leaves before *open_at* (monotonic), whatever it is.
    *edited*: when any progress of it last left. *news* of what is to leave, *due*: perhaps in the store."""

    id: RoomId
    address: RoomAddress
    open_at: float = 0.0
    failures: int = 0
    edited: float = float("-inf")
    progress: dict[PromptId, Shown] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    due: bool = True

    def show(self, prompt: PromptId, text: Text, elapsed: float) -> None:
        """The newest text takes the place of one that still waits."""
        shown = self.progress.setdefault(prompt, Shown(text, elapsed))
        shown.text, shown.elapsed = text, elapsed

    def next(self, pace: float) -> tuple[PromptId | None, float]:
        """The turn to bring up to date, and when: at once where it isn't shown yet, else all that the room
        shows share its *pace*, and what has waited longest comes first."""
        due = [
            (shown.edited if shown.said is None else self.edited + shown.slower * pace, shown.edited, prompt)
            for prompt, shown in self.progress.items()
            if shown.new
        ]
        at, _, prompt = min(due, default=(float("inf"), 0.0, None))
        return prompt, at

    def close(self, trouble: NotSent | Unknown, now: float) -> None:
        """Nothing goes there for as long as the chat says, or for a while that grows."""
        pause = min(FIRST_PAUSE * 2 ** min(self.failures, DOUBLINGS), LONGEST_PAUSE)
        self.failures += 1
        self.open_at = max(self.open_at, now + (trouble.seconds if isinstance(trouble, Flood) else pause))
